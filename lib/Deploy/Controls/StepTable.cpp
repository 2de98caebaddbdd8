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
#include "StepRows.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

static StringRef getKind(HostStepKind kind) {
  if (kind == HostStepKind::Dispatch)
    return "PROF_STEP_RUN";
  return kind == HostStepKind::Wait ? "PROF_STEP_WAIT" : "PROF_STEP_COPY";
}

std::string deploy::writeStepTable(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  const HostGraph &graph = *model.graph;
  const std::string &name = model.name;
  std::vector<std::string> steps;
  StepRows rows;
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
        isRun && !step.device ? step.kernel : "0", name, rows.places.size(),
        rows.parameters.size()));
    rows.add(step, "PROF_STEP_", getPermissions);
  }
  os << "*/\n";
  writeArray(os, "void *const " + name + "_constants",
             getConstantSymbols(model), "0");
  writeArray(os, "prof_step_place " + name + "_places", rows.places,
             "{0, 0, 0, 0, 0}");
  writeArray(os, "int64_t " + name + "_parameters", rows.parameters, "0");
  writeArray(os, "prof_step " + name + "_step_list", steps,
             "{0, 0, 0, 0, 0, 0, 0, 0}");
  os << formatv("/* For prof_steps_run. */\nstatic const prof_steps {0}_steps "
                "= {{{0}_step_list, {0}_constants, {1}, {2}, {3}, {4}};\n\n",
                name, steps.size(), model.signature.arguments.size(),
                model.signature.results.size(),
                model.firstState.empty() ? 0 : 1);
  return text;
}
