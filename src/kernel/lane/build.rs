//! Builds lane programs, one operation at a time.

use super::{Binary, Constant, Isa, Mask, Merge, Op, Parameter, Program, Unary, Value, Width};

/// A program under construction.
pub(crate) struct Builder {
    program: Program,
    /// Of the elements.
    width: Width,
    note: Option<&'static str>,
}

impl Builder {
    pub fn new(isa: Isa, width: Width) -> Builder {
        let program = Program {
            isa,
            parameters: Vec::new(),
            ops: Vec::new(),
            outputs: Vec::new(),
            names: Vec::new(),
            notes: Vec::new(),
        };
        Builder {
            program,
            width,
            note: None,
        }
    }

    pub fn isa(&self) -> Isa {
        self.program.isa
    }

    /// The next parameter; all of them come before the first operation.
    pub fn vector(&mut self, name: &'static str) -> Value {
        self.program.parameters.push(Parameter::Vector(name));
        Value(self.emit(name, Op::Input))
    }

    /// As [`Builder::vector`], of a prepared factor.
    pub fn factor(&mut self, names: &'static [&'static str]) -> Vec<Value> {
        self.program.parameters.push(Parameter::Factor(names));
        names
            .iter()
            .map(|name| Value(self.emit(name, Op::Input)))
            .collect()
    }

    /// A comment before the next operation that is new.
    pub fn note(&mut self, note: &'static str) {
        self.note = Some(note);
    }

    pub fn finish<const N: usize>(mut self, outputs: [Value; N]) -> Program {
        self.program.outputs = outputs.to_vec();
        self.program
    }

    /// The index of an operation: of an earlier one that is the same, if there is one.
    fn emit(&mut self, name: &str, op: Op) -> usize {
        let hides = matches!(op, Op::Unary(Unary::Hide, ..));
        if op != Op::Input
            && !hides
            && let Some(index) = self.program.ops.iter().position(|other| *other == op)
        {
            return index;
        }
        let index = self.program.ops.len();
        if let Some(note) = self.note.take() {
            self.program.notes.push((index, note));
        }
        let taken = |name: &str| self.program.names.iter().any(|other| other == name);
        let mut unique = name.to_owned();
        let mut number = 2;
        while taken(&unique) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        self.program.ops.push(op);
        self.program.names.push(unique);
        index
    }

    fn value(&mut self, name: &str, op: Op) -> Value {
        debug_assert!(!op.is_mask());
        Value(self.emit(name, op))
    }

    fn mask(&mut self, name: &str, op: Op) -> Mask {
        debug_assert!(op.is_mask());
        Mask(self.emit(name, op))
    }

    /// A constant in every element. `name` is that of the variable, `text` the expression.
    pub fn splat(&mut self, name: &str, text: impl Into<String>, value: u64) -> Value {
        let text = text.into();
        let lane = match self.width {
            Width::W32 => value | value << 32,
            Width::W64 => value,
        };
        self.value(name, Op::Splat(Constant { text, lane }))
    }

    pub fn unary(&mut self, name: &str, op: Unary, x: Value) -> Value {
        self.value(name, Op::Unary(op, self.width, x))
    }

    pub fn binary(&mut self, name: &str, op: Binary, x: Value, y: Value) -> Value {
        self.value(name, Op::Binary(op, self.width, x, y))
    }

    /// An operation on lanes of 64 bits, whatever the elements are.
    pub fn wide_binary(&mut self, name: &str, op: Binary, x: Value, y: Value) -> Value {
        self.value(name, Op::Binary(op, Width::W64, x, y))
    }

    pub fn add(&mut self, name: &str, x: Value, y: Value) -> Value {
        self.binary(name, Binary::Add, x, y)
    }

    pub fn sub(&mut self, name: &str, x: Value, y: Value) -> Value {
        self.binary(name, Binary::Sub, x, y)
    }

    pub fn min(&mut self, name: &str, x: Value, y: Value) -> Value {
        self.binary(name, Binary::Min, x, y)
    }

    pub fn mul_even(&mut self, name: &str, x: Value, y: Value) -> Value {
        self.wide_binary(name, Binary::MulEven, x, y)
    }

    pub fn hide(&mut self, x: Value) -> Value {
        let name = format!("hidden_{}", self.program.names[x.0]);
        self.value(&name, Op::Unary(Unary::Hide, Width::W64, x))
    }

    /// As [`Builder::hide`], but the same value for the same operand.
    pub fn hide_once(&mut self, x: Value) -> Value {
        let op = Op::Unary(Unary::Hide, Width::W64, x);
        match self.program.ops.iter().position(|other| *other == op) {
            Some(index) => Value(index),
            None => self.hide(x),
        }
    }

    pub fn odd_to_even(&mut self, name: &str, x: Value) -> Value {
        self.value(name, Op::Unary(Unary::OddToEven, Width::W32, x))
    }

    pub fn even_to_odd(&mut self, name: &str, x: Value) -> Value {
        self.value(name, Op::Unary(Unary::EvenToOdd, Width::W32, x))
    }

    pub fn merge(&mut self, name: &str, op: Merge, x: Value, y: Value) -> Value {
        self.value(name, Op::Merge(op, x, y))
    }

    pub fn sub_odd(&mut self, name: &str, even: Value, x: Value, y: Value) -> Value {
        self.value(name, Op::SubOdd { even, x, y })
    }

    pub fn less(&mut self, name: &str, x: Value, y: Value) -> Mask {
        self.mask(name, Op::Less(self.width, x, y))
    }

    pub fn test(&mut self, name: &str, x: Value, y: Value) -> Mask {
        self.mask(name, Op::Test(self.width, x, y))
    }

    pub fn add_where(&mut self, name: &str, mask: Mask, x: Value, y: Value) -> Value {
        self.value(name, Op::AddWhere(self.width, mask, x, y))
    }

    pub fn sub_or_zero(&mut self, name: &str, mask: Mask, x: Value, y: Value) -> Value {
        self.value(name, Op::SubOrZero(self.width, mask, x, y))
    }

    pub fn choose(&mut self, name: &str, mask: Mask, x: Value, y: Value) -> Value {
        self.value(name, Op::Choose(self.width, mask, x, y))
    }
}
