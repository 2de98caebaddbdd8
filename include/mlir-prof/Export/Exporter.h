//===- Exporter.h - Export formats ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_EXPORT_EXPORTER_H
#define MLIR_PROF_EXPORT_EXPORTER_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Profile/SourceChains.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace mlirprof::exporter {

/// The kind of stacks that a profile is exported by; see docs/formats.md.
enum class StackKind : uint8_t {
  /// The components of an op's path, which a framework forms from its modules.
  Module,
  /// The calls in the user's program.
  Source,
  /// The lowering of an op, level by level down to the measured code.
  Level,
  /// The functions, loops and other ops that contain an op.
  Loop,
  /// The scopes around a scope.
  Scope,
};
/// Their names on the command line, in order of the enumeration.
llvm::ArrayRef<llvm::StringRef> getStackKindNames();

/// Input of exporters. The targets of its pointers must outlive it.
struct ExportInput {
  const profile::Profile &profile;
  /// Both are set, or both are null without a module.
  const attribution::Ownership *ownership = nullptr;
  const attribution::Attribution *attribution = nullptr;
  /// For the same ops; may be null.
  const profile::SourceChains *sources = nullptr;
  /// For formats that require one.
  const graph::Graph *graph = nullptr;
  /// Whether Node::id is an index into Ownership::ops.
  bool nodesAreOps = false;
  /// The unit that was counted in place of time, a plural; empty for times.
  std::string countedUnit = {};
  /// None: the format's default.
  std::optional<StackKind> stacks = {};
  /// Receives data that the format cannot represent; may be null.
  LossList *losses = nullptr;
  /// Names the profile in errors.
  std::string where = "profile";
};

enum class ExportNeeds : uint8_t {
  /// The profile alone, without a module.
  Profile,
  /// Also a module, if there is one.
  Ownership,
  /// Like Ownership, plus Run::kept of a recording unless stacks are requested.
  Events,
  /// A graph.
  Graph,
};

/// The counts that a format can have in place of times (CountedUnit.h).
enum class ExportCounts : uint8_t {
  None,
  /// Counts whose unit is a kind of cycles.
  Cycles,
  /// Any, with the unit.
  All,
};

/// A format of another program. To add one, add a folder in lib/Export and a
/// line in Exporters.def there.
struct Exporter {
  /// For --format, "lwp-csv".
  llvm::StringRef name;
  /// One line for `mlir-prof info`.
  llvm::StringRef description;
  ExportNeeds needs = ExportNeeds::Profile;
  /// Fails if the profile does not contain anything that the format can
  /// represent.
  llvm::Error (*write)(const ExportInput &input, llvm::raw_ostream &os);
  /// Whether it uses ExportInput::stacks.
  bool hasStacks = false;
  ExportCounts counts = ExportCounts::None;
};

llvm::ArrayRef<Exporter> getExporters();

/// Finds a format by name; for an unknown one, the error lists all names.
llvm::Expected<const Exporter *> findExporter(llvm::StringRef name);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_EXPORT_EXPORTER_H
