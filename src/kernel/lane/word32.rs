//! Fields of up to 32 bits: two elements to a lane.
//!
//! A product is made of the even elements, and another one of the odd elements, each 64 bits. What
//! matters after a reduction is in the high halves of both, from where it is merged.

use super::{Binary, Builder, Isa, Kernel, Merge, Program, Reduction, Unary, Value, Width};

/// A field whose elements are stored in 32 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field32 {
    pub modulus: u32,
    pub reduction: Reduction,
}

impl Field32 {
    /// Below `2^31`: the sum of two elements fits 32 bits, and their difference has a sign.
    pub fn has_spare_bit(self) -> bool {
        self.modulus < 1 << 31
    }

    /// The names of the vectors of a prepared factor.
    pub fn factor_names(self) -> &'static [&'static str] {
        match self.reduction {
            Reduction::Montgomery | Reduction::Canonical => &["b", "b_p_inverse"],
            Reduction::Mersenne { .. } => &["b_shifted"],
        }
    }

    /// What the vectors of a prepared factor are made of: the word `b`, in terms of the element
    /// `b`, and in terms of that word the words in the elements of each vector.
    pub fn factor_words(self) -> (&'static str, Vec<String>) {
        let words = ["b", "b.wrapping_mul(P_INVERSE)"].map(str::to_owned);
        match self.reduction {
            Reduction::Montgomery => ("b.0", words.to_vec()),
            Reduction::Canonical => ("times_r(b)", words.to_vec()),
            Reduction::Mersenne { exponent } => ("b.0", vec![format!("b << {}", 32 - exponent)]),
        }
    }

    /// `p^-1 mod 2^32`.
    pub fn p_inverse(self) -> u32 {
        // Each step doubles the number of bits that are right; p is its own inverse modulo 8.
        (0..4).fold(self.modulus, |x, _| {
            let error = 2u32.wrapping_sub(self.modulus.wrapping_mul(x));
            x.wrapping_mul(error)
        })
    }

    /// `R^exponent mod p`.
    pub fn power_of_r(self, exponent: u32) -> u32 {
        let p = u64::from(self.modulus);
        let r = (1 << 32) % p;
        (0..exponent).fold(1 % p, |power, _| power * r % p) as u32
    }

    /// The powers of R that reductions of canonical elements multiply by.
    pub const POWERS_OF_R: [u32; 4] = [2, 3, 5, 7];

    /// The number of products of two elements whose sum fits 64 bits.
    pub fn products_in_a_lane(self) -> u64 {
        let largest = u64::from(self.modulus) - 1;
        u64::MAX / (largest * largest)
    }

    /// All kernels that slices and packed elements are computed by.
    pub fn kernels(self, isa: Isa) -> Vec<Kernel> {
        let unary = |name, doc: &str, f: fn(&mut Code, Value) -> Value| {
            let mut code = Code::new(self, isa);
            let a = code.b.vector("a");
            let result = f(&mut code, a);
            kernel(name, doc, code.b.finish([result]))
        };
        let binary = |name, doc: &str, f: fn(&mut Code, Value, Value) -> Value| {
            let mut code = Code::new(self, isa);
            let (a, b) = (code.b.vector("a"), code.b.vector("b"));
            let result = f(&mut code, a, b);
            kernel(name, doc, code.b.finish([result]))
        };
        vec![
            binary("add", "`a + b`.", Code::add),
            binary("sub", "`a - b`.", Code::sub),
            binary("mul", "`a b`.", Code::mul),
            unary("neg", "`-a`.", Code::neg),
            unary("double", "`2 a`.", |code, a| code.add(a, a)),
            unary("halve", "`a / 2`.", Code::halve),
            unary("square", "`a^2`.", |code, a| code.mul(a, a)),
            unary("exp3", "`a^3`.", |code, a| code.power(a, 3)),
            unary("exp5", "`a^5`.", |code, a| code.power(a, 5)),
            unary("exp7", "`a^7`.", |code, a| code.power(a, 7)),
            self.mul_by(isa),
            self.butterfly_dif(isa, false),
            self.butterfly_dif(isa, true),
            unary(
                "one_for_zero",
                "`a`, but 1 where it is 0.",
                Code::one_for_zero,
            ),
            binary("zero_with", "`a`, but 0 where `b` is 0.", Code::zero_with),
            self.terms(isa),
        ]
    }

    fn mul_by(self, isa: Isa) -> Kernel {
        let mut code = Code::new(self, isa);
        let a = code.b.vector("a");
        let factor = code.b.factor(self.factor_names());
        let a = code.operand(a);
        let result = code.mul_by(&a, &factor);
        let doc = "`a b`, for any `a` below `2^32` in Montgomery form.";
        let doc = if self.reduction == Reduction::Montgomery {
            doc
        } else {
            "`a b`."
        };
        kernel("mul_by", doc, code.b.finish([result]))
    }

    fn butterfly_dif(self, isa: Isa, prepared: bool) -> Kernel {
        let mut code = Code::new(self, isa);
        let (x, y) = (code.b.vector("x"), code.b.vector("y"));
        let doc = "`(x + y, (x - y) w)`.";
        if prepared {
            let factor = code.b.factor(self.factor_names());
            let sum = code.add(x, y);
            let difference = code.lazy_sub(x, y);
            let product = code.mul_by(&difference, &factor);
            let doc = "`(x + y, (x - y) b)`.";
            return kernel("butterfly_dif_by", doc, code.b.finish([sum, product]));
        }
        let w = code.b.vector("w");
        let sum = code.add(x, y);
        let difference = code.lazy_sub(x, y);
        let w = code.operand(w);
        let products = code.products(&difference, &w);
        let product = code.reduced(products);
        kernel("butterfly_dif", doc, code.b.finish([sum, product]))
    }

    /// What an inner product adds up, in lanes of 64 bits.
    fn terms(self, isa: Isa) -> Kernel {
        let mut b = Builder::new(isa, Width::W32);
        let (x, y) = (b.vector("a"), b.vector("b"));
        let even = b.mul_even("even", x, y);
        let x_odd = b.odd_to_even("a_odd", x);
        let y_odd = b.odd_to_even("b_odd", y);
        let odd = b.mul_even("odd", x_odd, y_odd);
        if self.products_in_a_lane() < 2 {
            let doc = "The products of the even and of the odd elements, at most `(p - 1)^2`.";
            return kernel("terms", doc, b.finish([even, odd]));
        }
        let both = b.wide_binary("both", Binary::Add, even, odd);
        let doc = "The products of the even and of the odd elements, added: at most `2 (p - 1)^2`.";
        kernel("terms", doc, b.finish([both]))
    }
}

fn kernel(name: &'static str, doc: &str, program: Program) -> Kernel {
    Kernel {
        name,
        doc: vec![doc.to_owned()],
        program,
    }
}

/// What a product takes: an element of every half of a lane, moved to an even place.
#[derive(Clone, Copy)]
struct Operand {
    /// All elements, if they are stored as they are.
    whole: Option<Value>,
    even: Value,
    odd: Value,
    /// From -p up and below p as signed numbers, instead of canonical.
    signed: bool,
    /// It stands for its value times `R^-deficit`.
    deficit: u32,
}

/// Products of even and of odd elements, not reduced.
struct Products {
    even: Value,
    odd: Value,
    /// Their products with `p^-1`, of which only the low halves matter.
    quotients: Option<(Value, Value)>,
    signed: bool,
    /// Of what Montgomery's reduction makes of them.
    deficit: u32,
}

/// Builds one kernel.
struct Code {
    b: Builder,
    field: Field32,
}

impl Code {
    fn new(field: Field32, isa: Isa) -> Code {
        Code {
            b: Builder::new(isa, Width::W32),
            field,
        }
    }

    fn p(&mut self) -> Value {
        self.b.splat("p", "P", self.field.modulus.into())
    }

    fn zero(&mut self) -> Value {
        self.b.splat("zero", "0", 0)
    }

    /// The same word in every element.
    fn splat(&mut self, name: &str, text: &str, word: u32) -> Value {
        self.b.splat(name, text, word.into())
    }

    fn add(&mut self, x: Value, y: Value) -> Value {
        let p = self.p();
        if self.field.has_spare_bit() {
            self.b.note(
                "Below 2 p < 2^32; below p, subtracting p wraps around p, to more than it was.",
            );
            let sum = self.b.add("sum", x, y);
            let reduced = self.b.sub("reduced", sum, p);
            return self.b.min("result", sum, reduced);
        }
        self.b
            .note("x + y can leave the word; x - (p - y) is negative exactly where it is below p.");
        let complement = self.b.sub("complement", p, y);
        self.modular_difference(x, complement)
    }

    fn sub(&mut self, x: Value, y: Value) -> Value {
        if self.field.has_spare_bit() {
            let difference = self.b.sub("difference", x, y);
            return self.corrected(difference);
        }
        self.modular_difference(x, y)
    }

    /// Adds p where a difference from -p up and below p is negative. With a spare bit.
    fn corrected(&mut self, difference: Value) -> Value {
        let p = self.p();
        self.b
            .note("Below 0 it has wrapped around, and adding p makes it smaller, as nowhere else.");
        let plus_p = self.b.add("plus_p", difference, p);
        self.b.min("result", difference, plus_p)
    }

    /// `x - y`, plus p where that is negative, for `x` below p and `y` up to p. Of any modulus.
    fn modular_difference(&mut self, x: Value, y: Value) -> Value {
        let p = self.p();
        match self.b.isa() {
            Isa::Avx512 => {
                let negative = self.b.less("negative", x, y);
                let difference = self.b.sub("difference", x, y);
                self.b.add_where("result", negative, difference, p)
            }
            Isa::Avx2 => {
                // There is no unsigned comparison but by the maximum.
                let larger = self.b.binary("larger", Binary::Max, x, y);
                let not_negative = self.b.binary("not_negative", Binary::Equal, larger, x);
                let difference = self.b.sub("difference", x, y);
                let correction = self.b.binary("correction", Binary::AndNot, not_negative, p);
                self.b.add("result", difference, correction)
            }
        }
    }

    fn neg(&mut self, x: Value) -> Value {
        let p = self.p();
        match self.b.isa() {
            Isa::Avx512 => {
                let nonzero = self.b.test("nonzero", x, x);
                self.b.sub_or_zero("result", nonzero, p, x)
            }
            Isa::Avx2 => {
                let complement = self.b.sub("complement", p, x);
                self.zero_where_zero(complement, x)
            }
        }
    }

    fn zero_where_zero(&mut self, x: Value, y: Value) -> Value {
        let zero = self.zero();
        match self.b.isa() {
            Isa::Avx512 => {
                let nonzero = self.b.test("nonzero", y, y);
                self.b.choose("result", nonzero, x, zero)
            }
            Isa::Avx2 => {
                let is_zero = self.b.binary("is_zero", Binary::Equal, y, zero);
                self.b.binary("result", Binary::AndNot, is_zero, x)
            }
        }
    }

    fn zero_with(&mut self, x: Value, y: Value) -> Value {
        self.zero_where_zero(x, y)
    }

    fn one_for_zero(&mut self, x: Value) -> Value {
        let one = match self.field.reduction {
            Reduction::Montgomery => self.field.power_of_r(1),
            Reduction::Canonical | Reduction::Mersenne { .. } => 1,
        };
        let one = self.splat("one", "Element::ONE.0", one);
        match self.b.isa() {
            Isa::Avx512 => {
                let nonzero = self.b.test("nonzero", x, x);
                self.b.choose("result", nonzero, x, one)
            }
            Isa::Avx2 => {
                let zero = self.zero();
                let is_zero = self.b.binary("is_zero", Binary::Equal, x, zero);
                let replacement = self.b.binary("replacement", Binary::And, is_zero, one);
                self.b.add("result", x, replacement)
            }
        }
    }

    /// Half of `x`, or of `x + p` where `x` is odd.
    fn halve(&mut self, x: Value) -> Value {
        let one = self.splat("one", "1", 1);
        let half_of_one = self.field.modulus / 2 + 1;
        let half_of_one = self.splat("half_of_one", "P / 2 + 1", half_of_one);
        let shifted = self.b.unary("shifted", Unary::ShiftRight(1), x);
        match self.b.isa() {
            Isa::Avx512 => {
                let is_odd = self.b.test("is_odd", x, one);
                self.b.add_where("result", is_odd, shifted, half_of_one)
            }
            Isa::Avx2 => {
                let lowest_bit = self.b.binary("lowest_bit", Binary::And, x, one);
                let is_odd = self.b.binary("is_odd", Binary::Equal, lowest_bit, one);
                let rest = self.b.binary("rest", Binary::And, is_odd, half_of_one);
                self.b.add("result", shifted, rest)
            }
        }
    }

    fn operand(&mut self, x: Value) -> Operand {
        let odd = self.b.odd_to_even("odd_elements", x);
        Operand {
            whole: Some(x),
            even: x,
            odd,
            signed: false,
            deficit: 0,
        }
    }

    /// `x - y` for a product, not reduced where signed products are right for it.
    fn lazy_sub(&mut self, x: Value, y: Value) -> Operand {
        let takes_signed = !matches!(self.field.reduction, Reduction::Mersenne { .. });
        if self.field.has_spare_bit() && takes_signed {
            let difference = self.b.sub("difference", x, y);
            let mut operand = self.operand(difference);
            operand.signed = true;
            return operand;
        }
        let difference = self.sub(x, y);
        self.operand(difference)
    }

    fn mul(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.operand(x), self.operand(y));
        let products = self.products(&x, &y);
        self.reduced(products)
    }

    /// Powers, in which no result but the last is canonical where that can be spared.
    fn power(&mut self, x: Value, exponent: u32) -> Value {
        let x = self.operand(x);
        let squares = self.products(&x, &x);
        if exponent == 3 {
            let square = self.lazy(squares);
            let products = self.products(&square, &x);
            return self.reduced(products);
        }
        let square = self.lazy(squares);
        let fourths = self.products(&square, &square);
        let fourth = self.lazy(fourths);
        let rest = if exponent == 5 {
            x
        } else {
            let cubes = self.products(&square, &x);
            self.lazy(cubes)
        };
        let products = self.products(&fourth, &rest);
        self.reduced(products)
    }

    fn multiply(&mut self, name: &str, signed: bool, x: Value, y: Value) -> Value {
        let op = if signed {
            Binary::MulEvenSigned
        } else {
            Binary::MulEven
        };
        self.b.wide_binary(name, op, x, y)
    }

    fn products(&mut self, x: &Operand, y: &Operand) -> Products {
        let (mut x_even, mut x_odd) = (x.even, x.odd);
        if let Reduction::Mersenne { exponent } = self.field.reduction {
            // Then the bits from 2^exponent on are the high half of the product.
            let x = x.whole.expect("products of canonical elements");
            let shifted = self.b.unary("shifted", Unary::ShiftLeft(32 - exponent), x);
            x_even = shifted;
            x_odd = self.b.odd_to_even("shifted_odd", shifted);
        }
        let signed = x.signed || y.signed;
        Products {
            odd: self.multiply("odd", signed, x_odd, y.odd),
            even: self.multiply("even", signed, x_even, y.even),
            quotients: None,
            signed,
            deficit: x.deficit + y.deficit + 1,
        }
    }

    /// The product with a prepared factor. The quotients do not wait for the products.
    fn mul_by(&mut self, x: &Operand, factor: &[Value]) -> Value {
        let products = Products {
            odd: self.multiply("odd", x.signed, x.odd, factor[0]),
            even: self.multiply("even", x.signed, x.even, factor[0]),
            quotients: factor.get(1).map(|&b_p_inverse| {
                let odd = self.b.mul_even("odd_q", x.odd, b_p_inverse);
                (self.b.mul_even("even_q", x.even, b_p_inverse), odd)
            }),
            signed: x.signed,
            deficit: x.deficit,
        };
        self.once_reduced(products)
    }

    /// Products as one canonical element each.
    fn reduced(&mut self, products: Products) -> Value {
        if self.field.reduction != Reduction::Canonical {
            return self.once_reduced(products);
        }
        // What divisions by R have taken away is given back by another one.
        let power = products.deficit + 1;
        let x = self.lazy(products);
        let r = self.field.power_of_r(power);
        let r_inverse = r.wrapping_mul(self.field.p_inverse());
        let (text, inverse_text) = (format!("R{power}"), format!("R{power}_P_INVERSE"));
        let r = self.splat("r_power", &text, r);
        let r_inverse = self.splat("r_power_p_inverse", &inverse_text, r_inverse);
        let (r, r_inverse) = (self.b.hide(r), self.b.hide(r_inverse));
        self.mul_by(&x, &[r, r_inverse])
    }

    /// Products by one reduction: canonical.
    fn once_reduced(&mut self, products: Products) -> Value {
        if let Reduction::Mersenne { exponent } = self.field.reduction {
            return self.folded(&products, exponent);
        }
        let (even, odd) = (products.even, products.odd);
        let (even_qp, odd_qp) = self.multiples(&products);
        if !self.field.has_spare_bit() {
            self.b.note(
                "The low halves are equal: the quotients are the differences of the high halves.",
            );
            let high = self.merge_odd("high", even, odd);
            let high_qp = self.merge_odd("high_multiple", even_qp, odd_qp);
            return self.modular_difference(high, high_qp);
        }
        self.b.note(
            "The low halves are equal: the quotients are the differences of the high halves.",
        );
        let even = self.b.sub("even_difference", even, even_qp);
        let even = self.b.odd_to_even("even_quotient", even);
        let difference = match self.b.isa() {
            Isa::Avx512 => {
                let even = self.b.hide(even);
                self.b.sub_odd("quotient", even, odd, odd_qp)
            }
            Isa::Avx2 => {
                let odd = self.b.sub("odd_quotient", odd, odd_qp);
                self.b.merge("quotient", Merge::Blend, even, odd)
            }
        };
        self.corrected(difference)
    }

    /// Products as operands of further ones, as little reduced as that allows.
    fn lazy(&mut self, products: Products) -> Operand {
        let deficit = products.deficit;
        let is_mersenne = matches!(self.field.reduction, Reduction::Mersenne { .. });
        if is_mersenne || !self.field.has_spare_bit() {
            let value = self.once_reduced(products);
            let operand = self.operand(value);
            return Operand { deficit, ..operand };
        }
        let (even_qp, odd_qp) = self.multiples(&products);
        self.b
            .note("In the high halves are quotients from -p up and below p.");
        let even = self.b.sub("even_difference", products.even, even_qp);
        let odd = self.b.sub("odd_difference", products.odd, odd_qp);
        Operand {
            whole: None,
            even: self.b.odd_to_even("even_quotient", even),
            odd: self.b.odd_to_even("odd_quotient", odd),
            signed: true,
            deficit,
        }
    }

    /// The multiples of p that have the same low halves as the products.
    fn multiples(&mut self, products: &Products) -> (Value, Value) {
        let (even_q, odd_q) = match products.quotients {
            Some(quotients) => quotients,
            None => {
                let p_inverse = self.field.p_inverse();
                let p_inverse = self.splat("p_inverse", "P_INVERSE", p_inverse);
                let p_inverse = self.hidden_constant(p_inverse);
                let odd = self.b.mul_even("odd_q", products.odd, p_inverse);
                (self.b.mul_even("even_q", products.even, p_inverse), odd)
            }
        };
        let p = self.p();
        let p = self.hidden_constant(p);
        let (even_q, odd_q) = (self.b.hide(even_q), self.b.hide(odd_q));
        (
            self.multiply("even_multiple", products.signed, even_q, p),
            self.multiply("odd_multiple", products.signed, odd_q, p),
        )
    }

    /// As [`Builder::hide`], but once for each constant.
    fn hidden_constant(&mut self, x: Value) -> Value {
        self.b.hide_once(x)
    }

    /// The odd halves of both, those of `even` in the even places.
    fn merge_odd(&mut self, name: &str, even: Value, odd: Value) -> Value {
        match self.b.isa() {
            Isa::Avx512 => self.b.merge(name, Merge::OddToEven, even, odd),
            Isa::Avx2 => {
                let even = self.b.odd_to_even("moved", even);
                self.b.merge(name, Merge::Blend, even, odd)
            }
        }
    }

    /// `2^exponent = 1`, and the high halves of the products begin there.
    fn folded(&mut self, products: &Products, exponent: u32) -> Value {
        let p = self.p();
        let (even, odd) = (products.even, products.odd);
        let high = self.merge_odd("high", even, odd);
        let low = match self.b.isa() {
            Isa::Avx512 => self.b.merge("low_shifted", Merge::EvenToOdd, even, odd),
            Isa::Avx2 => {
                let odd = self.b.even_to_odd("moved", odd);
                self.b.merge("low_shifted", Merge::Blend, even, odd)
            }
        };
        let low = self.b.unary("low", Unary::ShiftRight(32 - exponent), low);
        self.b
            .note("At most 2 p - 2; below p, subtracting p wraps around to more than it was.");
        let sum = self.b.add("sum", low, high);
        let reduced = self.b.sub("reduced", sum, p);
        self.b.min("result", sum, reduced)
    }
}
