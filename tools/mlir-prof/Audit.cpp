//===- Audit.cpp - mlir-prof audit ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Audit.h"
#include "Formats.h"
#include "RecordOptions.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Transforms/AuditReport.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;
using llvm::opt::InputArgList;

static llvm::Error run(const InputArgList &arguments) {
  auto model = getOneInput(arguments, "model");
  if (!model)
    return model.takeError();
  auto format = getFormat(arguments, "audit");
  if (!format)
    return format.takeError();
  auto options = getCompileOptions(arguments);
  if (!options)
    return options.takeError();
  Profile profile;
  llvm::StringRef profilePath = arguments.getLastArgValue(OPT_profile_EQ);
  if (!profilePath.empty()) {
    auto loaded = openProfile(arguments, profilePath);
    if (!loaded)
      return loaded.takeError();
    profile = std::move(*loaded);
  }
  AuditLog log;
  options->audit = &log;
  auto built =
      buildModel(*model, *options, [](llvm::StringRef text) { note(text); });
  if (!built)
    return built.takeError();
  const Program &program = built->model.program;
  std::vector<int64_t> times;
  if (!profilePath.empty()) {
    auto found = getNodeTimes(program, profile, profilePath);
    if (!found)
      return found.takeError();
    times = std::move(*found);
  }
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    writeAudit(log, program, times,
               *format == 1 ? AuditFormat::Json : AuditFormat::Text, os);
    return llvm::Error::success();
  });
}

Verb verb::Audit() { return {"audit", run, getDocumentFormats}; }
