//===- NameJoin.h - Names in the words of the module ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TENSORFLOW_NAMEJOIN_H
#define MLIR_PROF_LIB_MATCH_TENSORFLOW_NAMEJOIN_H

#include "../Hlo/PathTier.h"
#include "../Recorded/LineMatcher.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace mlirprof::match {

/// Joins ops that a recording names in the words of the module itself: by the
/// location of an op, as a path, a source position ("net.py:3:5"), or in the
/// form that reports and MLIR print; then by the event's own name; then, for a
/// kernel of a device, by the name of a function; then by the
/// number of a node in a graph of the module; last by the name of the op
/// ("linalg.matmul"). See docs/formats.md, generic recordings.
class NameJoin {
public:
  /// Whether the match of the op key with this number is final.
  using IsSettled = llvm::function_ref<bool(uint32_t)>;

  NameJoin(const module::ModuleIndex &index, PathResolver &resolver,
           LineMatcher &lines, const profile::Profile &profile)
      : index(index), resolver(resolver), lines(lines), profile(profile) {}

  /// Completes the matches of nodes, and of samples of stacks, that lack an op
  /// or have several under one name, except those of which the matcher is sure
  /// (KeyMatcher::isSettled).
  void run(IsSettled isSettled, std::vector<attribution::Match> &matches);

private:
  using Ops = llvm::SmallVector<uint32_t>;
  struct Found {
    std::string name;
    Ops ops;
    attribution::MatchTier tier = attribution::MatchTier::LocationPath;
    /// Whether they ran as one.
    bool isFused = false;
  };

  Found find(const profile::OpKey &key);
  Found findText(llvm::StringRef text);
  Found findLocation(llvm::StringRef text);
  Found findPosition(llvm::StringRef text);
  Found findOpName(llvm::StringRef name);
  /// The ops of the function that a kernel of a device is.
  Found findFunction(llvm::StringRef name);
  Ops getPath(llvm::StringRef name);
  void narrow(const profile::OpKey &key, Found &found) const;
  void joinByNumber(IsSettled isSettled,
                    std::vector<attribution::Match> &matches);
  bool isNumberOf(const profile::OpKey &key) const;

  const module::ModuleIndex &index;
  PathResolver &resolver;
  LineMatcher &lines;
  const profile::Profile &profile;
  /// The context for parsing locations of the recording: without dialects,
  /// whose parsers are not made for foreign text.
  std::unique_ptr<mlir::MLIRContext> foreign;
  /// Ops by their names, built on first use.
  llvm::StringMap<Ops> byOpName;
  /// Ops with a symbol name and a region, built likewise.
  llvm::StringMap<uint32_t> functions;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TENSORFLOW_NAMEJOIN_H
