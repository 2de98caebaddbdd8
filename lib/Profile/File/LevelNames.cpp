//===- LevelNames.cpp - Renamed levels ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kOldName = "bufferised";
static constexpr llvm::StringLiteral kNewName = "bufferized";

/// Renames the level of each program that has the old one. Returns the new
/// fingerprints by the old ones.
static llvm::StringMap<std::string> renamePrograms(Profile &profile) {
  llvm::StringMap<std::string> renamed;
  for (Program &program : profile.programs) {
    auto level = llvm::find(program.levels, kOldName);
    if (level == program.levels.end() ||
        llvm::is_contained(program.levels, kNewName))
      continue;
    *level = kNewName.str();
    std::string old = program.fingerprint;
    // Programs with fields of a newer version cannot be hashed here.
    if (schema::isContentHash(old) && profile.minor <= Profile::kMinor &&
        profile.unknownFields.empty())
      program.fingerprint = fingerprintProgram(program);
    renamed[old] = program.fingerprint;
  }
  return renamed;
}

void schema::renameLevels(Profile &profile) {
  llvm::StringMap<std::string> renamed = renamePrograms(profile);
  if (renamed.empty())
    return;
  auto rename = [&](std::string &program) {
    auto found = renamed.find(program);
    if (found == renamed.end())
      return false;
    program = found->second;
    return true;
  };
  for (OpKey &key : profile.opKeys) {
    if (auto *code = key.getIf<CodeKey>())
      rename(code->program);
    if (auto *probe = key.getIf<ProbeKey>())
      rename(probe->program);
  }
  for (IrModule &module : profile.irModules)
    if (rename(module.program) && module.level == kOldName)
      module.level = kNewName.str();
  for (Run &run : profile.runs) {
    for (ValueTable &table : run.values)
      rename(table.program);
    for (NodeWork &work : run.work)
      rename(work.program);
  }
}
