//===- Bytecode.cpp - A host side that is bytecode ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/include/mlir-prof/Runtime/prof_bytecode.h"
#include "../Plan.h"
#include "Controls.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

namespace {
/// Writes the bytes of prof_bytecode.h.
class BytecodeWriter {
public:
  BytecodeWriter(const DeployedModel &model, const PlanKernels &kernels)
      : model(model), kernels(kernels) {}

  SmallString<256> write();

private:
  void put(uint64_t value) { encodeULEB128(value, os); }
  void putHeader();
  void putPlace(const HostPlace &place);
  void putStep(const HostStep &step);

  const DeployedModel &model;
  const PlanKernels &kernels;
  SmallString<256> bytes;
  raw_svector_ostream os{bytes};
};
} // namespace

void BytecodeWriter::putHeader() {
  const HostGraph &graph = *model.graph;
  os << "MPB" << char(PROF_BYTECODE_VERSION);
  put(model.arenaBytes);
  put(graph.argumentBytes.size());
  for (auto [bytes, value] :
       zip_equal(graph.argumentBytes, model.signature.arguments))
    put(bytes * 2 + uint64_t(value.isWritten));
  put(graph.resultBytes.size());
  for (uint64_t bytes : graph.resultBytes)
    put(bytes);
  put(kernels.size());
  put(graph.constants.size());
}

void BytecodeWriter::putPlace(const HostPlace &place) {
  static_assert(int(PlaceKind::Argument) == PROF_BYTECODE_ARGUMENT &&
                int(PlaceKind::Result) == PROF_BYTECODE_RESULT &&
                int(PlaceKind::Arena) == PROF_BYTECODE_ARENA &&
                int(PlaceKind::Constant) == PROF_BYTECODE_CONSTANT);
  put(uint64_t(place.index) * 8 + uint64_t(place.isWritten) * 4 +
      uint64_t(place.kind));
  put(place.offset);
  put(place.bytes);
}

void BytecodeWriter::putStep(const HostStep &step) {
  if (step.kernel.empty()) {
    put(PROF_BYTECODE_COPY);
  } else {
    put(PROF_BYTECODE_DISPATCH);
    put(uint64_t(kernels.find(step.kernel) - kernels.begin()));
    put(step.bindings.size());
    put(step.parameters.size());
  }
  for (const HostPlace &place : step.bindings)
    putPlace(place);
  for (int64_t parameter : step.parameters)
    put(uint64_t(parameter));
}

SmallString<256> BytecodeWriter::write() {
  putHeader();
  for (const HostStep &step : model.graph->steps)
    putStep(step);
  put(PROF_BYTECODE_END);
  return std::move(bytes);
}

static Error checkCounts(const PlanKernels &kernels) {
  for (const auto &[kernel, step] : kernels)
    if (step->bindings.size() > PROF_BYTECODE_VALUES ||
        step->parameters.size() > PROF_BYTECODE_VALUES)
      return inputError("'" + kernel + "'",
                        "takes more than " + Twine(PROF_BYTECODE_VALUES) +
                            " operands, the most that bytecode has",
                        "--control=compiled takes the model.");
  return Error::success();
}

/// The arrays that a prof_bytecode_program refers to, and the program. Tables
/// of addresses lie where a loader may change them.
static std::string writeTables(const DeployedModel &model,
                               const PlanKernels &kernels,
                               ArrayRef<char> code) {
  std::vector<std::string> functions, signatures, constants, sizes;
  std::string text;
  raw_string_ostream os(text);
  for (const auto &[kernel, step] : kernels) {
    os << formatv("declare void @{0}(ptr, ptr, i32, i32, i32)\n", kernel);
    functions.push_back(("ptr @" + kernel).str());
    signatures.push_back(formatv("i16 {0}, i16 {1}", step->bindings.size(),
                                 step->parameters.size()));
  }
  for (auto [index, constant] : enumerate(model.graph->constants)) {
    std::string symbol = getConstantSymbol(model, index);
    os << formatv("@{0} = external constant [{1} x i8]\n", symbol,
                  constant.bytes.size());
    constants.push_back("ptr @" + symbol);
    sizes.push_back("i32 " + std::to_string(constant.bytes.size()));
  }
  const std::string &name = model.name;
  auto table = [&](StringRef suffix, size_t count, StringRef type,
                   ArrayRef<std::string> values, StringRef section) {
    os << formatv("@{0}_{1} = internal constant [{2} x {3}] [{4}]{5}\n", name,
                  suffix, count, type, join(values, ", "), section);
  };
  constexpr StringLiteral section = ", section \".data.rel.ro\"";
  table("kernels", functions.size(), "ptr", functions, section);
  table("signatures", signatures.size() * 2, "i16", signatures, "");
  table("constants", constants.size(), "ptr", constants, section);
  table("sizes", sizes.size(), "i32", sizes, "");
  os << formatv("@{0}_code = internal constant {1}\n", name, writeBytes(code));
  os << formatv(
      "@{0}_program = constant {{ ptr, ptr, ptr, ptr, ptr, i32, i32, i32 } "
      "{{ ptr @{0}_code, ptr @{0}_kernels, ptr @{0}_signatures, ptr "
      "@{0}_constants, ptr @{0}_sizes, i32 {1}, i32 {2}, i32 {3} }{4}\n",
      name, code.size(), functions.size(), constants.size(), section);
  return text;
}

static Error apply(DeployedModel &model) {
  if (Error error = checkOffsets(model))
    return error;
  PlanKernels kernels = getKernels(*model.graph);
  if (Error error = checkCounts(kernels))
    return error;
  SmallString<256> code = BytecodeWriter(model, kernels).write();
  model.needsInterpreter = true;
  model.hasEntry = false;
  model.declarations = formatv(
      "#include \"mlir-prof/Runtime/prof_bytecode.h\"\n\n"
      "/* For prof_bytecode_run(&{0}_program, bindings), with the addresses of "
      "the\n   arguments, of the results and of the arena. */\n"
      "extern const prof_bytecode_program {0}_program;\n\n",
      model.name);
  if (Error error = addAssembly(
          "host",
          writeTables(model, kernels, ArrayRef(code.data(), code.size())),
          model))
    return error;
  return addConstants(model);
}

Control control::Bytecode() {
  return {"bytecode", "bytecode for the interpreter of the runtime",
          /*needsGraph=*/true, apply};
}
