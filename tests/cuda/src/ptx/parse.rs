//! PTX text to instructions.

use std::collections::HashMap;
use std::fmt;

use super::instruction::{
    Address, Binary, Comparison, Guard, Instruction, Operand, Operation, Register, Special, Sum,
    Type, Unary,
};

/// A PTX file: its kernels by name.
#[derive(Debug, Clone)]
pub struct Module {
    pub kernels: HashMap<String, Kernel>,
}

/// An `.entry`, ready to run.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub(super) instructions: Vec<Instruction>,
    /// Names by index, for messages.
    pub(super) registers: Vec<String>,
    /// The module's variables and this kernel's local arrays.
    pub(super) symbols: Vec<Symbol>,
    /// The number of parameters.
    pub(super) arguments: usize,
}

/// An array in memory.
#[derive(Debug, Clone)]
pub(super) struct Symbol {
    name: String,
    pub alignment: usize,
    pub size: usize,
    /// The initial value, which may be shorter.
    pub bytes: Vec<u8>,
}

/// What the interpreter does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub statement: String,
    pub reason: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.statement)
    }
}

impl std::error::Error for ParseError {}

fn error<T>(statement: &str, reason: &str) -> Result<T, ParseError> {
    Err(ParseError {
        statement: statement.to_owned(),
        reason: reason.to_owned(),
    })
}

impl Module {
    /// # Errors
    ///
    /// The first statement that is not understood.
    pub fn parse(text: &str) -> Result<Module, ParseError> {
        let text = without_comments(text);
        let mut kernels = HashMap::new();
        let mut variables = Vec::new();
        let mut rest = text.as_str();
        // At the top level there are directives, variables (up to a semicolon) and functions (a
        // head, then a block).
        while let Some(end) = rest.find(['{', ';']) {
            let head = rest[..end].trim();
            if let Some(entry) = head.split(".entry").nth(1) {
                let close = matching_brace(rest, end)
                    .ok_or(())
                    .or_else(|()| error(head, "the block does not end"))?;
                let (name, kernel) = kernel(entry, &rest[end + 1..close], &variables)?;
                kernels.insert(name, kernel);
                rest = &rest[close + 1..];
            } else {
                let end = rest.find(';').map_or(rest.len(), |at| at + 1);
                let statement = rest[..end].trim();
                if statement.contains(".func") {
                    return error(statement, "device functions must be inlined");
                }
                variables.push(variable(statement)?);
                rest = &rest[end..];
            }
        }
        Ok(Module { kernels })
    }
}

fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .filter(|line| {
            // Directives that end with the line and say nothing about the meaning.
            let first = line.split_whitespace().next().unwrap_or("");
            ![".version", ".target", ".address_size", ".file", ".loc"].contains(&first)
        })
        .collect::<Vec<&str>>()
        .join("\n")
}

/// The position of the brace that closes the one at `open`.
fn matching_brace(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text[open..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `.global .align 4 .b8 name[8] = {1, 2}` or a `.local` array.
fn variable(statement: &str) -> Result<Symbol, ParseError> {
    let declaration = statement.trim_end_matches(';');
    let (declaration, initial) = match declaration.split_once('=') {
        Some((declaration, initial)) => (declaration, Some(initial)),
        None => (declaration, None),
    };
    let mut alignment = None;
    let mut ty = None;
    let mut name = "";
    let mut words = declaration.split_whitespace();
    while let Some(word) = words.next() {
        if word == ".align" {
            alignment = words.next().and_then(|number| number.parse().ok());
        } else if let Some(type_name) = word.strip_prefix('.') {
            ty = integer_type(type_name).or(ty);
        } else {
            name = word;
        }
    }
    let Some(ty) = ty else {
        return error(statement, "not a variable");
    };
    let element = ty.bits as usize / 8;
    let (name, count) = match name.split_once('[') {
        Some((name, count)) => (name, count.trim_end_matches(']').parse().unwrap_or(0)),
        None => (name, 1),
    };
    let mut bytes = Vec::new();
    if let Some(initial) = initial {
        let list = initial.trim().trim_matches(['{', '}']);
        for value in list.split(',') {
            match immediate(value.trim()) {
                Some(value) => bytes.extend_from_slice(&value.to_le_bytes()[..element]),
                None => return error(statement, "not an integer"),
            }
        }
    }
    Ok(Symbol {
        name: name.to_owned(),
        alignment: alignment.unwrap_or(element),
        size: bytes.len().max(count * element),
        bytes,
    })
}

fn kernel(head: &str, body: &str, variables: &[Symbol]) -> Result<(String, Kernel), ParseError> {
    let (name, parameters) = head
        .split_once('(')
        .ok_or(())
        .or_else(|()| error(head, "no parameter list"))?;
    let parameters = parameters.split(')').next().unwrap_or("");
    let parameters: Vec<String> = parameters
        .split(',')
        .filter_map(|parameter| parameter.split_whitespace().last())
        .map(str::to_owned)
        .collect();
    let mut parser = Parser {
        arguments: parameters.len(),
        parameters,
        registers: HashMap::new(),
        names: Vec::new(),
        symbols: variables.to_vec(),
        labels: HashMap::new(),
        branches: Vec::new(),
        instructions: Vec::new(),
    };
    for statement in statements(body) {
        parser.statement(statement.trim())?;
    }
    let kernel = parser.finish()?;
    Ok((name.trim().to_owned(), kernel))
}

/// The statements of a block. Braces around statements are scopes, which need no care: a register
/// is written in its scope before it is read. Braces inside a statement are vectors.
fn statements(body: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut current = String::new();
    for character in body.chars() {
        match character {
            ';' => statements.push(std::mem::take(&mut current)),
            // A label ends its statement.
            ':' => {
                current.push(':');
                statements.push(std::mem::take(&mut current));
            }
            '{' | '}' if current.trim().is_empty() => {}
            other => current.push(other),
        }
    }
    if !current.trim().is_empty() {
        statements.push(current);
    }
    statements
}

struct Parser {
    arguments: usize,
    parameters: Vec<String>,
    registers: HashMap<String, Register>,
    names: Vec<String>,
    symbols: Vec<Symbol>,
    labels: HashMap<String, usize>,
    /// Branch instructions and the labels they go to, resolved at the end.
    branches: Vec<(usize, String)>,
    instructions: Vec<Instruction>,
}

impl Parser {
    fn finish(mut self) -> Result<Kernel, ParseError> {
        for (at, label) in &self.branches {
            let Some(target) = self.labels.get(label) else {
                return error(label, "no such label");
            };
            self.instructions[*at].operation = Operation::Branch(*target);
        }
        Ok(Kernel {
            instructions: self.instructions,
            registers: self.names,
            symbols: self.symbols,
            arguments: self.arguments,
        })
    }

    fn statement(&mut self, statement: &str) -> Result<(), ParseError> {
        if let Some(label) = statement.strip_suffix(':') {
            self.labels
                .insert(label.trim().to_owned(), self.instructions.len());
            return Ok(());
        }
        if statement.starts_with(".local") {
            self.symbols.push(variable(statement)?);
            return Ok(());
        }
        if statement.is_empty() || statement.starts_with(".reg") || statement.starts_with(".pragma")
        {
            return Ok(());
        }
        let (guard, instruction) = match statement.strip_prefix('@') {
            Some(guarded) => {
                let (guard, rest) = guarded
                    .split_once(char::is_whitespace)
                    .ok_or(())
                    .or_else(|()| error(statement, "a guard and no instruction"))?;
                let (negated, name) = match guard.strip_prefix('!') {
                    Some(name) => (true, name),
                    None => (false, guard),
                };
                let predicate = self.register(name);
                (Some(Guard { predicate, negated }), rest.trim())
            }
            None => (None, statement),
        };
        let (opcode, operands) = instruction
            .split_once(char::is_whitespace)
            .unwrap_or((instruction, ""));
        let operands = split_operands(operands);
        let operation = self.operation(statement, opcode, &operands)?;
        self.instructions.push(Instruction {
            guard,
            operation,
            text: statement.to_owned(),
        });
        Ok(())
    }

    fn operation(
        &mut self,
        statement: &str,
        opcode: &str,
        operands: &[String],
    ) -> Result<Operation, ParseError> {
        let parts: Vec<&str> = opcode.split('.').collect();
        let name = parts[0];
        let has = |modifier: &str| parts.contains(&modifier);
        if matches!(name, "ret" | "exit") {
            return Ok(Operation::Return);
        }
        if name == "bra" {
            self.branches
                .push((self.instructions.len(), operands.concat()));
            return Ok(Operation::Branch(0));
        }
        let Some(ty) = parts.last().and_then(|name| integer_type(name)) else {
            return error(statement, "not an instruction on integers");
        };
        let wanted = match name {
            "mad" | "madc" | "selp" | "prmt" => 4,
            "shf" => 4,
            "lop3" => 5,
            "setp" if has("and") || has("or") || has("xor") => 4,
            "add" | "addc" | "sub" | "subc" | "mul" | "and" | "or" | "xor" | "shl" | "shr"
            | "min" | "max" | "setp" => 3,
            "mov" | "not" | "neg" | "cvt" | "cvta" | "ld" | "ldu" | "st" => 2,
            _ => return error(statement, "not a known instruction"),
        };
        if operands.len() != wanted {
            return error(statement, "wrong number of operands");
        }
        match name {
            "ld" | "ldu" if has("param") => return self.argument(statement, operands),
            "ld" | "ldu" => return self.load(statement, ty, operands),
            "st" => return self.store(statement, ty, operands),
            "mov" if operands[1].starts_with('{') => {
                let parts = self.vector(statement, &operands[1])?;
                let part_bits = ty.bits / parts.len() as u32;
                return Ok(Operation::Pack {
                    destination: self.register(&operands[0]),
                    parts,
                    part_bits,
                });
            }
            "mov" if operands[0].starts_with('{') => {
                let names = vector_names(&operands[0]);
                let part_bits = ty.bits / names.len() as u32;
                let operand = self.operand(statement, &operands[1])?;
                let destinations = names
                    .iter()
                    .map(|name| (*name != "_").then(|| self.register(name)))
                    .collect();
                return Ok(Operation::Unpack {
                    destinations,
                    operand,
                    part_bits,
                });
            }
            _ => {}
        }
        let sources = operands[1..]
            .iter()
            .map(|operand| self.operand(statement, operand))
            .collect::<Result<Vec<Operand>, ParseError>>()?;
        let destination = self.register(&operands[0]);
        let unary = |operator| Operation::Unary {
            operator,
            ty,
            destination,
            operand: sources[0],
        };
        let binary = |operator| Operation::Binary {
            operator,
            ty,
            destination,
            operands: [sources[0], sources[1]],
        };
        let sum = |sum, carry_in| Operation::Sum {
            sum,
            carry_in,
            carry_out: has("cc"),
            ty,
            destination,
            operands: sources.clone(),
        };
        Ok(match name {
            "add" => sum(Sum::Add, false),
            "addc" => sum(Sum::Add, true),
            "sub" => sum(Sum::Sub, false),
            "subc" => sum(Sum::Sub, true),
            "mad" if has("wide") => Operation::MadWide {
                ty,
                destination,
                operands: [sources[0], sources[1], sources[2]],
            },
            "mad" | "madc" => {
                let half = if has("hi") { Sum::MadHigh } else { Sum::MadLow };
                sum(half, name == "madc")
            }
            "mul" if has("wide") => binary(Binary::MulWide),
            "mul" if has("hi") => binary(Binary::MulHigh),
            "mul" => binary(Binary::MulLow),
            "and" => binary(Binary::And),
            "or" => binary(Binary::Or),
            "xor" => binary(Binary::Xor),
            "shl" => binary(Binary::ShiftLeft),
            "shr" => binary(Binary::ShiftRight),
            "min" => binary(Binary::Min),
            "max" => binary(Binary::Max),
            "mov" | "cvta" => unary(Unary::Move),
            "not" => unary(Unary::Not),
            "neg" => unary(Unary::Negate),
            "cvt" => {
                // The last type is what is converted from, the one before it what to.
                let Some(to) = parts
                    .iter()
                    .rev()
                    .nth(1)
                    .and_then(|name| integer_type(name))
                else {
                    return error(statement, "not a conversion of integers");
                };
                Operation::Unary {
                    operator: Unary::Convert(ty),
                    ty: to,
                    destination,
                    operand: sources[0],
                }
            }
            "lop3" => match sources[3] {
                Operand::Immediate(table) => Operation::Logic3 {
                    destination,
                    operands: [sources[0], sources[1], sources[2]],
                    table: table as u8,
                },
                _ => return error(statement, "the table is not a constant"),
            },
            "shf" => Operation::FunnelShift {
                left: has("l"),
                clamp: has("clamp"),
                destination,
                low: sources[0],
                high: sources[1],
                amount: sources[2],
            },
            "prmt" => Operation::Permute {
                destination,
                operands: [sources[0], sources[1]],
                selector: sources[2],
            },
            "selp" => Operation::Select {
                ty,
                destination,
                operands: [sources[0], sources[1]],
                predicate: sources[2],
            },
            "setp" => self.compare(statement, &parts, ty, destination, &sources)?,
            _ => return error(statement, "not a known instruction"),
        })
    }

    fn compare(
        &self,
        statement: &str,
        parts: &[&str],
        ty: Type,
        destination: Register,
        sources: &[Operand],
    ) -> Result<Operation, ParseError> {
        let comparison = match parts[1] {
            "eq" => Comparison::Equal,
            "ne" => Comparison::NotEqual,
            "lt" | "lo" => Comparison::Less,
            "le" | "ls" => Comparison::LessOrEqual,
            "gt" | "hi" => Comparison::Greater,
            "ge" | "hs" => Comparison::GreaterOrEqual,
            _ => return error(statement, "not a known comparison"),
        };
        let combine = match (parts[2], sources) {
            ("and", [_, _, other]) => Some((Binary::And, *other)),
            ("or", [_, _, other]) => Some((Binary::Or, *other)),
            ("xor", [_, _, other]) => Some((Binary::Xor, *other)),
            _ => None,
        };
        Ok(Operation::Compare {
            comparison,
            ty,
            destination,
            operands: [sources[0], sources[1]],
            combine,
        })
    }

    fn argument(&mut self, statement: &str, operands: &[String]) -> Result<Operation, ParseError> {
        let name = operands[1].trim_matches(['[', ']']);
        match self.parameters.iter().position(|known| known == name) {
            Some(index) => Ok(Operation::Argument {
                destination: self.register(&operands[0]),
                index,
            }),
            None => error(statement, "no such parameter"),
        }
    }

    fn load(
        &mut self,
        statement: &str,
        ty: Type,
        operands: &[String],
    ) -> Result<Operation, ParseError> {
        let address = self.address(statement, &operands[1])?;
        let destinations = vector_names(&operands[0])
            .iter()
            .map(|name| self.register(name))
            .collect();
        Ok(Operation::Load {
            ty,
            destinations,
            address,
        })
    }

    fn store(
        &mut self,
        statement: &str,
        ty: Type,
        operands: &[String],
    ) -> Result<Operation, ParseError> {
        Ok(Operation::Store {
            ty,
            address: self.address(statement, &operands[0])?,
            values: self.vector(statement, &operands[1])?,
        })
    }

    /// `[%rd1+8]`.
    fn address(&mut self, statement: &str, text: &str) -> Result<Address, ParseError> {
        let inner = text.trim_matches(['[', ']']);
        let (base, offset) = match inner.split_once('+') {
            Some((base, offset)) => (base, offset.parse().ok()),
            None => (inner, Some(0)),
        };
        match offset {
            Some(offset) => Ok(Address {
                base: self.operand(statement, base)?,
                offset,
            }),
            None => error(statement, "not an address"),
        }
    }

    fn vector(&mut self, statement: &str, text: &str) -> Result<Vec<Operand>, ParseError> {
        vector_names(text)
            .iter()
            .map(|name| self.operand(statement, name))
            .collect()
    }

    fn operand(&mut self, statement: &str, text: &str) -> Result<Operand, ParseError> {
        if let Some(value) = immediate(text) {
            return Ok(Operand::Immediate(value));
        }
        let special = match text {
            "%tid.x" => Some(Special::ThreadIndex),
            "%ctaid.x" => Some(Special::BlockIndex),
            "%ntid.x" => Some(Special::BlockSize),
            "%tid.y" | "%tid.z" | "%ctaid.y" | "%ctaid.z" => Some(Special::Zero),
            "%ntid.y" | "%ntid.z" => Some(Special::One),
            _ => None,
        };
        if let Some(special) = special {
            return Ok(Operand::Special(special));
        }
        if let Some(index) = self.symbols.iter().position(|symbol| symbol.name == text) {
            return Ok(Operand::Symbol(index));
        }
        // Registers of assembly blocks need no `%`.
        let plain = text.trim_start_matches('%');
        let is_name = !plain.is_empty()
            && plain
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "_$".contains(character));
        if is_name {
            Ok(Operand::Register(self.register(text)))
        } else {
            error(statement, "not an operand")
        }
    }

    fn register(&mut self, name: &str) -> Register {
        if let Some(register) = self.registers.get(name) {
            return *register;
        }
        let register = self.names.len();
        self.names.push(name.to_owned());
        self.registers.insert(name.to_owned(), register);
        register
    }
}

/// Splits at commas outside of braces.
fn split_operands(text: &str) -> Vec<String> {
    let mut operands = Vec::new();
    let mut current = String::new();
    let mut depth = 0;
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        match character {
            ',' if depth == 0 => operands.push(std::mem::take(&mut current)),
            _ => {
                depth += match character {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                current.push(character);
            }
        }
    }
    if !current.is_empty() {
        operands.push(current);
    }
    operands
}

/// `{a,b}`, or one name alone.
fn vector_names(text: &str) -> Vec<&str> {
    text.trim_matches(['{', '}']).split(',').collect()
}

/// `u32`, `s64`, `b8`, `pred` and so on.
fn integer_type(name: &str) -> Option<Type> {
    if name == "pred" {
        return Some(Type {
            bits: 1,
            signed: false,
        });
    }
    let signed = name.starts_with('s');
    let bits = name.strip_prefix(['b', 'u', 's'])?.parse().ok()?;
    matches!(bits, 8 | 16 | 32 | 64).then_some(Type { bits, signed })
}

/// Decimal or hexadecimal, perhaps negative or with the suffix `U`.
fn immediate(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let value = if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex, 16).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}
