//===- StepTable.cpp - The steps of a model with devices ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepTable.h"
#include "../Devices.h"
#include "../Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

static StringRef getMemory(PlaceKind kind) {
  switch (kind) {
  case PlaceKind::Argument:
    return "PROF_STEP_ARGUMENT";
  case PlaceKind::Result:
    return "PROF_STEP_RESULT";
  case PlaceKind::Arena:
    return "PROF_STEP_ARENA";
  case PlaceKind::Constant:
    return "PROF_STEP_CONSTANT";
  case PlaceKind::State:
    return "PROF_STEP_STATE";
  case PlaceKind::Device:
    return "PROF_STEP_DEVICE";
  case PlaceKind::Number:
    break;
  }
  llvm_unreachable("tables do not have numbers");
}

static StringRef getKind(HostStepKind kind) {
  if (kind == HostStepKind::Dispatch)
    return "PROF_STEP_RUN";
  return kind == HostStepKind::Wait ? "PROF_STEP_WAIT" : "PROF_STEP_COPY";
}

/// Arrays of C have at least one element.
static void writeArray(raw_ostream &os, const Twine &declaration,
                       ArrayRef<std::string> rows, StringRef none) {
  os << "static const " << declaration << "[] = {\n    "
     << (rows.empty() ? none.str() : join(rows, ",\n    ")) << "};\n";
}

std::string deploy::writeStepTable(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  const HostGraph &graph = *model.graph;
  const std::string &name = model.name;
  std::vector<std::string> places, parameters, steps, constants;
  os << "/* The steps, in order:\n";
  for (const HostStep &step : graph.steps) {
    os << formatv("   {0} {1}\n", steps.size(), describeStep(model, step));
    bool isRun = step.kind == HostStepKind::Dispatch;
    steps.push_back(formatv(
        "{{{0}, {1}, {2}, {3}, {4}, {5}, {6}_places + {7}, {6}_parameters + "
        "{8}}",
        getKind(step.kind), step.device ? *step.device + 1 : 0,
        step.bindings.size(), step.parameters.size(),
        isRun && step.device ? getDeviceKernel(model, step) : 0,
        isRun && !step.device ? step.kernel : "0", name, places.size(),
        parameters.size()));
    for (const HostPlace &place : step.bindings)
      places.push_back(formatv("{{{0}, {1}, {2}, {3}u, {4}u}",
                               getMemory(place.kind), getPermissions(place),
                               place.index, place.offset, place.bytes));
    for (int64_t parameter : step.parameters)
      parameters.push_back(std::to_string(parameter));
  }
  os << "*/\n";
  for (size_t index = 0; index != graph.constants.size(); ++index)
    constants.push_back(getConstantSymbol(model, index));
  writeArray(os, "void *const " + name + "_constants", constants, "0");
  writeArray(os, "prof_step_place " + name + "_places", places,
             "{0, 0, 0, 0, 0}");
  writeArray(os, "int64_t " + name + "_parameters", parameters, "0");
  writeArray(os, "prof_step " + name + "_step_list", steps,
             "{0, 0, 0, 0, 0, 0, 0, 0}");
  os << formatv("/* For prof_steps_run. */\nstatic const prof_steps {0}_steps "
                "= {{{0}_step_list, {0}_constants, {1}, {2}, {3}, {4}};\n\n",
                name, steps.size(), model.signature.arguments.size(),
                model.signature.results.size(),
                model.firstState.empty() ? 0 : 1);
  return text;
}
