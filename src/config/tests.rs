//! What is accepted, and what is said about everything else.

use proptest::prelude::*;

use super::*;

fn accepted(text: &str) -> Vec<FieldSpec> {
    match Config::parse("fields.toml", text) {
        Ok(config) => config.fields,
        Err(error) => panic!("{text}\n{error}"),
    }
}

fn refused(text: &str) -> String {
    match Config::parse("fields.toml", text) {
        Ok(config) => panic!("{text}\ngave {:?}", config.fields),
        Err(error) => error.to_string(),
    }
}

/// A complete field with more lines in its table.
fn field(lines: &str) -> String {
    format!("[[field]]\nname = \"f31\"\nmodulus = \"2^31 - 1\"\n{lines}\n")
}

fn named(name: &str) -> String {
    format!("[[field]]\nname = {name}\nmodulus = 7\n")
}

fn modulus(value: &str) -> String {
    format!("[[field]]\nname = \"f\"\nmodulus = {value}\n")
}

#[test]
fn the_least_field() {
    let fields = accepted(&field(""));
    let [field] = fields.as_slice() else {
        panic!("{fields:?}")
    };
    assert_eq!(field.name.value, "f31");
    assert_eq!(field.name.span, 17..22);
    assert_eq!(field.modulus_text, "2^31 - 1");
    assert_eq!(field.modulus.value, BigUint::from((1u32 << 31) - 1));
    assert_eq!(field.targets, None);
    assert_eq!(field.reduction.value, Reduction::Auto);
    assert_eq!(field.generator, None);
    assert_eq!(field.factors, None);
    assert!(field.std);
}

#[test]
fn every_key() {
    let fields = accepted(&field(
        "targets = [\"cuda\", \"rust\", \"avx512\"]\nreduction = 'montgomery'\ngenerator = 7\n\
         factors = [2, \"0x3\", '3 + 4']\nstd = false",
    ));
    let field = &fields[0];
    let targets = field.targets.as_ref().map(|targets| &targets.value);
    let targets: Vec<Target> = targets.into_iter().flatten().map(|t| t.value).collect();
    assert_eq!(targets, [Target::Cuda, Target::Rust, Target::Avx512]);
    assert_eq!(field.reduction.value, Reduction::Montgomery);
    let generator = field.generator.as_ref().map(|generator| &generator.value);
    assert_eq!(generator, Some(&BigUint::from(7u32)));
    let factors = field.factors.as_ref().map(|factors| &factors.value);
    let factors: Vec<String> = factors
        .into_iter()
        .flatten()
        .map(|f| f.value.to_string())
        .collect();
    assert_eq!(factors, ["2", "3", "7"]);
    assert!(!field.std);
}

#[test]
fn defaults_hold_where_a_field_says_nothing() {
    let text = "[[field]]\nname = \"a\"\nmodulus = 3\n[[field]]\nname = \"b\"\nmodulus = 5\n\
                std = true\nreduction = \"auto\"\ntargets = [\"rust\"]\n\
                [defaults]\nstd = false\nreduction = \"barrett\"\ntargets = [\"cuda\"]\n";
    let fields = accepted(text);
    let said: Vec<(bool, Reduction, Target)> = fields
        .iter()
        .map(|f| {
            let targets = f.targets.as_ref().expect("given");
            (f.std, f.reduction.value, targets.value[0].value)
        })
        .collect();
    let a = (false, Reduction::Barrett, Target::Cuda);
    let b = (true, Reduction::Auto, Target::Rust);
    assert_eq!(said, [a, b]);
}

#[test]
fn ways_to_write_a_number() {
    for (value, text, shown) in [
        ("\"2^31 - 1\"", "2^31 - 1", "2147483647"),
        ("' 0x7fff_ffff '", "0x7fff_ffff", "2147483647"),
        ("\"\"\"\n2^31\n  - 1\"\"\"", "2^31 - 1", "2147483647"),
        ("2_147_483_647", "2_147_483_647", "2147483647"),
        ("0x7fff_ffff", "0x7fff_ffff", "2147483647"),
        ("0b101", "0b101", "5"),
        ("+5", "+5", "5"),
        (
            "18446744073709551615",
            "18446744073709551615",
            "18446744073709551615",
        ),
        ("\"\\u0037\"", "7", "7"),
    ] {
        let fields = accepted(&modulus(value));
        assert_eq!(fields[0].modulus_text, text, "{value}");
        assert_eq!(fields[0].modulus.value.to_string(), shown, "{value}");
    }
}

#[test]
fn line_endings_byte_order_mark_and_order_of_keys_change_nothing() {
    let text = include_str!("../../fields.toml");
    let plain = accepted(text);
    assert_eq!(plain.len(), 21);
    let crlf = accepted(&format!("\u{feff}{}", text.replace('\n', "\r\n")));
    let shuffled = accepted("[[field]]\nmodulus = 7\nstd = false\nname = \"a\"\n");
    let sorted = accepted("[[field]]\nname = \"a\"\nmodulus = 7\nstd = false\n");
    for (a, b) in plain.iter().zip(&crlf).chain(sorted.iter().zip(&shuffled)) {
        assert_eq!(a.name.value, b.name.value);
        assert_eq!(a.modulus.value, b.modulus.value);
        assert_eq!(a.modulus_text, b.modulus_text);
        assert_eq!(a.std, b.std);
    }
}

#[test]
fn inline_tables_are_tables() {
    let text = "field = [{ name = 'a', modulus = 7 }, { name = 'b', modulus = 5 }]";
    assert_eq!(accepted(text).len(), 2);
}

/// Snapshots of refusals, one a text.
macro_rules! refusals {
    ($($name:ident: $text:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), refused(&$text));
        }
    )*};
}

refusals! {
    no_fields: "# nothing\n";
    empty_file: "";
    only_defaults: "[defaults]\nstd = false\n";

    unknown_key: field("reductoin = \"auto\"");
    unknown_key_without_neighbour: field("colour = 3");
    unknown_key_with_odd_characters: field("\"a\\u001b[31m\\nb\" = 3");
    unknown_key_in_defaults: "[defaults]\ntarget = [\"rust\"]\n".to_owned() + &field("");
    unknown_top_level_key: "[[fields]]\nname = \"a\"\nmodulus = 7\n";
    field_key_at_top_level: "modulus = 7\n".to_owned() + &field("");
    name_in_defaults: "[defaults]\nname = \"a\"\n".to_owned() + &field("");
    missing_name: "[[field]]\nmodulus = 7\n";
    missing_both: "[[field]]\nstd = true\n\n[[field]]\n";
    missing_modulus_inline: "field = [{ name = 'a' }]\n";
    duplicate_key: field("std = true\nstd = false");
    single_table: "[field]\nname = \"a\"\nmodulus = 7\n";
    field_is_no_table: "field = [1, { name = 'a', modulus = 7 }]";
    field_is_no_list: "field = 7";
    defaults_is_no_table: "defaults = 7\n".to_owned() + &field("");

    wrong_types: "[[field]]\nname = 7\nmodulus = 1.5\ntargets = \"rust\"\nreduction = true\n\
                  generator = [3]\nfactors = 3\nstd = \"true\"\n";
    wrong_types_in_lists: field("targets = [1, \"rust\"]\nfactors = [true, 2]");

    unknown_target: field("targets = [\"rust\", \"cudda\"]");
    target_of_another_kind: field("targets = [\"neon\"]");
    duplicate_target: field("targets = [\"rust\", \"rust\"]");
    no_targets: field("targets = []");
    unknown_reduction: field("reduction = \"Barret\"");

    name_is_empty: named("\"\"");
    name_leaves_the_directory: named("\"../../etc/cron\"");
    name_is_a_path: named("'a/b'");
    name_with_control_characters: named("\"a\\u0000b\"");
    name_is_no_identifier: named("\"31 bit\"");
    name_in_upper_case: named("\"BN254\"");
    name_not_ascii: named("\"körper\"");
    name_too_long: named(&format!("\"{}\"", "ab".repeat(40)));
    name_reserved_in_rust: named("\"gen\"");
    name_reserved_in_cpp: named("\"int\"");
    name_reserved_on_windows: named("\"con\"");
    name_reserved_here: named("\"slice\"");
    names_equal: field("") + "\n\n\n\n\n\n" + &field("");
    names_equal_near: named("\"a\"") + &named("\"a\"") + &named("\"a\"");
    names_bad_and_good: named("\"Foo\"") + &named("\"bar\"") + &named("\"Bar-\"") + &named("\"foo_\"");
    names_differ_in_case: named("\"foo\"") + &named("\"Foo\"");
    names_of_one_type: named("\"foo_1\"") + &named("\"foo1\"");

    expression_empty: modulus("\"\"");
    expression_broken: modulus("\"2^31 - \"");
    expression_division: modulus("\"(2^64 - 1) / 3\"");
    expression_huge: modulus("\"2^999999999\"");
    expression_negative: modulus("\"1 - 2^31\"");
    expression_hexadecimal_without_prefix: modulus("\"30644e72e131a029\"");
    expression_unicode: modulus("\"2^31 − 2^27 + 1\"");
    expression_on_several_lines: modulus("'''\n2^31\n - 2^^27\n + 1'''");
    expression_with_escapes: modulus("\"2^31\\t- 2^^27\"");
    expression_deep: modulus(&format!("\"{}\"", "(".repeat(200)));
    expression_long: modulus(&format!("\"{}\"", "7".repeat(3000)));
    expression_long_and_broken: modulus(&format!("\"0x{}g{}\"", "7f".repeat(500), "7f".repeat(20)));

    unquoted_expression: modulus("2^31 - 1");
    unquoted_nonsense: modulus("2**31 - 1");
    unquoted_in_a_list: field("factors = [2, 3^5, 0x30644e72e131a029b85045b68181585d]");
    unquoted_hexadecimal: modulus("30644e72e131a029b85045b68181585d");
    unquoted_long_integer: modulus(
        "21888242871839275222246405745257275088548364400416034343698204186575808495617"
    );
    unquoted_long_hexadecimal: modulus("0x30644e72e131a029b85045b68181585d2833e848");
    negative_integer: modulus("-7");
    integer_with_leading_zero: modulus("007");

    toml_unclosed_string: modulus("\"2^31 - 1");
    toml_unclosed_header: "[[field]\nname = \"a\"\nmodulus = 7\n";
    toml_no_value: field("std");
    toml_bare_word: field("targets = [rust]\nreduction = auto");
    toml_in_unknown_key: field("colour = red");
    toml_two_headers: field("") + "[field]\n";
    toml_two_defaults: field("") + "[defaults]\n[defaults]\n";
    toml_duplicate_and_more: field("std = true\nstd = 1\ncolour = 3");
    toml_control_character: "[[field]]\nname = \"a\u{7}\"\nmodulus = 7\n";

    crlf_and_byte_order_mark: "\u{feff}[[field]]\r\nname = \"a\"\r\nmodulus = \"2^\"\r\n";
    tabs: "[[field]]\n\tname\t= \"a\"\n\tmodulus\t= \"2^\"\n";
    wide_characters: "field = [{ name = '漢字', modulus = 7, x = 1 }]";
    everything_at_once: "[[field]]\nname = \"int\"\nmodulus = 2^31\nstd = 1\n\n\
                         [[field]]\nname = \"b\"\nmodulus = \"2^31 -\"\nreduction = \"fast\"\n\n\
                         [[field]]\ntargets = [\"gpu\"]\nmodule = 7\n";
}

#[test]
fn too_many_fields() {
    let mut text = String::new();
    for i in 0..=MAX_FIELDS {
        text.push_str(&format!("[[field]]\nname = \"f{i}\"\nmodulus = 7\n"));
    }
    insta::assert_snapshot!("too_many_fields", refused(&text));
}

#[test]
fn too_many_factors() {
    let text = field(&format!("factors = [{}]", "2, ".repeat(5000)));
    insta::assert_snapshot!("too_many_factors", refused(&text));
}

#[test]
fn files() {
    let directory = std::env::temp_dir().join(format!("fieldgen-config-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("temporary directory");
    let refused = |path: &Path| {
        let error = match Config::read_file(path) {
            Ok((config, problems)) => Error::new(config.source, problems),
            Err(error) => error,
        };
        let shown = directory.display().to_string();
        error
            .to_string()
            .replace(&shown, "DIRECTORY")
            .replace('\\', "/")
    };
    let not_utf8 = directory.join("latin1.toml");
    std::fs::write(&not_utf8, b"# first\nname = \"k\xf6rper\"\n").expect("written");
    let good = directory.join("good.toml");
    std::fs::write(&good, field("")).expect("written");
    let bad = directory.join("bad.toml");
    std::fs::write(&bad, named("\"int\"")).expect("written");
    let long = directory.join("long.toml");
    std::fs::write(&long, "#".repeat(MAX_FILE_LENGTH as usize + 1)).expect("written");

    let (config, problems) = Config::read_file(&good).expect("readable");
    assert_eq!((config.fields.len(), problems.len()), (1, 0));
    let said = [
        refused(&directory.join("missing.toml")),
        refused(&directory),
        refused(&not_utf8),
        refused(&long),
        refused(&bad),
    ];
    std::fs::remove_dir_all(&directory).expect("removed");
    insta::assert_snapshot!("files", said.join("\n\n"));
}

#[test]
fn problems_do_not_hide_good_fields() {
    let text = named("\"int\"") + &field("") + "[[field]]\nname = \"b\"\nmodulus = \"2^\"\n";
    let (config, problems) = Config::read("fields.toml", text);
    let names: Vec<&str> = config
        .fields
        .iter()
        .map(|f| f.name.value.as_str())
        .collect();
    assert_eq!(names, ["f31"]);
    assert_eq!(problems.len(), 2);
}

#[test]
fn hostile_texts_have_an_answer() {
    let keys: Vec<String> = (0..3000).map(|i| format!("k{i} = 1\n")).collect();
    for text in [
        "[".repeat(100_000),
        "a.".repeat(10_000) + "b = 1",
        format!("x = {}", "[".repeat(50_000)),
        format!("x = {}", "{ a = ".repeat(10_000)),
        format!("{} = 1", "a".repeat(100_000)),
        "[[field]]\n".repeat(MAX_FIELDS + 1),
        "x = 1\ny = y\n".repeat(2000),
        "[[field]]\nname = a\n".repeat(900),
        keys.concat(),
        modulus(&format!("\"{}1\"", "(3^5000)-".repeat(1800))),
        modulus(&format!("\"{}1\"", "(2^8191)^1*".repeat(1400))),
        modulus(&"9".repeat(100_000)),
        named(&format!("\"{}\"", "a".repeat(100_000))),
    ] {
        let shown = refused(&text);
        assert!(shown.len() < 500_000, "{} bytes", shown.len());
        let longest = shown.lines().map(str::len).max();
        assert!(longest < Some(500), "{longest:?} bytes in a line");
    }
}

#[test]
fn the_default_fields() {
    let names: Vec<String> = accepted(include_str!("../../fields.toml"))
        .into_iter()
        .map(|field| field.name.value)
        .collect();
    insta::assert_snapshot!("default_fields", names.join(" "));
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "\\PC{0,200}") {
        answer(&text);
    }

    #[test]
    fn any_mixture_of_words_has_an_answer(words in prop::collection::vec(word(), 0..40)) {
        answer(&words.concat());
    }
}

/// Accepted or refused, and the refusal can be shown.
fn answer(text: &str) {
    if let Err(error) = Config::parse("fields.toml", text) {
        assert!(error.to_string().starts_with("error["), "{error}");
        assert!(error.render(true).contains("error["));
    }
}

fn word() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "[[field]]\n",
        "[field]\n",
        "[defaults]\n",
        "[[field]]\r\n",
        "field",
        "defaults",
        " = ",
        "\n",
        "\r\n",
        "name = ",
        "modulus = ",
        "targets = ",
        "reduction = ",
        "generator = ",
        "factors = ",
        "std = ",
        "true",
        "false",
        "\"a\"",
        "'b'",
        "\"\"\"",
        "'''",
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "#",
        "\\",
        "7",
        "2^31",
        "0x",
        "1e9",
        "\"2^31 - 1\"",
        "\"rust\"",
        "\u{feff}",
        "é",
        "漢",
        "\t",
        "\0",
        "1979-05-27",
        "inf",
        "-",
        "+",
    ]);
    prop_oneof![4 => fixed.prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}
