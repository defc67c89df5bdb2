//! One thread executing a kernel.

use std::fmt;

use super::instruction::{
    Address, Binary, Comparison, Instruction, Operand, Operation, Register, Special, Sum, Type,
    Unary,
};
use super::parse::Kernel;

/// Addresses below this are never valid, so that a null pointer is found.
const FIRST_ADDRESS: u64 = 0x1000;

/// A thread that has executed this many instructions does not terminate.
const MAX_STEPS: u64 = 1 << 28;

/// Global memory: one flat range of bytes.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    bytes: Vec<u8>,
}

impl Memory {
    #[must_use]
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Zeroed bytes at a fresh address that is a multiple of `alignment`.
    pub fn allocate(&mut self, size: usize, alignment: usize) -> u64 {
        let start = self.bytes.len().next_multiple_of(alignment);
        self.bytes.resize(start + size, 0);
        FIRST_ADDRESS + start as u64
    }

    /// # Panics
    ///
    /// Outside what was allocated.
    pub fn write_words(&mut self, address: u64, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.slice(address, bytes.len())
            .expect("allocated")
            .copy_from_slice(&bytes);
    }

    /// # Panics
    ///
    /// Outside what was allocated.
    pub fn read_words(&mut self, address: u64, count: usize) -> Vec<u32> {
        let bytes = self.slice(address, 4 * count).expect("allocated");
        bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
            .collect()
    }

    fn slice(&mut self, address: u64, size: usize) -> Option<&mut [u8]> {
        let start = usize::try_from(address.checked_sub(FIRST_ADDRESS)?).ok()?;
        self.bytes.get_mut(start..start.checked_add(size)?)
    }

    /// The bytes of an access by one thread; the whole access must be naturally aligned.
    fn access(&mut self, address: u64, size: usize) -> Result<&mut [u8], Reason> {
        if address % size as u64 != 0 {
            return Err(Reason::Misaligned { address, size });
        }
        self.slice(address, size)
            .ok_or(Reason::OutOfBounds { address, size })
    }
}

/// Why a thread stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub reason: Reason,
    /// The instruction, as written.
    pub instruction: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    UndefinedRegister(String),
    /// A carry is wanted and no instruction produced one, or a borrow is there instead.
    NoCarry,
    /// A borrow is wanted and no instruction produced one, or a carry is there instead.
    NoBorrow,
    Misaligned {
        address: u64,
        size: usize,
    },
    OutOfBounds {
        address: u64,
        size: usize,
    },
    DoesNotTerminate,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.reason {
            Reason::UndefinedRegister(name) => write!(f, "{name} is read before it is written")?,
            Reason::NoCarry => write!(f, "a carry is read where none was written")?,
            Reason::NoBorrow => write!(f, "a borrow is read where none was written")?,
            Reason::Misaligned { address, size } => {
                write!(f, "access of {size} bytes at {address:#x} is misaligned")?;
            }
            Reason::OutOfBounds { address, size } => {
                write!(f, "access of {size} bytes at {address:#x} is out of bounds")?;
            }
            Reason::DoesNotTerminate => write!(f, "no end after {MAX_STEPS} instructions")?,
        }
        write!(f, ": {}", self.instruction)
    }
}

impl std::error::Error for Fault {}

/// The carry flag, and which kind of instruction wrote it.
#[derive(Debug, Clone, Copy)]
enum Flag {
    Undefined,
    Carry(bool),
    Borrow(bool),
}

struct Thread<'a> {
    kernel: &'a Kernel,
    memory: &'a mut Memory,
    arguments: &'a [u64],
    registers: Vec<Option<u64>>,
    symbols: Vec<u64>,
    flag: Flag,
}

impl Kernel {
    /// Executes the kernel as thread 0 of block 0.
    ///
    /// # Errors
    ///
    /// Whatever a careful GPU would refuse.
    ///
    /// # Panics
    ///
    /// When the number of arguments is not the kernel's.
    pub fn run(&self, memory: &mut Memory, arguments: &[u64]) -> Result<(), Fault> {
        assert_eq!(arguments.len(), self.arguments, "arguments of the kernel");
        let kept = memory.bytes.len();
        let symbols = self
            .symbols
            .iter()
            .map(|symbol| {
                let address = memory.allocate(symbol.size, symbol.alignment.max(16));
                memory
                    .slice(address, symbol.bytes.len())
                    .expect("just allocated")
                    .copy_from_slice(&symbol.bytes);
                address
            })
            .collect();
        let mut thread = Thread {
            kernel: self,
            memory,
            arguments,
            registers: vec![None; self.registers.len()],
            symbols,
            flag: Flag::Undefined,
        };
        let result = thread.run();
        memory.bytes.truncate(kept);
        result
    }
}

impl Thread<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        let kernel = self.kernel;
        let mut next = 0;
        for _ in 0..MAX_STEPS {
            let Some(instruction) = kernel.instructions.get(next) else {
                return Ok(());
            };
            next += 1;
            match self.step(instruction) {
                Ok(Step::Next) => {}
                Ok(Step::Branch(target)) => next = target,
                Ok(Step::Return) => return Ok(()),
                Err(reason) => return Err(fault(reason, instruction)),
            }
        }
        Err(fault(
            Reason::DoesNotTerminate,
            &kernel.instructions[next.min(kernel.instructions.len() - 1)],
        ))
    }

    fn step(&mut self, instruction: &Instruction) -> Result<Step, Reason> {
        if let Some(guard) = instruction.guard {
            let predicate = self.value(Operand::Register(guard.predicate))? != 0;
            if predicate == guard.negated {
                return Ok(Step::Next);
            }
        }
        match &instruction.operation {
            Operation::Branch(target) => return Ok(Step::Branch(*target)),
            Operation::Return => return Ok(Step::Return),
            Operation::Sum {
                sum,
                carry_in,
                carry_out,
                ty,
                destination,
                operands,
            } => {
                let value = self.sum(*sum, *carry_in, *carry_out, *ty, operands)?;
                self.set(*destination, value);
            }
            Operation::MadWide {
                ty,
                destination,
                operands,
            } => {
                let product = self.number(*ty, operands[0])? * self.number(*ty, operands[1])?;
                let wide = Type {
                    bits: 2 * ty.bits,
                    ..*ty
                };
                let sum = product + self.number(wide, operands[2])?;
                self.set(*destination, wide.truncate(sum as u64));
            }
            Operation::Binary {
                operator,
                ty,
                destination,
                operands,
            } => {
                let value = self.binary(*operator, *ty, *operands)?;
                self.set(*destination, value);
            }
            Operation::Unary {
                operator,
                ty,
                destination,
                operand,
            } => {
                let value = self.value(*operand)?;
                let value = match operator {
                    Unary::Move => value,
                    Unary::Not => !value,
                    Unary::Negate => value.wrapping_neg(),
                    Unary::Convert(from) => from.number(value) as u64,
                };
                self.set(*destination, ty.truncate(value));
            }
            Operation::Logic3 {
                destination,
                operands,
                table,
            } => {
                let [a, b, c] = [
                    self.value(operands[0])?,
                    self.value(operands[1])?,
                    self.value(operands[2])?,
                ];
                let value = (0..32).fold(0, |value, bit| {
                    let index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
                    value | u64::from(table >> index & 1) << bit
                });
                self.set(*destination, value);
            }
            Operation::FunnelShift {
                left,
                clamp,
                destination,
                low,
                high,
                amount,
            } => {
                let pair = self.value(*high)? << 32 | (self.value(*low)? & u64::from(u32::MAX));
                let amount = self.value(*amount)? & u64::from(u32::MAX);
                let amount = if *clamp { amount.min(32) } else { amount & 31 };
                let value = if *left {
                    // Shifting the pair by up to 32 keeps the wanted word in its upper half.
                    (pair << amount) >> 32
                } else {
                    pair >> amount
                };
                self.set(*destination, value & u64::from(u32::MAX));
            }
            Operation::Permute {
                destination,
                operands,
                selector,
            } => {
                let pair = self.value(operands[1])? << 32 | self.value(operands[0])?;
                let selector = self.value(*selector)?;
                let value = (0..4).fold(0, |value, byte| {
                    let choice = selector >> (4 * byte) & 0xf;
                    let picked = pair >> (8 * (choice & 7)) & 0xff;
                    // The fourth bit of a choice replicates the sign.
                    let picked = match (choice >> 3, picked >> 7) {
                        (0, _) => picked,
                        (_, 0) => 0,
                        _ => 0xff,
                    };
                    value | picked << (8 * byte)
                });
                self.set(*destination, value);
            }
            Operation::Pack {
                destination,
                parts,
                part_bits,
            } => {
                let mask = u64::MAX >> (64 - part_bits);
                let mut value = 0;
                for part in parts.iter().rev() {
                    value = value << part_bits | (self.value(*part)? & mask);
                }
                self.set(*destination, value);
            }
            Operation::Unpack {
                destinations,
                operand,
                part_bits,
            } => {
                let mask = u64::MAX >> (64 - part_bits);
                let mut value = self.value(*operand)?;
                for destination in destinations {
                    if let Some(destination) = destination {
                        self.set(*destination, value & mask);
                    }
                    value >>= part_bits;
                }
            }
            Operation::Compare {
                comparison,
                ty,
                destination,
                operands,
                combine,
            } => {
                let a = self.number(*ty, operands[0])?;
                let b = self.number(*ty, operands[1])?;
                let mut holds = match comparison {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => a < b,
                    Comparison::LessOrEqual => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::GreaterOrEqual => a >= b,
                };
                if let Some((operator, other)) = combine {
                    let other = self.value(*other)? != 0;
                    holds = match operator {
                        Binary::Or => holds || other,
                        Binary::Xor => holds != other,
                        _ => holds && other,
                    };
                }
                self.set(*destination, u64::from(holds));
            }
            Operation::Select {
                ty,
                destination,
                operands,
                predicate,
            } => {
                let chosen = operands[usize::from(self.value(*predicate)? == 0)];
                let value = ty.truncate(self.value(chosen)?);
                self.set(*destination, value);
            }
            Operation::Argument { destination, index } => {
                self.set(*destination, self.arguments[*index]);
            }
            Operation::Load {
                ty,
                destinations,
                address,
            } => {
                let size = ty.bits as usize / 8;
                let address = self.address(address)?;
                let bytes = self.memory.access(address, size * destinations.len())?;
                let values: Vec<u64> = bytes
                    .chunks_exact(size)
                    .map(|bytes| ty.number(little_endian(bytes)) as u64)
                    .collect();
                for (destination, value) in destinations.iter().zip(values) {
                    self.set(*destination, value);
                }
            }
            Operation::Store {
                ty,
                address,
                values,
            } => {
                let size = ty.bits as usize / 8;
                let address = self.address(address)?;
                let values = values
                    .iter()
                    .map(|value| self.value(*value))
                    .collect::<Result<Vec<u64>, Reason>>()?;
                let bytes = self.memory.access(address, size * values.len())?;
                for (bytes, value) in bytes.chunks_exact_mut(size).zip(values) {
                    bytes.copy_from_slice(&value.to_le_bytes()[..size]);
                }
            }
        }
        Ok(Step::Next)
    }

    fn sum(
        &mut self,
        sum: Sum,
        carry_in: bool,
        carry_out: bool,
        ty: Type,
        operands: &[Operand],
    ) -> Result<u64, Reason> {
        let subtract = sum == Sum::Sub;
        // The flag is about the words, whatever the sign means.
        let word = Type {
            signed: false,
            ..ty
        };
        let flag = i128::from(match (carry_in, subtract, self.flag) {
            (false, _, _) => false,
            (true, false, Flag::Carry(carry)) => carry,
            (true, true, Flag::Borrow(borrow)) => borrow,
            (true, false, _) => return Err(Reason::NoCarry),
            (true, true, _) => return Err(Reason::NoBorrow),
        });
        let a = self.number(word, operands[0])?;
        let b = self.number(word, operands[1])?;
        let value = match sum {
            Sum::Add => a + b + flag,
            Sum::Sub => a - b - flag,
            Sum::MadLow | Sum::MadHigh => {
                let high = sum == Sum::MadHigh;
                let half = self.product_half(high, ty, [operands[0], operands[1]])?;
                i128::from(half) + self.number(word, operands[2])? + flag
            }
        };
        let kept = word.truncate(value as u64);
        if carry_out {
            let out = value != i128::from(kept);
            self.flag = if subtract {
                Flag::Borrow(out)
            } else {
                Flag::Carry(out)
            };
        }
        Ok(kept)
    }

    /// The low or high half of a product.
    fn product_half(&self, high: bool, ty: Type, operands: [Operand; 2]) -> Result<u64, Reason> {
        let a = self.number(ty, operands[0])?;
        let b = self.number(ty, operands[1])?;
        // Both factors have at most 64 bits, so their unsigned product has at most 128.
        let product = if ty.signed {
            (a * b) as u128
        } else {
            a as u128 * b as u128
        };
        let half = if high { product >> ty.bits } else { product };
        Ok(ty.truncate(half as u64))
    }

    fn binary(&self, operator: Binary, ty: Type, operands: [Operand; 2]) -> Result<u64, Reason> {
        let a = self.value(operands[0])?;
        let b = self.value(operands[1])?;
        let value = match operator {
            Binary::MulLow => return self.product_half(false, ty, operands),
            Binary::MulHigh => return self.product_half(true, ty, operands),
            Binary::MulWide => {
                let wide = Type {
                    bits: 2 * ty.bits,
                    ..ty
                };
                return Ok(wide.truncate((ty.number(a) * ty.number(b)) as u64));
            }
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            // A shift amount is an unsigned word, and large ones shift everything out.
            Binary::ShiftLeft => match b & u64::from(u32::MAX) {
                amount if amount < u64::from(ty.bits) => a << amount,
                _ => 0,
            },
            Binary::ShiftRight => {
                let amount = (b & u64::from(u32::MAX)).min(u64::from(ty.bits));
                (ty.number(a) >> amount) as u64
            }
            Binary::Min => ty.number(a).min(ty.number(b)) as u64,
            Binary::Max => ty.number(a).max(ty.number(b)) as u64,
        };
        Ok(ty.truncate(value))
    }

    fn address(&self, address: &Address) -> Result<u64, Reason> {
        Ok(self
            .value(address.base)?
            .wrapping_add_signed(address.offset))
    }

    fn number(&self, ty: Type, operand: Operand) -> Result<i128, Reason> {
        self.value(operand).map(|value| ty.number(value))
    }

    fn value(&self, operand: Operand) -> Result<u64, Reason> {
        match operand {
            Operand::Register(register) => self.registers[register]
                .ok_or_else(|| Reason::UndefinedRegister(self.kernel.registers[register].clone())),
            Operand::Immediate(value) => Ok(value),
            Operand::Symbol(index) => Ok(self.symbols[index]),
            Operand::Special(special) => Ok(match special {
                Special::ThreadIndex | Special::BlockIndex | Special::Zero => 0,
                Special::BlockSize | Special::One => 1,
            }),
        }
    }

    fn set(&mut self, register: Register, value: u64) {
        self.registers[register] = Some(value);
    }
}

enum Step {
    Next,
    Branch(usize),
    Return,
}

fn fault(reason: Reason, instruction: &Instruction) -> Fault {
    Fault {
        reason,
        instruction: instruction.text.clone(),
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}
