//===- Instances.h - Dispatches that ran measured code ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_ATTRIBUTION_INSTANCES_H
#define MLIR_PROF_ATTRIBUTION_INSTANCES_H

#include "mlir-prof/Profile/ProgramLevels.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace mlirprof::attribution {

/// The part of some time that one of several dispatches gets.
struct InstancePart {
  uint32_t instance = trace::kNone;
  int64_t timePs = 0;
};

/// Finds the dispatches of a program (Program::instances) whose kernels contain
/// a piece of code.
class InstanceFinder {
public:
  /// `program` must outlive this.
  explicit InstanceFinder(const profile::Program &program);

  /// The dispatches that may have run what `key`, a key of the program,
  /// measured, ascending: the one that it names, or all those of the kernel if
  /// it does not name one of these. None for other code.
  llvm::ArrayRef<uint32_t> find(const profile::OpKey &key);
  /// The dispatches whose kernel contains `node`.
  llvm::ArrayRef<uint32_t> findAll(uint32_t node);

  /// The weight of a dispatch among others, where it is not known which of them
  /// ran: its static cost.
  uint64_t getWeight(uint32_t instance) const;
  /// Splits the time of `key` among these dispatches; one part without a
  /// dispatch if there are none.
  std::vector<InstancePart> split(const profile::OpKey &key, int64_t timePs);

private:
  uint32_t findNode(const profile::OpKey &key) const;
  std::vector<uint32_t> getKernels(uint32_t node) const;

  const profile::Program &program;
  /// By instance: its own number, so that one instance is a list, too.
  std::vector<uint32_t> numbers;
  /// The node of the first instruction of each loop that has one.
  std::vector<uint32_t> nodeOfLoop;
  /// Null without instances.
  std::unique_ptr<profile::AncestorTable> ancestors;
  std::vector<uint32_t> functions;
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> byKernel;
  /// The dispatches of several kernels together, which may have code in common.
  std::map<std::vector<uint32_t>, std::vector<uint32_t>> lists;
  /// The list of each node that was asked for.
  llvm::DenseMap<uint32_t, llvm::ArrayRef<uint32_t>> known;
};

/// A dispatch of a profile.
struct ProfileInstance {
  /// Index into Profile::programs.
  uint32_t program = trace::kNone;
  uint32_t instance = trace::kNone;

  bool operator<(const ProfileInstance &other) const {
    return std::tie(program, instance) <
           std::tie(other.program, other.instance);
  }
};

/// The same for all programs of a profile.
class ProfileInstances {
public:
  /// `profile` must outlive this.
  explicit ProfileInstances(const profile::Profile &profile);

  /// Whether any program has dispatches.
  bool empty() const { return isEmpty; }
  /// Index of the program in which `key` is a place, or kNone.
  uint32_t findProgram(const profile::OpKey &key) const;
  InstanceFinder &of(uint32_t program) { return finders[program]; }

private:
  std::vector<InstanceFinder> finders;
  llvm::StringMap<uint32_t> programs;
  bool isEmpty = true;
};

/// The number of dispatches that each op of a level serves, by its number
/// (Ownership::getNumber: program, index), as far as they are more than one.
/// Empty for levels before that of the dispatches.
std::map<std::pair<uint32_t, uint32_t>, uint64_t>
countInstances(const profile::Profile &profile, llvm::StringRef level);

} // namespace mlirprof::attribution

#endif // MLIR_PROF_ATTRIBUTION_INSTANCES_H
