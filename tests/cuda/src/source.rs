//! The C++ around a generated header: one function per operation, run from a file on the host and
//! as one kernel each on the device.

use std::fmt::Write;

use crate::field::Field;
use crate::operation::{Kind, OPERATIONS, Operation};

const OPERANDS: [&str; 4] = ["a", "b", "c", "d"];
const RESULTS: [&str; 5] = ["x", "y", "z", "u", "v"];

/// Reads operands from memory and writes results to memory, so that nothing is known to the
/// compiler.
const PRELUDE: &str = r#"
using fieldgen::u32;
using namespace fieldgen::FIELD;

FIELDGEN_FUNCTION void get(const u32* from, u32& to) { to = *from; }
FIELDGEN_FUNCTION void put(u32* to, u32 from) { *to = from; }
FIELDGEN_FUNCTION void get(const u32* from, element& to) { to = element::load(from); }
FIELDGEN_FUNCTION void put(u32* to, const element& from) { from.store(to); }
template <typename Words>
FIELDGEN_FUNCTION void get(const u32* from, Words& to) {
  for (u32 i = 0; i < sizeof(Words) / sizeof(u32); ++i) to.limbs[i] = from[i];
}
template <typename Words>
FIELDGEN_FUNCTION void put(u32* to, const Words& from) {
  for (u32 i = 0; i < sizeof(Words) / sizeof(u32); ++i) to[i] = from.limbs[i];
}
template <typename E>
FIELDGEN_FUNCTION auto generator_or_nonresidue(const E&, int) -> decltype(E::generator()) {
  return E::generator();
}
template <typename E>
FIELDGEN_FUNCTION E generator_or_nonresidue(const E&, long) { return E::nonresidue(); }
"#;

/// The name of the header, the field's namespace, and the operations as functions.
fn operations(field: &Field) -> String {
    let mut text = format!("#include \"{}.cuh\"\n", field.name);
    text.push_str(&PRELUDE.replace("FIELD;", &format!("{};", field.name)));
    for operation in OPERATIONS {
        function(&mut text, field, operation);
    }
    text
}

fn function(text: &mut String, field: &Field, operation: &Operation) {
    let name = operation.name;
    let input = if operation.operands.is_empty() {
        ""
    } else {
        " in"
    };
    writeln!(
        text,
        "FIELDGEN_FUNCTION void run_{name}(u32* out, const u32*{input}) {{"
    )
    .expect("text");
    let each = |text: &mut String, kinds: &[Kind], names: &[&str], memory, verb: Option<&str>| {
        let mut offset = 0;
        for (kind, name) in kinds.iter().zip(names) {
            match verb {
                None => writeln!(text, "  {} {name};", kind.cpp()),
                Some(verb) => writeln!(text, "  {verb}({memory} + {offset}, {name});"),
            }
            .expect("text");
            offset += kind.slot(field);
        }
    };
    each(text, operation.operands, &OPERANDS, "in", None);
    each(text, operation.operands, &OPERANDS, "in", Some("get"));
    each(text, operation.results, &RESULTS, "out", None);
    writeln!(text, "  {}", operation.code).expect("text");
    each(text, operation.results, &RESULTS, "out", Some("put"));
    text.push_str("}\n");
}

/// A program that runs operations on the host. The file named by its argument holds records: the
/// operation's index, how many times, and as many operands; results go to the standard output.
#[must_use]
pub fn host_driver(field: &Field) -> String {
    let mut text = String::from("#include <cstdio>\n#include <vector>\n\n");
    text.push_str(&operations(field));
    text.push_str(
        "
struct operation {
  void (*run)(u32*, const u32*);
  u32 operand_words, result_words;
};

const operation table[] = {
",
    );
    for operation in OPERATIONS {
        let operands = operation.operand_words(field);
        let results = operation.result_words(field);
        writeln!(text, "  {{run_{}, {operands}, {results}}},", operation.name).expect("text");
    }
    text.push_str(
        "};

int main(int, char** arguments) {
  std::FILE* file = std::fopen(arguments[1], \"rb\");
  if (file == nullptr) return 1;
  u32 header[2];
  while (std::fread(header, sizeof(u32), 2, file) == 2) {
    const operation& operation = table[header[0]];
    // The extra words keep the data in the alignment that loads need.
    std::vector<u32> operands(operation.operand_words + 4), results(operation.result_words + 4);
    u32* in = operands.data();
    u32* out = results.data();
    while (reinterpret_cast<unsigned long long>(in) % 16 != 0) ++in;
    while (reinterpret_cast<unsigned long long>(out) % 16 != 0) ++out;
    for (u32 i = 0; i < header[1]; ++i) {
      if (std::fread(in, sizeof(u32), operation.operand_words, file) != operation.operand_words) return 1;
      operation.run(out, in);
      std::fwrite(out, sizeof(u32), operation.result_words, stdout);
    }
  }
  std::fclose(file);
  return 0;
}
",
    );
    text
}

/// One kernel per operation, called as the operation, for one thread.
#[must_use]
pub fn kernels(field: &Field) -> String {
    let mut text = operations(field);
    for operation in OPERATIONS {
        let name = operation.name;
        writeln!(
            text,
            "extern \"C\" __global__ void {name}_kernel(u32* out, const u32* in) {{ run_{name}(out, in); }}"
        )
        .expect("text");
    }
    text
}
