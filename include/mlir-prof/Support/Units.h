//===- Units.h - Reading and formatting quantities --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_UNITS_H
#define MLIR_PROF_SUPPORT_UNITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace mlirprof {

/// A unit of time: its name and its length in picoseconds.
struct TimeUnit {
  llvm::StringRef name;
  int64_t ps = 1;
};

/// Ratios in millionths are formatted like us in ps.
inline constexpr TimeUnit kMillionths = {"", 1000000};

/// The largest of ps, ns, us, ms and s in which `ps` is at least 1.
TimeUnit chooseTimeUnit(int64_t ps);

/// `ps` in `unit` with three decimals (none for ps), rounded half away from
/// zero, without the unit's name, so that digits line up in a column. Integer
/// arithmetic only.
std::string formatTimeIn(int64_t ps, TimeUnit unit);

/// `ps` with its own unit: "248.717 ms".
std::string formatTime(int64_t ps);

/// `ps` with three significant digits and a unit, for pictures: "1.23 ms",
/// "812 ns", "4.56 \xC2\xB5s" in UTF-8.
std::string shortTime(int64_t ps);

/// `part` of `whole` in percent with one decimal: "99.1 %". Empty when `whole`
/// is not positive.
std::string formatPercent(int64_t part, int64_t whole);

/// "1 file", "2 files": `noun` is the singular of a noun whose plural adds an
/// s.
std::string formatCount(uint64_t count, llvm::StringRef noun);

/// Reads "1500", "1.5ns", "2 ms": a number of ps, ns, us, ms or s, plain
/// numbers are ps. Fails on anything else, on parts of a picosecond and on
/// times that do not fit into 64 bits.
llvm::Expected<int64_t> parseTime(llvm::StringRef text);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_UNITS_H
