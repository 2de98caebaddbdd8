//===- RefusedForms.cpp - Forms of modules that MLIR misreads -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RefusedForms.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace mlirprof;
using namespace mlirprof::module;
using llvm::StringRef;

namespace {

constexpr StringRef kMagic = "ML\xefR";

constexpr StringRef kStableHloExport =
    "export the generic form. JAX: open('model.mlir', 'w').write(jax.jit(f)."
    "lower(*args).compiler_ir('stablehlo').operation.get_asm("
    "enable_debug_info=True, print_generic_op_form=True)). TensorFlow: "
    "open('model.mlir', 'w').write(tf.mlir.experimental.convert_function("
    "f.get_concrete_function(*args), pass_pipeline='tf-standard-pipeline', "
    "show_debug_info=True))";
constexpr StringRef kTensorFlowExport =
    "export another form: open('model.mlir', 'w').write("
    "tf.mlir.experimental.convert_function(f.get_concrete_function(*args), "
    "pass_pipeline='tf-standard-pipeline', show_debug_info=True)), or bytecode "
    "with tf.mlir.experimental.write_bytecode('model.mlirbc', text)";
constexpr StringRef kTorchExport =
    "print the module with print_generic_op_form=True and "
    "enable_debug_info=True, or lower it to linalg first";

/// Reads the layout of MLIR's bytecode (mlir/Bytecode/Encoding.h) as far as the
/// names of dialects and ops. Every read checks for the end; after a failure
/// all reads fail.
class BytecodeScanner {
public:
  explicit BytecodeScanner(StringRef bytes) : rest(bytes) {}

  bool failed() const { return broken; }
  bool empty() const { return rest.empty(); }

  uint8_t readByte() {
    if (rest.empty()) {
      broken = true;
      return 0;
    }
    uint8_t byte = uint8_t(rest.front());
    rest = rest.drop_front();
    return byte;
  }
  /// The number of zeros at the low end of the first byte is the number of
  /// bytes that follow; then comes the value, low byte first.
  uint64_t readNumber() {
    uint8_t first = readByte();
    if (first & 1)
      return first >> 1;
    unsigned more = first == 0 ? 8 : unsigned(llvm::countr_zero(first));
    uint64_t value = first == 0 ? 0 : first;
    for (unsigned i = 0; i < more; ++i)
      value |= uint64_t(readByte()) << (first == 0 ? 8 * i : 8 * (i + 1));
    return first == 0 ? value : value >> (more + 1);
  }
  StringRef readBytes(uint64_t size) {
    if (size > rest.size()) {
      broken = true;
      return "";
    }
    StringRef result = rest.take_front(size);
    rest = rest.drop_front(size);
    return result;
  }
  StringRef readTerminated() {
    size_t end = rest.find('\0');
    StringRef result = readBytes(end);
    readByte();
    return result;
  }
  /// A section: its number (with the flag for alignment), length, content.
  /// `base` is the start of all bytes, which alignment refers to.
  StringRef readSection(uint8_t &number, const char *base) {
    uint8_t head = readByte();
    number = head & 0x7f;
    uint64_t size = readNumber();
    if (head & 0x80) {
      uint64_t alignment = readNumber();
      if (alignment == 0 || alignment > (uint64_t(1) << 20))
        broken = true;
      while (!broken && !rest.empty() &&
             uint64_t(rest.data() - base) % alignment != 0)
        readByte();
    }
    return readBytes(size);
  }

private:
  StringRef rest;
  bool broken = false;
};

/// A string that ends each string of the section with a zero, lengths last to
/// first.
std::vector<StringRef> readStrings(StringRef section) {
  BytecodeScanner scanner(section);
  uint64_t count = scanner.readNumber();
  if (count > section.size())
    return {};
  std::vector<uint64_t> sizes(count);
  for (uint64_t &size : llvm::reverse(sizes))
    size = scanner.readNumber();
  std::vector<StringRef> strings;
  for (uint64_t size : sizes) {
    StringRef text = scanner.readBytes(size);
    if (scanner.failed())
      return {};
    strings.push_back(text.empty() ? text : text.drop_back());
  }
  return strings;
}

/// Calls `visit(dialect)` for each dialect that was registered, for one of its
/// ops, when the bytecode was written.
void forEachRegistered(StringRef section, llvm::ArrayRef<StringRef> strings,
                       const char *base,
                       llvm::function_ref<void(StringRef)> visit) {
  BytecodeScanner scanner(section);
  auto getString = [&](uint64_t number) {
    return number < strings.size() ? strings[number] : StringRef();
  };
  uint64_t count = scanner.readNumber();
  std::vector<StringRef> dialects;
  for (uint64_t i = 0; i < count && !scanner.failed(); ++i) {
    uint64_t name = scanner.readNumber();
    dialects.push_back(getString(name >> 1));
    uint8_t number;
    if (name & 1)
      scanner.readSection(number, base);
  }
  scanner.readNumber(); // How many ops there are.
  while (!scanner.failed() && !scanner.empty()) {
    uint64_t dialect = scanner.readNumber();
    uint64_t ops = scanner.readNumber();
    for (uint64_t i = 0; i < ops && !scanner.failed(); ++i)
      if ((scanner.readNumber() & 1) && dialect < dialects.size())
        visit(dialects[dialect]);
  }
}

bool isStableHlo(StringRef dialect) {
  return dialect == "stablehlo" || dialect == "vhlo" || dialect == "chlo" ||
         dialect == "mhlo" || dialect == "sdy";
}

StringRef getExport(StringRef dialect) {
  if (isStableHlo(dialect))
    return kStableHloExport;
  if (dialect == "torch")
    return kTorchExport;
  return dialect.starts_with("tf") ? kTensorFlowExport : "";
}

} // namespace

bool module::isBytecode(StringRef bytes) { return bytes.starts_with(kMagic); }

std::optional<Refusal> module::checkBytecode(StringRef bytes,
                                             mlir::MLIRContext &context) {
  // Before version 5 properties are attributes, which any context reads.
  constexpr uint64_t kNativeProperties = 5;
  BytecodeScanner scanner(bytes.drop_front(kMagic.size()));
  uint64_t version = scanner.readNumber();
  scanner.readTerminated();
  if (version < kNativeProperties)
    return std::nullopt;
  std::vector<StringRef> strings;
  StringRef dialects;
  while (!scanner.failed() && !scanner.empty()) {
    uint8_t number;
    StringRef section = scanner.readSection(number, bytes.data());
    if (number == 0)
      strings = readStrings(section);
    else if (number == 1)
      dialects = section;
  }
  std::optional<Refusal> refusal;
  forEachRegistered(dialects, strings, bytes.data(), [&](StringRef dialect) {
    if (refusal ||
        context.getDialectRegistry().getDialectNames().end() !=
            llvm::find(context.getDialectRegistry().getDialectNames(), dialect))
      return;
    refusal = {"bytecode of dialect '" + dialect.str() +
                   "', whose attributes only a program with that dialect can "
                   "read",
               getExport(dialect).str()};
  });
  return refusal;
}

namespace {

/// Follows the brackets of MLIR's text. In doubt it assumes deeper nesting than
/// the parser would find.
class BracketStack {
public:
  void open(char bracket) { stack.push_back(bracket); }

  /// Closes the innermost `bracket`. One that does not close anything is an
  /// error of the text, which ends parsing, or not a bracket.
  void close(char bracket) {
    // `<` may also mean "less", and then never closes.
    size_t end =
        bracket == '<' ? stack.size() : stack.find_last_not_of('<') + 1;
    if (end != 0 && stack[end - 1] == bracket)
      stack.resize(end - 1);
  }
  size_t size() const { return stack.size(); }
  bool isInAngle() const { return stack.find('<') != std::string::npos; }

private:
  std::string stack;
};

/// Position of the last character of the string that starts at `i`.
size_t skipString(StringRef text, size_t i) {
  for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
    if (text[i] == '\\')
      ++i;
  return i;
}

/// Position of the end of the line that contains `i`. Text of dialects in angle
/// brackets may contain two slashes that are not a comment: there, brackets
/// after them open and do not close.
size_t skipComment(StringRef text, size_t i, BracketStack &brackets) {
  size_t end = std::min(text.find('\n', i), text.size());
  if (brackets.isInAngle())
    for (char c : text.slice(i, end))
      if (StringRef("([{<").contains(c))
        brackets.open(c);
  return end;
}

} // namespace

std::optional<Refusal> module::checkNesting(StringRef text) {
  constexpr size_t kMaxDepth = 1000;
  BracketStack brackets;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '"':
      i = skipString(text, i);
      break;
    case '/':
      if (text.substr(i).starts_with("//"))
        i = skipComment(text, i, brackets);
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      brackets.open(text[i]);
      break;
    case '>':
      // Neither an arrow nor a comparison.
      if (!text.substr(0, i).ends_with("-") &&
          !text.substr(i + 1).starts_with("="))
        brackets.close('<');
      break;
    case ')':
      brackets.close('(');
      break;
    case ']':
      brackets.close('[');
      break;
    case '}':
      brackets.close('{');
      break;
    default:
      break;
    }
    if (brackets.size() > kMaxDepth)
      return Refusal{"brackets nest deeper than " + std::to_string(kMaxDepth) +
                         " levels",
                     "Modules that compilers write do not; flatten it."};
  }
  return std::nullopt;
}

std::string module::getHint(StringRef bytes, StringRef message) {
  if (profile::isProfileFile(bytes) || profile::isProfileJson(bytes))
    return "This is a profile, where a module of MLIR is expected.";
  // The parser names the dialect, except for types and attributes in their own
  // syntax, for which the text is searched.
  for (StringRef dialect : {"tf_executor", "tf_type", "tf", "stablehlo", "vhlo",
                            "chlo", "mhlo", "sdy", "torch"})
    if (message.contains(("'" + dialect + "'").str()) ||
        message.contains(("'" + dialect + ".").str()))
      return getExport(dialect).str();
  if (bytes.contains("stablehlo.") || bytes.contains("sdy."))
    return kStableHloExport.str();
  if (bytes.contains("tf_executor.") || bytes.contains("tf_type."))
    return kTensorFlowExport.str();
  if (bytes.contains("torch."))
    return kTorchExport.str();
  if (message.contains("not found for custom op"))
    return "ops of dialects that mlir-opt 22 does not have are read in the "
           "generic form (--mlir-print-op-generic, "
           "print_generic_op_form=True); "
           "to compile them, lower them first";
  return "Give a module of MLIR that mlir-opt 22 reads, as text or bytecode.";
}
