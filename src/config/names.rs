//! Which names a field may have.
//!
//! A field's name becomes two file names, a Rust module, a C++ namespace and, in CamelCase, a Rust
//! type. So it must be an identifier that none of them reserves, and two fields must differ in all
//! of them.

/// Longest name. Lines of generated code grow with it.
pub const MAX_LENGTH: usize = 64;

/// What a name looks like, as a regular expression. Two underscores in a row, and one at either
/// end, are left out because C++ reserves some of them and CamelCase loses them all.
pub const PATTERN: &str = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$";

/// Why a name cannot be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    Empty,
    TooLong,
    /// The text would name a file somewhere else.
    Path,
    /// Not of the shape of [`PATTERN`].
    Shape {
        reason: &'static str,
    },
    /// Means something else already.
    Reserved {
        by: &'static str,
    },
}

/// Whether a field may be called `name`.
pub fn check(name: &str) -> Result<(), Problem> {
    if name.is_empty() {
        return Err(Problem::Empty);
    }
    if name.contains(['/', '\\']) || name.starts_with('.') || name.contains(':') {
        return Err(Problem::Path);
    }
    if let Some(reason) = misshapen(name) {
        return Err(Problem::Shape { reason });
    }
    if name.len() > MAX_LENGTH {
        return Err(Problem::TooLong);
    }
    match RESERVED.iter().find(|(_, words)| words.contains(&name)) {
        Some((by, _)) => Err(Problem::Reserved { by }),
        None => Ok(()),
    }
}

fn misshapen(name: &str) -> Option<&'static str> {
    let ordinary = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.contains(|c: char| c.is_ascii_uppercase()) {
        Some("upper-case letters are for the type, which is named after the field in CamelCase")
    } else if !name.chars().all(ordinary) {
        Some("only the letters a to z, digits and `_` can stand in a name")
    } else if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        Some("the first character must be a letter")
    } else if name.ends_with('_') {
        Some("the last character must be a letter or a digit")
    } else if name.contains("__") {
        Some("C++ reserves names with two underscores in a row")
    } else {
        None
    }
}

/// A permitted name that looks like `name`, if there is one.
pub fn similar(name: &str) -> Option<String> {
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if words.first()?.starts_with(|c: char| c.is_ascii_digit()) {
        words[0].insert(0, 'f');
    }
    let name = words.join("_");
    let prefixed = format!("field_{name}");
    [name, prefixed]
        .into_iter()
        .find(|name| check(name).is_ok())
}

/// The name of the field's type in the generated `mod.rs`: `baby_bear` gives `BabyBear`.
pub fn type_name(name: &str) -> String {
    name.split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|c| c.to_ascii_uppercase());
            first.into_iter().chain(letters)
        })
        .collect()
}

/// All words that mean something else, by what reserves them.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    RESERVED.iter().flat_map(|(_, words)| words.iter().copied())
}

const RESERVED: &[(&str, &[&str])] = &[
    (
        "Rust, where it is a keyword",
        &[
            "abstract",
            "as",
            "async",
            "await",
            "become",
            "box",
            "break",
            "const",
            "continue",
            "crate",
            "do",
            "dyn",
            "else",
            "enum",
            "extern",
            "false",
            "final",
            "fn",
            "for",
            "gen",
            "if",
            "impl",
            "in",
            "let",
            "loop",
            "macro",
            "match",
            "mod",
            "move",
            "mut",
            "override",
            "priv",
            "pub",
            "raw",
            "ref",
            "return",
            "safe",
            "self",
            "static",
            "struct",
            "super",
            "trait",
            "true",
            "try",
            "type",
            "typeof",
            "union",
            "unsafe",
            "unsized",
            "use",
            "virtual",
            "where",
            "while",
            "yield",
            "macro_rules",
        ],
    ),
    (
        "Rust, where it is a built-in type or crate",
        &[
            "bool",
            "char",
            "str",
            "i8",
            "i16",
            "i32",
            "i64",
            "i128",
            "isize",
            "u8",
            "u16",
            "u32",
            "u64",
            "u128",
            "usize",
            "f16",
            "f32",
            "f64",
            "f128",
            "alloc",
            "core",
            "proc_macro",
            "std",
        ],
    ),
    (
        "C++, where it is a keyword",
        &[
            "alignas",
            "alignof",
            "and",
            "and_eq",
            "asm",
            "auto",
            "bitand",
            "bitor",
            "case",
            "catch",
            "char8_t",
            "char16_t",
            "char32_t",
            "class",
            "co_await",
            "co_return",
            "co_yield",
            "compl",
            "concept",
            "consteval",
            "constexpr",
            "constinit",
            "const_cast",
            "contract_assert",
            "decltype",
            "default",
            "delete",
            "double",
            "dynamic_cast",
            "explicit",
            "export",
            "float",
            "friend",
            "goto",
            "import",
            "inline",
            "int",
            "long",
            "module",
            "mutable",
            "namespace",
            "new",
            "noexcept",
            "not",
            "not_eq",
            "nullptr",
            "operator",
            "or",
            "or_eq",
            "private",
            "protected",
            "public",
            "register",
            "reinterpret_cast",
            "requires",
            "restrict",
            "short",
            "signed",
            "sizeof",
            "static_assert",
            "static_cast",
            "switch",
            "template",
            "this",
            "thread_local",
            "throw",
            "typedef",
            "typeid",
            "typename",
            "unsigned",
            "using",
            "void",
            "volatile",
            "wchar_t",
            "xor",
            "xor_eq",
        ],
    ),
    (
        "C++, where common compilers and headers define it",
        &[
            "assert",
            "complex",
            "errno",
            "far",
            "i386",
            "imaginary",
            "interface",
            "linux",
            "main",
            "max",
            "min",
            "near",
            "offsetof",
            "setjmp",
            "small",
            "hyper",
            "stderr",
            "stdin",
            "stdout",
            "unix",
            "va_arg",
            "va_end",
            "va_start",
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "intmax_t",
            "intptr_t",
            "ptrdiff_t",
            "size_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "uintmax_t",
            "uintptr_t",
        ],
    ),
    (
        "CUDA, where it is a built-in type",
        &[
            "char1",
            "char2",
            "char3",
            "char4",
            "dim3",
            "double1",
            "double2",
            "double3",
            "double4",
            "float1",
            "float2",
            "float3",
            "float4",
            "half",
            "half2",
            "int1",
            "int2",
            "int3",
            "int4",
            "long1",
            "long2",
            "long3",
            "long4",
            "longlong1",
            "longlong2",
            "longlong3",
            "longlong4",
            "short1",
            "short2",
            "short3",
            "short4",
            "uchar1",
            "uchar2",
            "uchar3",
            "uchar4",
            "uint1",
            "uint2",
            "uint3",
            "uint4",
            "ulong1",
            "ulong2",
            "ulong3",
            "ulong4",
            "ulonglong1",
            "ulonglong2",
            "ulonglong3",
            "ulonglong4",
            "ushort1",
            "ushort2",
            "ushort3",
            "ushort4",
        ],
    ),
    (
        "Windows, where no file can have that name",
        &[
            "aux", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
            "con", "conin", "conout", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6",
            "lpt7", "lpt8", "lpt9", "nul", "prn",
        ],
    ),
    (
        "fieldgen, for its own files, modules and types",
        &[
            "avx2",
            "avx512",
            "constants",
            "element",
            "fieldgen",
            "fieldgen_word",
            "portable",
            "slice",
            "wide",
            "word",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn problem(name: &str) -> Problem {
        check(name).expect_err(name)
    }

    #[test]
    fn ordinary_names() {
        for name in [
            "a",
            "f_p",
            "baby_bear",
            "ntt_998244353",
            "bn254_fq",
            "p256",
            "m31_2",
        ] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        assert_eq!(check(&"a".repeat(64)), Ok(()));
    }

    #[test]
    fn what_leaves_the_directory_is_a_path() {
        for name in ["../x", "a/b", "/x", "a\\b", ".", "..", ".x", "c:x", "./x"] {
            assert_eq!(problem(name), Problem::Path, "{name}");
        }
    }

    #[test]
    fn what_is_no_identifier() {
        for name in [
            "Foo", "BN254", "a b", "a-b", "a.b", "1a", "_a", "a_", "a__b", "é", "a\0", "a\n", " a",
        ] {
            assert!(matches!(problem(name), Problem::Shape { .. }), "{name:?}");
        }
        assert_eq!(problem(""), Problem::Empty);
        assert_eq!(problem(&"a".repeat(65)), Problem::TooLong);
    }

    #[test]
    fn what_is_reserved() {
        for name in [
            "gen",
            "self",
            "int",
            "and",
            "async",
            "try",
            "u32",
            "std",
            "main",
            "con",
            "com1",
            "uint4",
            "fieldgen",
            "fieldgen_word",
            "slice",
            "mod",
        ] {
            assert!(matches!(problem(name), Problem::Reserved { .. }), "{name}");
        }
    }

    #[test]
    fn reserved_words_are_listed_once_and_have_the_shape_of_names() {
        let mut words: Vec<&str> = reserved().collect();
        for word in &words {
            assert_eq!(misshapen(word), None, "{word}");
        }
        words.sort_unstable();
        let count = words.len();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn similar_names() {
        for (name, expected) in [
            ("Foo", "foo"),
            ("BN254-Fr", "bn254_fr"),
            ("../x", "x"),
            ("a__b_", "a_b"),
            ("31bit", "f31bit"),
            ("int", "field_int"),
            ("naïve field", "na_ve_field"),
        ] {
            assert_eq!(similar(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(similar(""), None);
        assert_eq!(similar("--"), None);
    }

    #[test]
    fn type_names() {
        assert_eq!(type_name("baby_bear"), "BabyBear");
        assert_eq!(type_name("bn254_fq"), "Bn254Fq");
        assert_eq!(type_name("ntt_998244353"), "Ntt998244353");
    }

    proptest! {
        #[test]
        fn similar_names_are_permitted(name in "\\PC{0,80}") {
            if let Some(similar) = similar(&name) {
                prop_assert_eq!(check(&similar), Ok(()));
            }
        }
    }
}
