//===- PathTier.h - Location paths to ops -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_PATHTIER_H
#define MLIR_PROF_LIB_MATCH_HLO_PATHTIER_H

#include "mlir-prof/Module/ModuleIndex.h"

namespace mlirprof::match {

/// The form of a producer's path of an op in the body of a loop or branch.
enum class PathStyle : uint8_t {
  /// TensorFlow's graph: while/body/_N/op.
  Graph,
  /// XLA: the op's own path, as if nothing called the body.
  Xla,
};

/// The set in which a name is looked up.
enum class PathScope : uint8_t {
  /// Full paths only.
  Full,
  /// Also an op's own name in any function, if no full path is the name.
  FullThenOwn,
};

/// A candidate op, and its frame for comparison: its own, or that of the call
/// that leads to it.
struct OwnerCandidate {
  uint32_t op = 0;
  module::Frame frame;
};
using OwnerCandidates = llvm::SmallVector<OwnerCandidate, 2>;

/// Finds the ops whose location path is a given name. Shared functions can have
/// exponentially many paths, so instead of writing them down, it splits the
/// name along the calls.
class PathResolver {
public:
  explicit PathResolver(const module::ModuleIndex &index) : index(index) {}

  /// The ops with path `name`, ascending by op; an op that is reached by
  /// several calls is listed once per frame.
  const OwnerCandidates &resolve(llvm::StringRef name, PathStyle style,
                                 PathScope scope);

  /// The path of op `number` from the first top function that leads to it, or
  /// "" without a name.
  std::string getPath(uint32_t number, PathStyle style);

private:
  struct Root {
    uint32_t function = 0;
    module::Frame frame;
  };
  struct CallSite {
    uint32_t name;
    uint32_t call;
  };
  struct Style {
    bool known = false;
    std::vector<Root> roots;
    /// The same by function, with the calls in them by name: a module may have
    /// as many roots as functions, too many to search for every name.
    std::vector<Root> rootsByFunction;
    std::vector<CallSite> rootSites;
    /// Prefix of the ops of each function; only filled for getPath.
    std::vector<std::string> prefixes;
  };

  Style &getStyle(PathStyle style);
  void addRoots(PathStyle style, std::vector<Root> &roots);
  void sortRoots(Style &style);
  void addPrefixes(PathStyle style, Style &result);
  OwnerCandidates findFull(llvm::StringRef name, PathStyle style);
  OwnerCandidates findOwn(llvm::StringRef name) const;
  /// Calls in `function`, as a range of callSites.
  llvm::ArrayRef<CallSite> getCallSites(uint32_t function);
  void addCallSites();

  const module::ModuleIndex &index;
  Style styles[2];
  llvm::StringMap<OwnerCandidates> memo[2][2];
  /// The named calls of each function, sorted by name.
  std::vector<CallSite> callSites;
  std::vector<size_t> callSiteBegin;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_PATHTIER_H
