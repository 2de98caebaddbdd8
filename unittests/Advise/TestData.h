//===- TestData.h - Profiles made by hand, and results of rules -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_ADVISE_TESTDATA_H
#define MLIR_PROF_UNITTESTS_ADVISE_TESTDATA_H

#include "mlir-prof/Advise/Advise.h"

using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace mlirprof::test {

inline constexpr int64_t kNs = 1000;
inline constexpr int64_t kUs = 1000 * kNs;
inline constexpr int64_t kMs = 1000 * kUs;

/// A profile with one run, and its companions.
struct Data {
  Data() { profile.runs.emplace_back(); }

  Run &run() { return profile.runs.front(); }
  /// Adds a measured op that ran `count` times for `eachPs`.
  uint32_t addOp(OpKey key, int64_t eachPs, uint64_t count = 1);
  /// Adds a track; events are those of addEvent().
  uint32_t addTrack(llvm::StringRef name);
  /// Adds `count` events of `eachPs`, not nested in others.
  void addEvent(uint32_t track, llvm::StringRef name, int64_t eachPs,
                uint64_t count = 1);
  void addStep(int64_t beginPs, int64_t durationPs, int64_t busyPs);
  /// Sets the owners of the op that was added last.
  void matchLast(MatchClass matchClass, std::vector<uint32_t> ops);

  /// The rule's result: "no data", "silent", or one line per advice: the gain,
  /// the parameters, and the subjects in brackets, all in ps.
  std::string ask(llvm::StringRef rule);
  AdviceReport adviseAll();

  Profile profile;
  Ownership ownership;
  bool hasModule = false;
  graph::Graph graph;
  std::vector<OpTrial> trials;
  std::vector<MatrixProduct> products;

private:
  AdviseInput makeInput();
  Attribution attribution;
};

OpKey callKey(llvm::StringRef op, llvm::StringRef shapes = "",
              std::vector<std::string> callers = {});
OpKey nodeKey(llvm::StringRef node, llvm::StringRef kernel);
OpKey outsideKey(llvm::StringRef symbol);
OpKey hloKey(llvm::StringRef instruction);

/// An op of a recorded model: 10 iterations of `eachPs` with these operations
/// and bytes.
struct RecordedOp {
  llvm::StringRef op;
  llvm::StringRef name;
  int64_t eachPs;
  uint64_t flops;
  uint64_t bytes;
};
enum class Loops : uint8_t { OneEach, OneForAll };
/// A recording as by `mlir-prof record`, on a machine that does 10^9 operations
/// and moves 10^9 bytes per second; each op uses the result of the one before.
Data makeRecording(llvm::ArrayRef<RecordedOp> ops,
                   Loops loops = Loops::OneEach);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_ADVISE_TESTDATA_H
