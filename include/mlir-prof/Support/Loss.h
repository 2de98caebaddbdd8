//===- Loss.h - Data that could not be kept ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_LOSS_H
#define MLIR_PROF_SUPPORT_LOSS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mlirprof {

/// Something that was measured or read but could not be kept, placed or
/// understood: its count, and the time that it carried in picoseconds.
struct Loss {
  std::string name;
  uint64_t count = 0;
  int64_t timePs = 0;
};

/// The losses of one run, at most one entry per name, in order of first
/// mention. Names may come from a file: beyond kMaxNames, further ones are
/// added to one last entry, "other losses (more than 1000 names)". Needs
/// neither LLVM nor MLIR, as lib/Scope does.
class LossList {
public:
  static constexpr size_t kMaxNames = 1000;

  /// Adds to the loss `name`; both numbers saturate.
  void add(std::string_view name, uint64_t count = 1, int64_t timePs = 0);

  bool empty() const { return losses.empty(); }
  auto begin() const { return losses.begin(); }
  auto end() const { return losses.end(); }
  const std::vector<Loss> &list() const { return losses; }

private:
  std::vector<Loss> losses;
  /// Positions in `losses`; names beyond the limit are not in it.
  std::map<std::string, size_t, std::less<>> byName;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_LOSS_H
