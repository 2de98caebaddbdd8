//===- ProgramTimes.cpp - Times of the ops of a program -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

ProgramIndex::ProgramIndex(const Profile &profile) : profile(profile) {
  for (uint32_t i = 0; i < profile.programs.size(); ++i)
    programs.try_emplace(profile.programs[i].fingerprint, i);
}

uint32_t ProgramIndex::findProgram(llvm::StringRef fingerprint) const {
  auto it = programs.find(fingerprint);
  return it == programs.end() ? kNone : it->second;
}

MeasuredNode ProgramIndex::find(const OpKey &key) const {
  MeasuredNode result;
  const std::string *fingerprint = findProgramOf(key);
  if (!fingerprint)
    return result;
  result.program = findProgram(*fingerprint);
  if (result.program == kNone)
    return result;
  const Program &program = profile.programs[result.program];
  const auto *code = key.getIf<CodeKey>();
  uint32_t index = code ? code->instruction : key.get<ProbeKey>().probe;
  size_t count = code ? program.instructions.size() : program.probes.size();
  if (index >= count)
    return result;
  result.index = index;
  result.node =
      code ? program.instructions[index].node : program.probes[index].node;
  if (result.node >= program.nodes.size())
    result.node = kNone;
  return result;
}

int64_t LevelTimes::getTotalPs(uint32_t row) const {
  int64_t total = attribution.ops[row].solePs;
  addSaturating(total, attribution.ops[row].estimatedPs);
  return total;
}

LevelTimes report::getLevelTimes(const Profile &profile,
                                 llvm::StringRef level) {
  LevelTimes times;
  times.match = matchProgramRows(profile, level);
  times.attribution = attribute(profile, times.match.ownership);
  return times;
}

std::string report::getInputLevel(const ReportInput &input) {
  if (!input.level.empty())
    return input.level.str();
  std::vector<std::string> levels = getLevels(input.profile);
  return levels.empty() ? std::string() : levels.front();
}

llvm::StringRef report::getString(const Program &program, uint32_t index) {
  return index < program.strings.size() ? program.strings[index]
                                        : llvm::StringRef();
}

std::string report::getPlace(const Program &program, uint32_t node) {
  if (node >= program.nodes.size())
    return "";
  const ProgramNode &info = program.nodes[node];
  if (llvm::StringRef name = getString(program, info.name); !name.empty())
    return name.str();
  if (llvm::StringRef file = getString(program, info.file); !file.empty())
    return (file + ":" + llvm::Twine(info.line)).str();
  return getString(program, info.location).str();
}

llvm::StringRef report::getFunctionName(const Program &program, uint32_t node) {
  uint32_t function =
      node < program.nodes.size() ? getFunction(program, node) : kNone;
  return function < program.nodes.size()
             ? getString(program, program.nodes[function].name)
             : llvm::StringRef();
}
