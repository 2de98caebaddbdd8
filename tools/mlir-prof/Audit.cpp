//===- Audit.cpp - mlir-prof audit ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "RecordOptions.h"
#include "Session.h"
#include "Verbs.h"
#include "mlir-prof/Match/ModuleReader.h"
#include "mlir-prof/Profile/ProgramMatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Transforms/AuditReport.h"

using namespace mlirprof;
using llvm::opt::InputArgList;

/// Whether two programs have the same ops at `level`, at the same places.
static bool isSameLevel(const Program &a, const Program &b,
                        llvm::StringRef level) {
  uint32_t aLevel = findLevel(a, level), bLevel = findLevel(b, level);
  if (aLevel == kNone || bLevel == kNone)
    return false;
  size_t count = std::max(a.nodes.size(), b.nodes.size());
  for (size_t i = 0; i < count; ++i) {
    bool inA = i < a.nodes.size() && a.nodes[i].level == aLevel;
    bool inB = i < b.nodes.size() && b.nodes[i].level == bLevel;
    if (inA != inB ||
        (inA && a.strings[a.nodes[i].op] != b.strings[b.nodes[i].op]))
      return false;
  }
  return true;
}

/// The time of each node of `program` by `profile`, at the levels at which the
/// two are the same.
static llvm::Expected<std::vector<int64_t>> getNodeTimes(const Program &program,
                                                         const Profile &profile,
                                                         llvm::StringRef path) {
  std::vector<int64_t> times(program.nodes.size(), 0);
  bool any = false;
  for (const std::string &level : program.levels)
    for (auto [index, other] : llvm::enumerate(profile.programs)) {
      if (!isSameLevel(program, other, level))
        continue;
      any = true;
      ProgramMatch match = matchProgramRows(profile, level);
      Attribution attribution = attribute(profile, match.ownership);
      for (auto [row, time] : llvm::zip(match.rows, attribution.ops))
        if (row.program == index && row.node < times.size())
          times[row.node] += time.heatPs();
    }
  if (!any)
    return inputError(
        path, "is not a recording of this model",
        "Record it with 'mlir-prof record' from the same module.");
  return std::move(times);
}

llvm::Error mlirprof::runAudit(const InputArgList &arguments) {
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
    auto loaded = loadProfile(arguments, profilePath);
    if (!loaded)
      return loaded.takeError();
    profile = std::move(*loaded);
  }
  AuditLog log;
  options->audit = &log;
  auto built = buildModel(*model, *options);
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
