//===- Bytecode.cpp - A host side that is bytecode ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/include/mlir-prof/Runtime/prof_bytecode.h"
#include "../../../runtime/include/mlir-prof/Runtime/prof_device.h"
#include "../Devices.h"
#include "../Plan.h"
#include "Controls.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

namespace {
/// Writes the bytes of prof_bytecode.h.
class BytecodeWriter {
public:
  BytecodeWriter(const DeployedModel &model, const PlanKernels &kernels,
                 uint64_t slotOffset)
      : model(model), kernels(kernels), slotOffset(slotOffset) {}

  SmallString<256> write();

private:
  void put(uint64_t value) { encodeULEB128(value, os); }
  void putHeader();
  void putPlace(const HostPlace &place);
  void putOperand(const HostNumber &number);
  void putComputation(const HostStep &step);
  void putRun(const HostStep &step);
  void putTransfer(const HostStep &step);
  void putStep(const HostStep &step);
  void putBlock(ArrayRef<HostStep> steps);

  const DeployedModel &model;
  const PlanKernels &kernels;
  /// The place of numbers in the arena.
  uint64_t slotOffset;
  SmallString<256> bytes;
  raw_svector_ostream os{bytes};
};
} // namespace

void BytecodeWriter::putHeader() {
  const HostGraph &graph = *model.graph;
  os << "MPB" << char(PROF_BYTECODE_VERSION);
  put(model.arenaBytes);
  put(model.firstState.size());
  put(graph.argumentBytes.size());
  for (auto [bytes, value] :
       zip_equal(graph.argumentBytes, model.signature.arguments))
    put(bytes * 2 + uint64_t(value.isWritten));
  put(graph.resultBytes.size());
  for (uint64_t bytes : graph.resultBytes)
    put(bytes);
  put(kernels.size());
  put(graph.constants.size());
  put(graph.numberCount);
  put(slotOffset);
}

static unsigned getKind(PlaceKind kind) {
  switch (kind) {
  case PlaceKind::Argument:
    return PROF_BYTECODE_ARGUMENT;
  case PlaceKind::Result:
    return PROF_BYTECODE_RESULT;
  case PlaceKind::Arena:
  case PlaceKind::Number:
    return PROF_BYTECODE_ARENA;
  case PlaceKind::Constant:
    return PROF_BYTECODE_CONSTANT;
  case PlaceKind::State:
    return PROF_BYTECODE_STATE;
  case PlaceKind::Device:
    break;
  }
  llvm_unreachable("no such memory");
}

void BytecodeWriter::putPlace(const HostPlace &place) {
  bool isNumber = place.kind == PlaceKind::Number;
  put((isNumber ? 0 : uint64_t(place.index) * 16) +
      uint64_t(place.isWritten) * 8 + getKind(place.kind));
  put(place.offset +
      (isNumber ? slotOffset + place.index * sizeof(int64_t) : 0));
  put(place.bytes);
}

void BytecodeWriter::putOperand(const HostNumber &number) {
  if (!number.isKnown)
    return put(uint64_t(number.value) + 1);
  put(0);
  put((uint64_t(number.value) << 1) ^ uint64_t(number.value >> 63));
}

/// The operation that has the same name there; none for others.
static std::optional<unsigned> getOperation(HostOperation operation) {
  switch (operation) {
  case HostOperation::Assign:
    return PROF_BYTECODE_ASSIGN;
  case HostOperation::Add:
    return PROF_BYTECODE_ADD;
  case HostOperation::Subtract:
    return PROF_BYTECODE_SUBTRACT;
  case HostOperation::Multiply:
    return PROF_BYTECODE_MULTIPLY;
  case HostOperation::And:
    return PROF_BYTECODE_AND;
  case HostOperation::Or:
    return PROF_BYTECODE_OR;
  case HostOperation::Xor:
    return PROF_BYTECODE_XOR;
  case HostOperation::Equal:
    return PROF_BYTECODE_EQUAL;
  case HostOperation::NotEqual:
    return PROF_BYTECODE_NOT_EQUAL;
  case HostOperation::LessSigned:
    return PROF_BYTECODE_LESS_SIGNED;
  case HostOperation::LessEqualSigned:
    return PROF_BYTECODE_LESS_EQUAL_SIGNED;
  case HostOperation::LessUnsigned:
    return PROF_BYTECODE_LESS_UNSIGNED;
  case HostOperation::LessEqualUnsigned:
    return PROF_BYTECODE_LESS_EQUAL_UNSIGNED;
  case HostOperation::Select:
    return PROF_BYTECODE_SELECT;
  case HostOperation::ExtendUnsigned:
    return PROF_BYTECODE_AND;
  default:
    return std::nullopt;
  }
}

void BytecodeWriter::putComputation(const HostStep &step) {
  bool isExtension = step.operation == HostOperation::ExtendUnsigned;
  put(PROF_BYTECODE_COMPUTE);
  put(*getOperation(step.operation));
  put(step.result);
  put(isExtension ? 64 : step.bits);
  for (const HostNumber &operand : step.operands)
    putOperand(operand);
  if (isExtension)
    putOperand({true, int64_t(maskTrailingOnes<uint64_t>(step.bits))});
}

/// A dispatch on a device.
void BytecodeWriter::putRun(const HostStep &step) {
  put(PROF_BYTECODE_RUN);
  put(*step.device);
  put(getDeviceKernel(model, step));
  put(step.bindings.size());
  put(step.parameters.size());
  for (const HostPlace &place : step.bindings) {
    put(place.offset);
    put(place.bytes);
    put((place.isRead ? PROF_MEMORY_READ : 0) |
        (place.isWritten ? PROF_MEMORY_WRITE : 0));
  }
  for (int64_t parameter : step.parameters)
    put(uint64_t(parameter));
}

void BytecodeWriter::putTransfer(const HostStep &step) {
  put(PROF_BYTECODE_TRANSFER);
  put(uint64_t(*step.device) * 2 + (step.isToDevice ? 1 : 0));
  put(step.bindings[step.isToDevice ? 1 : 0].offset);
  putPlace(step.bindings[step.isToDevice ? 0 : 1]);
}

void BytecodeWriter::putStep(const HostStep &step) {
  switch (step.kind) {
  case HostStepKind::Dispatch:
    if (step.device)
      return putRun(step);
    put(PROF_BYTECODE_DISPATCH);
    put(uint64_t(kernels.find(step.kernel) - kernels.begin()));
    put(step.bindings.size());
    put(step.parameters.size());
    break;
  case HostStepKind::Copy:
    put(PROF_BYTECODE_COPY);
    break;
  case HostStepKind::Transfer:
    return putTransfer(step);
  case HostStepKind::Wait:
    put(PROF_BYTECODE_WAIT);
    return put(*step.device);
  case HostStepKind::Load:
    put(PROF_BYTECODE_LOAD);
    put(step.result);
    put(step.bits);
    break;
  case HostStepKind::Compute:
    return putComputation(step);
  case HostStepKind::If:
  case HostStepKind::While:
    put(step.kind == HostStepKind::If ? PROF_BYTECODE_IF : PROF_BYTECODE_WHILE);
    putOperand(step.operands.front());
    for (const std::vector<HostStep> &block : step.blocks)
      putBlock(block);
    return;
  }
  for (const HostPlace &place : step.bindings)
    putPlace(place);
  for (int64_t parameter : step.parameters)
    put(uint64_t(parameter));
}

void BytecodeWriter::putBlock(ArrayRef<HostStep> steps) {
  for (const HostStep &step : steps)
    putStep(step);
  put(PROF_BYTECODE_END);
}

SmallString<256> BytecodeWriter::write() {
  putHeader();
  putBlock(model.graph->steps);
  return std::move(bytes);
}

static unsigned getDepth(ArrayRef<HostStep> steps) {
  unsigned depth = 0;
  for (const HostStep &step : steps)
    for (const std::vector<HostStep> &block : step.blocks)
      if (!block.empty())
        depth = std::max(depth, getDepth(block));
  return depth + 1;
}

/// Refuses steps that the interpreter does not have.
static Error checkSteps(const HostGraph &graph) {
  StringRef what;
  // An empty block is one too.
  if (getDepth(graph.steps) + 1 > PROF_BYTECODE_DEPTH)
    what = "has more branches and loops in one another than bytecode takes";
  walkSteps(graph.steps, [&](const HostStep &step) {
    if (step.kind == HostStepKind::Compute && !getOperation(step.operation))
      what = "divides or shifts numbers, which bytecode does not";
  });
  return what.empty() ? Error::success()
                      : inputError("model", "the host side " + what,
                                   "--control=compiled and --control=c take "
                                   "the model.");
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
  if (Error error = checkSteps(*model.graph))
    return error;
  // Numbers follow the buffers.
  uint64_t slotOffset = alignTo(model.arenaBytes, sizeof(int64_t));
  if (model.graph->numberCount != 0)
    model.arenaBytes = slotOffset + model.graph->numberCount * sizeof(int64_t);
  else
    slotOffset = 0;
  SmallString<256> code = BytecodeWriter(model, kernels, slotOffset).write();
  model.needsInterpreter = true;
  model.hasEntry = false;
  if (!model.devices.empty())
    model.declarations = declareSymbols(model);
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
