//===- None.cpp - Kernels and a table of their dispatches -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Plan.h"
#include "Controls.h"
#include "StepRows.h"
#include "StepTable.h"
#include "mlir-prof/Support/Error.h"
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

static void writePlan(const DeployedModel &model, raw_ostream &os) {
  std::vector<std::string> dispatches;
  StepRows rows;
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
        rows.places.size(), rows.parameters.size(), step.bindings.size(),
        step.parameters.size()));
    rows.add(step, "MLIR_PROF_", [](const HostPlace &place) -> StringRef {
      return place.isWritten ? "1" : "0";
    });
  }
  os << "*/\n";
  writeArray(os, "void *const " + name + "_plan_constants",
             getConstantSymbols(model), "0");
  writeArray(os, "mlir_prof_binding " + name + "_plan_bindings", rows.places,
             "{0, 0, 0, 0, 0}");
  writeArray(os, "int64_t " + name + "_plan_parameters", rows.parameters, "0");
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
