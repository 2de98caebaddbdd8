//===- Audit.cpp - Times by which an audit is weighted --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Audit.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Whether two programs have the same ops at `level`, at the same positions.
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

llvm::Expected<std::vector<int64_t>>
mlirprof::getNodeTimes(const Program &program, const Profile &profile,
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
          times[row.node] += time.totalPs();
    }
  if (!any)
    return inputError(
        path, "is not a recording of this model",
        "Record it with 'mlir-prof record' from the same module.");
  return std::move(times);
}
