//! PTX instructions after parsing: registers are indices, types are widths.

/// Index of a register in its kernel.
pub type Register = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    Register(Register),
    Immediate(u64),
    /// `%tid.x` and its like.
    Special(Special),
    /// The address of a module's variable or of a kernel's local array.
    Symbol(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    ThreadIndex,
    BlockIndex,
    BlockSize,
    /// A dimension that is not used: index 0.
    Zero,
    /// A dimension that is not used: size 1.
    One,
}

/// An integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type {
    pub bits: u32,
    pub signed: bool,
}

impl Type {
    /// All ones.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// `value` as this type.
    pub fn truncate(self, value: u64) -> u64 {
        value & self.mask()
    }

    /// `value` of this type as a number.
    pub fn number(self, value: u64) -> i128 {
        let value = self.truncate(value);
        if self.signed && value >> (self.bits - 1) == 1 {
            i128::from(value) - (1 << self.bits)
        } else {
            i128::from(value)
        }
    }
}

/// What `add`, `sub` and `mad` make of their first operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    Add,
    Sub,
    MadLow,
    MadHigh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    MulLow,
    MulHigh,
    /// Twice as wide as its operands.
    MulWide,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Min,
    Max,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    Move,
    Not,
    Negate,
    /// From the named type to the instruction's type.
    Convert(Type),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub base: Operand,
    pub offset: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// `add addc sub subc mad madc`, each with or without `.cc`.
    Sum {
        sum: Sum,
        carry_in: bool,
        carry_out: bool,
        ty: Type,
        destination: Register,
        operands: Vec<Operand>,
    },
    /// `mad.wide`: the addend and the result are twice as wide as `ty`.
    MadWide {
        ty: Type,
        destination: Register,
        operands: [Operand; 3],
    },
    Binary {
        operator: Binary,
        ty: Type,
        destination: Register,
        operands: [Operand; 2],
    },
    Unary {
        operator: Unary,
        ty: Type,
        destination: Register,
        operand: Operand,
    },
    /// `lop3.b32`: any function of three bits.
    Logic3 {
        destination: Register,
        operands: [Operand; 3],
        table: u8,
    },
    /// `shf`: a word of a shifted pair.
    FunnelShift {
        left: bool,
        clamp: bool,
        destination: Register,
        low: Operand,
        high: Operand,
        amount: Operand,
    },
    /// `prmt.b32`: bytes picked from two words.
    Permute {
        destination: Register,
        operands: [Operand; 2],
        selector: Operand,
    },
    /// `mov` from a vector of equal parts, the lowest first.
    Pack {
        destination: Register,
        parts: Vec<Operand>,
        part_bits: u32,
    },
    /// `mov` into a vector of equal parts; `None` for `_`.
    Unpack {
        destinations: Vec<Option<Register>>,
        operand: Operand,
        part_bits: u32,
    },
    Compare {
        comparison: Comparison,
        ty: Type,
        destination: Register,
        operands: [Operand; 2],
        /// `.and` or `.or` with another predicate.
        combine: Option<(Binary, Operand)>,
    },
    Select {
        ty: Type,
        destination: Register,
        operands: [Operand; 2],
        predicate: Operand,
    },
    /// `ld.param`: the kernel's argument of this index.
    Argument {
        destination: Register,
        index: usize,
    },
    Load {
        ty: Type,
        destinations: Vec<Register>,
        address: Address,
    },
    Store {
        ty: Type,
        address: Address,
        values: Vec<Operand>,
    },
    /// To the instruction of this index.
    Branch(usize),
    Return,
}

/// `@%p` or `@!%p`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    pub predicate: Register,
    pub negated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    pub guard: Option<Guard>,
    pub operation: Operation,
    /// As written, for messages.
    pub text: String,
}
