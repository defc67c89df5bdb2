//! The interpreter on small programs with known results.

use super::machine::Reason;
use super::{Fault, Memory, Module};

/// Runs `body` on 16-byte aligned words `input` at `[%in]`; returns `count` words at `[%out]`.
fn run(body: &str, input: &[u32], count: usize) -> Result<Vec<u32>, Fault> {
    let text = format!(
        ".version 9.0\n.target sm_86\n.address_size 64\n\
         .global .align 4 .u32 table[4] = {{10, 20, 30, 40}};\n\
         .visible .entry test(\n.param .u64 .ptr .align 1 test_param_0,\n.param .u64 test_param_1\n)\n\
         {{\n.reg .b32 %r<9>;\n\
         ld.param.u64 %out, [test_param_0];\nld.param.u64 %in, [test_param_1]; // both\n\
         {body}\nret;\n}}\n"
    );
    let module = Module::parse(&text).expect("understood");
    let mut memory = Memory::new();
    let output_address = memory.allocate(4 * count, 16);
    let input_address = memory.allocate(4 * input.len(), 16);
    memory.write_words(input_address, input);
    module.kernels["test"].run(&mut memory, &[output_address, input_address])?;
    Ok(memory.read_words(output_address, count))
}

/// Runs a body that computes `%r` from `%a`, `%b` and `%c`.
fn word(body: &str, input: [u32; 3]) -> u32 {
    let body = format!(
        "ld.global.u32 %a, [%in]; ld.global.u32 %b, [%in+4]; ld.global.u32 %c, [%in+8];\n\
         {body}\nst.global.u32 [%out], %r;"
    );
    run(&body, &input, 1).expect("runs")[0]
}

fn reason(body: &str) -> Reason {
    run(body, &[1, 2, 3, 4], 4).expect_err("refused").reason
}

const MAX: u32 = u32::MAX;

#[test]
fn additions_carry() {
    let chain = "add.cc.u32 %x, %a, %b; addc.cc.u32 %y, %c, %a; addc.u32 %r, 0, 0;";
    assert_eq!(word(chain, [MAX, 1, 0]), 1);
    assert_eq!(word(chain, [MAX, 0, 0]), 0);
    assert_eq!(word(chain, [MAX, 0, 1]), 1);
    assert_eq!(
        word("add.cc.u32 %x, %a, %b; addc.u32 %r, %c, 5;", [MAX, 1, 7]),
        13
    );
    // An addition without `.cc` leaves the flag alone.
    let between = "add.cc.u32 %x, %a, %b; add.u32 %y, %a, %a; addc.u32 %r, 0, 0;";
    assert_eq!(word(between, [MAX, 1, 0]), 1);
}

#[test]
fn subtractions_borrow() {
    let chain = "sub.cc.u32 %x, %a, %b; subc.u32 %r, %c, 0;";
    assert_eq!(word(chain, [1, 2, 9]), 8);
    assert_eq!(word(chain, [2, 2, 9]), 9);
    assert_eq!(
        word("sub.cc.u32 %x, %a, %b; subc.u32 %r, 0, 0;", [1, 2, 0]),
        MAX
    );
    // The borrow of a zero difference with a borrow coming in.
    let equal = "sub.cc.u32 %x, 0, 1; subc.cc.u32 %y, %a, %b; subc.u32 %r, %c, 0;";
    assert_eq!(word(equal, [4, 4, 9]), 8);
}

#[test]
fn products_carry_both_halves() {
    let all = [MAX, MAX, MAX];
    // (2^32 - 1)^2 = 2^64 - 2^33 + 1: the low word is 1, the high word 2^32 - 2.
    assert_eq!(word("mul.lo.u32 %r, %a, %b;", all), 1);
    assert_eq!(word("mul.hi.u32 %r, %a, %b;", all), MAX - 1);
    assert_eq!(word("mad.lo.u32 %r, %a, %b, 5;", all), 6);
    let low = "mad.lo.cc.u32 %x, %a, %b, %c; addc.u32 %r, 0, 0;";
    assert_eq!(word(low, all), 1);
    let high = "add.cc.u32 %x, %a, 1; madc.hi.cc.u32 %y, %a, %b, 1; addc.u32 %r, 0, %y;";
    // High word 2^32 - 2, plus 1, plus the carry: 0 with a carry.
    assert_eq!(word(high, all), 1);
    let wide = "mul.wide.u32 %w, %a, %b; mad.wide.u32 %w, %a, %b, %w; \
                mov.b64 { %l, %r }, %w;";
    assert_eq!(word(wide, all), MAX - 3);
    assert_eq!(word("mul.hi.s32 %r, %a, %b;", [MAX, 1, 0]), MAX);
}

#[test]
fn words_move_and_combine() {
    let pack = "mov.b64 %w, {%a, %b}; shr.u64 %w, %w, 16; cvt.u32.u64 %r, %w;";
    assert_eq!(word(pack, [0xaaaa_bbbb, 0xcccc_dddd, 0]), 0xdddd_aaaa);
    let unpack = "mov.b64 %w, {%a, %b}; mov.b64 {_, %r}, %w;";
    assert_eq!(word(unpack, [1, 2, 0]), 2);
    assert_eq!(
        word("shf.l.wrap.b32 %r, %a, %b, 4;", [0xf000_0000, 1, 0]),
        0x1f
    );
    assert_eq!(
        word("shf.r.wrap.b32 %r, %a, %b, 4;", [0x10, 3, 0]),
        0x3000_0001
    );
    assert_eq!(word("shf.l.clamp.b32 %r, %a, %b, %c;", [5, 1, 40]), 5);
    assert_eq!(word("shl.b32 %r, %a, %b;", [1, 32, 0]), 0);
    assert_eq!(word("shr.s32 %r, %a, 31;", [1 << 31, 0, 0]), MAX);
    assert_eq!(
        word(
            "prmt.b32 %r, %a, %b, 0x5410;",
            [0x1111_2222, 0x3333_4444, 0]
        ),
        0x4444_2222
    );
    // The table of a ? b : c.
    assert_eq!(
        word("lop3.b32 %r, %a, %b, %c, 0xca;", [0xff, 0x1234, 0x5678]),
        0x5634
    );
    assert_eq!(word("not.b32 %r, %a;", [0, 0, 0]), MAX);
    assert_eq!(word("neg.s32 %r, %a;", [1, 0, 0]), MAX);
    assert_eq!(
        word(
            "cvt.s64.s32 %w, %a; shr.u64 %w, %w, 32; cvt.u32.u64 %r, %w;",
            [MAX, 0, 0]
        ),
        MAX
    );
}

#[test]
fn predicates_choose() {
    let less = "setp.lt.u32 %p, %a, %b; selp.b32 %r, 10, 20, %p;";
    assert_eq!(word(less, [1, MAX, 0]), 10);
    let signed = "setp.lt.s32 %p, %a, %b; selp.b32 %r, 10, 20, %p;";
    assert_eq!(word(signed, [1, MAX, 0]), 20);
    let both = "setp.eq.u32 %p, %a, 1; setp.ne.and.u32 %q, %b, 2, %p; selp.b32 %r, 1, 0, %q;";
    assert_eq!(word(both, [1, 3, 0]), 1);
    assert_eq!(word(both, [0, 3, 0]), 0);
    let guarded = "{ .reg .pred p; setp.ne.u32 p, %a, 0; mov.u32 %r, 7; @p add.u32 %r, %r, 1; \
                   @!p add.u32 %r, %r, 2; }";
    assert_eq!(word(guarded, [1, 0, 0]), 8);
    assert_eq!(word(guarded, [0, 0, 0]), 9);
}

#[test]
fn loops_end() {
    let sum = "mov.u32 %r, 0; mov.u32 %i, %a;\n$L__BB0_1:\nadd.u32 %r, %r, %i; \
               add.s32 %i, %i, -1; setp.ne.s32 %p, %i, 0; @%p bra $L__BB0_1;";
    assert_eq!(word(sum, [10, 0, 0]), 55);
}

#[test]
fn memory_is_read_and_written() {
    let copy = "ld.global.v4.u32 {%x, %y, %z, %w}, [%in]; st.global.v2.u32 [%out+8], {%x, %w};";
    assert_eq!(run(copy, &[1, 2, 3, 4], 4).unwrap(), [0, 0, 1, 4]);
    let table = "mov.u64 %t, table; ld.global.u32 %x, [%t+8]; st.global.u32 [%out], %x;";
    assert_eq!(run(table, &[0], 1).unwrap(), [30]);
    let local = ".local .align 16 .b8 depot[32]; mov.b64 %l, depot; st.local.u32 [%l+4], 6; \
                 ld.local.u32 %x, [%l+4]; st.global.u32 [%out], %x;";
    assert_eq!(run(local, &[0], 1).unwrap(), [6]);
}

#[test]
fn what_a_gpu_takes_silently_is_refused() {
    assert_eq!(reason("addc.u32 %x, 1, 1;"), Reason::NoCarry);
    assert_eq!(
        reason("sub.cc.u32 %x, 1, 1; addc.u32 %x, 1, 1;"),
        Reason::NoCarry
    );
    assert_eq!(
        reason("add.cc.u32 %x, 1, 1; subc.u32 %x, 1, 1;"),
        Reason::NoBorrow
    );
    assert_eq!(
        reason("add.u32 %x, %y, 1;"),
        Reason::UndefinedRegister("%y".to_owned())
    );
    assert!(matches!(
        reason("ld.global.v4.u32 {%x, %y, %z, %w}, [%in+4];"),
        Reason::Misaligned { size: 16, .. }
    ));
    assert!(matches!(
        reason("ld.global.u32 %x, [%in+64];"),
        Reason::OutOfBounds { size: 4, .. }
    ));
}

#[test]
fn what_is_not_known_is_an_error() {
    for statement in [
        "vote.all.pred %p, %q",
        "add.f32 %f, %f, %f",
        "add.u32 %x, 1",
        "bra nowhere",
        "ld.param.u64 %x, [other]",
    ] {
        let text = format!(".entry k(.param .u64 k_param_0)\n{{ {statement}; ret; }}");
        assert!(Module::parse(&text).is_err(), "{statement}");
    }
    assert!(Module::parse(".func f() { ret; }").is_err());
}
