//===- None.cpp - Kernels and a table of their dispatches -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Plan.h"
#include "Controls.h"
#include "StepTable.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

/// The same for all models of a program.
static constexpr StringLiteral kTypes =
    R"(#ifndef MLIR_PROF_PLAN
#define MLIR_PROF_PLAN
/* Memory that a binding is a part of. */
enum {
  MLIR_PROF_ARGUMENT,
  MLIR_PROF_RESULT,
  MLIR_PROF_ARENA,
  MLIR_PROF_CONSTANT,
  MLIR_PROF_STATE
};
typedef struct mlir_prof_binding {
  uint8_t memory, is_written;
  /* The number of the argument, result or constant. */
  uint16_t index;
  uint32_t offset, bytes;
} mlir_prof_binding;
typedef struct mlir_prof_dispatch {
  /* Null to copy the first binding to the second. */
  void (*kernel)(void *const *bindings, const int64_t *parameters, uint32_t x,
                 uint32_t y, uint32_t z);
  const mlir_prof_binding *bindings;
  const int64_t *parameters;
  uint32_t binding_count, parameter_count;
  /* Workgroups in each dimension. */
  uint32_t grid[3];
} mlir_prof_dispatch;
#endif

)";

static StringRef getMemory(PlaceKind kind) {
  switch (kind) {
  case PlaceKind::Argument:
    return "MLIR_PROF_ARGUMENT";
  case PlaceKind::Result:
    return "MLIR_PROF_RESULT";
  case PlaceKind::Arena:
    return "MLIR_PROF_ARENA";
  case PlaceKind::Constant:
    return "MLIR_PROF_CONSTANT";
  case PlaceKind::State:
    return "MLIR_PROF_STATE";
  case PlaceKind::Number:
  case PlaceKind::Device:
    break;
  }
  llvm_unreachable("no such memory");
}

/// Arrays of C have at least one element.
static void writeArray(raw_ostream &os, const Twine &declaration,
                       ArrayRef<std::string> rows, StringRef none) {
  os << "static const " << declaration << "[] = {\n    "
     << (rows.empty() ? none.str() : join(rows, ",\n    ")) << "};\n";
}

static void writePlan(const DeployedModel &model, raw_ostream &os) {
  std::vector<std::string> bindings, parameters, dispatches, constants;
  const std::string &name = model.name;
  os << formatv("#define {0}_DISPATCH_COUNT {1}\n\n/* The dispatches, in "
                "order:\n",
                StringRef(name).upper(), model.graph->steps.size());
  for (const HostStep &step : model.graph->steps) {
    os << formatv("   {0} {1}\n", dispatches.size(), describeStep(model, step));
    dispatches.push_back(formatv(
        "{{{0}, {1}_plan_bindings + {2}, {1}_plan_parameters + {3}, {4}, {5}, "
        "{{1, 1, 1}}",
        step.kind == HostStepKind::Copy ? "0" : step.kernel, name,
        bindings.size(), parameters.size(), step.bindings.size(),
        step.parameters.size()));
    for (const HostPlace &place : step.bindings)
      bindings.push_back(formatv("{{{0}, {1}, {2}, {3}u, {4}u}",
                                 getMemory(place.kind), int(place.isWritten),
                                 place.index, place.offset, place.bytes));
    for (int64_t parameter : step.parameters)
      parameters.push_back(std::to_string(parameter));
  }
  os << "*/\n";
  for (size_t index = 0; index != model.graph->constants.size(); ++index)
    constants.push_back(getConstantSymbol(model, index));
  writeArray(os, "void *const " + name + "_plan_constants", constants, "0");
  writeArray(os, "mlir_prof_binding " + name + "_plan_bindings", bindings,
             "{0, 0, 0, 0, 0}");
  writeArray(os, "int64_t " + name + "_plan_parameters", parameters, "0");
  writeArray(os, "mlir_prof_dispatch " + name + "_plan", dispatches,
             "{0, 0, 0, 0, 0, {0, 0, 0}}");
  os << '\n';
}

/// A table does not have conditions.
static Error checkSteps(const DeployedModel &model) {
  for (const HostStep &step : model.graph->steps)
    if (step.kind != HostStepKind::Dispatch &&
        step.kind != HostStepKind::Copy &&
        step.kind != HostStepKind::Transfer && step.kind != HostStepKind::Wait)
      return inputError("model",
                        "the host side has branches or computes numbers, which "
                        "a table of dispatches does not",
                        "The other controls take it.");
  return Error::success();
}

static Error apply(DeployedModel &model) {
  if (Error error = checkOffsets(model))
    return error;
  if (Error error = checkSteps(model))
    return error;
  model.hasEntry = false;
  raw_string_ostream os(model.declarations);
  os << declareSymbols(model);
  if (model.devices.empty() && !model.yields) {
    os << kTypes;
    writePlan(model, os);
  } else {
    model.tables = writeStepTable(model);
  }
  for (const auto &[kernel, step] : getKernels(*model.graph))
    model.exported.push_back(kernel.str());
  for (size_t index = 0; index != model.graph->constants.size(); ++index)
    model.exported.push_back(getConstantSymbol(model, index));
  return addConstants(model);
}

Control control::None() {
  return {"none", "kernels, and a table of their dispatches in the header",
          /*needsGraph=*/true, apply};
}
