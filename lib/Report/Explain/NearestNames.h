//===- NearestNames.h - Similar names ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_EXPLAIN_NEARESTNAMES_H
#define MLIR_PROF_LIB_REPORT_EXPLAIN_NEARESTNAMES_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace mlirprof::report {

/// Keeps the names most similar to one: first those that contain it, then by
/// edit distance. Equal names count once.
class NearestNames {
public:
  explicit NearestNames(llvm::StringRef wanted, size_t limit = 5);

  /// `name` must outlive this.
  void add(llvm::StringRef name);
  /// Best first.
  std::vector<std::string> take() const;

private:
  /// Computing the edit distance of longer names would take too long.
  static constexpr size_t kMaxLength = 200;

  llvm::StringRef wanted;
  size_t limit;
  /// Distance and name; containing ones below all others.
  std::set<std::tuple<unsigned, size_t, llvm::StringRef>> best;
};

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_EXPLAIN_NEARESTNAMES_H
