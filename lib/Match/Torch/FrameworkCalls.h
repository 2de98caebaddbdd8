//===- FrameworkCalls.h - The calls that a framework ran --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_FRAMEWORKCALLS_H
#define MLIR_PROF_LIB_MATCH_TORCH_FRAMEWORKCALLS_H

#include "TorchOps.h"
#include "mlir-prof/Profile/CallCounts.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/StringSet.h"

namespace mlirprof::match {

/// One recorded op, with its callees.
struct RecordedCall {
  /// Index into Profile::opKeys.
  uint32_t key = 0;
  std::vector<uint32_t> callees;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<SourceCall> frames;
};

/// The recorded calls of a profile in order of execution, as a forest.
class FrameworkCalls {
public:
  explicit FrameworkCalls(const profile::Profile &profile);

  bool empty() const { return calls.empty(); }
  size_t size() const { return calls.size(); }
  const RecordedCall &operator[](uint32_t call) const { return calls[call]; }
  const profile::OpKey &getKey(uint32_t call) const {
    return profile.opKeys[calls[call].key];
  }
  const profile::FrameworkCallKey &getCall(uint32_t call) const {
    return getKey(call).get<profile::FrameworkCallKey>();
  }
  /// Calls without a caller.
  llvm::ArrayRef<uint32_t> getRoots() const { return roots; }

  /// The outermost ops of the framework below `roots`, in order, without ops
  /// that only wrap others. Ops that are not in `known` are opened as long as
  /// one of the calls in them is known.
  std::vector<uint32_t> getUnits(llvm::ArrayRef<uint32_t> roots,
                                 const llvm::StringSet<> &known) const;
  /// `call` and all calls below it.
  void addTree(uint32_t call, std::vector<uint32_t> &out) const;

private:
  void addUnits(uint32_t call, const llvm::StringSet<> &known,
                std::vector<uint32_t> &out) const;
  bool hasKnown(uint32_t call, const llvm::StringSet<> &known) const;

  const profile::Profile &profile;
  std::vector<RecordedCall> calls;
  std::vector<uint32_t> roots;
};

/// Whether a recorded op only wraps others ("autograd::engine::...", functions
/// of Python, compiled regions).
bool isWrapper(llvm::StringRef op);

/// The part of `key` that is equal in all repetitions of the call.
std::string getPlace(const profile::OpKey &key);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_FRAMEWORKCALLS_H
