//===- Text.h - Cells and numbers of styles ------------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_STYLES_TEXT_H
#define MLIR_PROF_LIB_SCOPE_STYLES_TEXT_H

#include "mlir-prof/Scope/Styles.h"

namespace mlirprof::scope::style {

#define MLIRPROF_STYLE(NAME) Style NAME();
#include "Styles.def"

/// Names are at most so long.
inline constexpr size_t kNameColumns = 100;

/// Scopes that nest deeper count as if they were at that depth, so that rows of
/// any recording fit the stack.
inline constexpr uint32_t kDeepest = 500;

/// Characters of valid UTF-8.
size_t countColumns(std::string_view text);
/// `text` and spaces, or other bytes, to `columns`.
std::string padRight(std::string_view text, size_t columns);
std::string padLeft(std::string_view text, size_t columns);
/// `text` in the middle of dashes.
std::string makeTitle(std::string_view text, size_t columns);

/// With `digits` after the point, in every locale.
std::string formatFixed(double value, int digits);
/// With six digits, as streams do.
std::string formatGeneral(double value);

/// Picoseconds of "s", "ms", "us", "ns" or "min".
double getUnitPs(std::string_view unit);

/// The sum of the spans of recordings, without the time between them: from the
/// first begin to the last end, or the self times of one without events.
int64_t getSpanPs(const Recordings &recordings);

/// a / b, and 0 if b is.
inline double getRatio(double a, double b) { return b == 0 ? 0 : a / b; }

inline bool hasOnlyStatistics(const Recording &recording) {
  return recording.hasStatistics && !recording.hasEvents;
}

/// Whether a thread of the recordings belongs to a device and has scopes.
bool hasDevices(const Recordings &recordings);

} // namespace mlirprof::scope::style

#endif // MLIR_PROF_LIB_SCOPE_STYLES_TEXT_H
