//===- Styles.h - Styles of tables of scopes ------------------ -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_STYLES_H
#define MLIR_PROF_SCOPE_STYLES_H

#include "mlir-prof/Scope/Table.h"

namespace mlirprof::scope {

/// Choices of all styles. A style ignores those that it does not have.
struct StyleOptions {
  /// One of Style::sorts, or empty for its default.
  std::string sort;
  /// One of Style::units, or empty for its default.
  std::string unit;
  /// Some of Style::views; empty for all.
  std::vector<std::string> views;
  /// Whether threads are apart; paddle-report prints both without a choice.
  std::optional<bool> separatesThreads;
  /// paddle-summary: whether ops have rows for their parts.
  bool hasOpDetail = true;
  /// paddle-report: CPU, GPU or All.
  std::string state = "CPU";
  /// tree: where names are split (TableOptions::separator).
  std::string separator;
  /// tree: by recording, the name of its machine; empty if all are of one.
  std::vector<std::string> machines;
  /// tvm: the duration of the whole, if it is not the sum over recordings of
  /// the times from the first begin to the last end.
  std::optional<int64_t> totalPs;
  /// paddle-summary: ratios of the processor's time, 1 for all of it.
  std::optional<double> processUtilization;
  std::optional<double> systemUtilization;
};

/// A table, and sentences about it that do not belong to its layout.
struct StyledText {
  std::string text;
  std::vector<std::string> notes;
};

/// A layout of a table of scopes.
struct Style {
  const char *name;
  const char *description;
  /// The first one is the default.
  std::vector<const char *> sorts;
  std::vector<const char *> units;
  std::vector<const char *> views;
  StyledText (*write)(const Recordings &recordings,
                      const StyleOptions &options);
};

/// All styles, as lib/Scope/Styles/Styles.def lists them.
const std::vector<Style> &getStyles();

/// Writes recordings in the style `name` to `out`. Fails if there is no such
/// style, or if it lacks a choice of `options`.
std::optional<Problem> writeStyled(std::string_view name,
                                   const Recordings &recordings,
                                   const StyleOptions &options,
                                   StyledText &out);

/// A name that is safe in a table: valid UTF-8 without control characters,
/// which are written as "\u{a}", and with an ellipsis if it is longer than
/// `columns`.
std::string makeCell(std::string_view name, size_t columns);

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_STYLES_H
