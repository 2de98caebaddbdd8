//===- ProfileFromTarget.cpp - Measurements of a target as a profile ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir-prof/Record/TargetRun.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Version.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

llvm::Error record::addMeasurements(const compile::CompiledModel &model,
                                    const TargetMeasurements &measured,
                                    Profile &profile) {
  auto added = addProgram(model, profile);
  if (!added)
    return added.takeError();
  Program program = profile.programs[*added];
  importer::ProfRawOptions options;
  options.program = &program;
  options.countTicks = measured.countTicks;
  ProfileBuilder builder(profile);
  if (llvm::Error error = importer::readProfRaw(
          measured.raw, "the program's measurements", builder, options))
    return error;
  builder.finish();
  Run &run = profile.runs.back();
  run.hash = contentHash(program.fingerprint + measured.raw);
  run.producer = {"mlir-prof", "mlir-prof record", getVersion().str()};
  run.machine.cpu = program.target;
  run.facts.emplace_back("entry", program.entry);
  run.facts.emplace_back("pipeline", program.pipeline);
  run.facts.emplace_back("command", measured.command);
  if (measured.calls != 0)
    run.facts.emplace_back("calls", std::to_string(measured.calls));
  for (const Loss &loss : model.losses)
    run.losses.push_back(loss);
  return llvm::Error::success();
}
