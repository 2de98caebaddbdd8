//===- Exporter.h - The formats that can be written -------------*- C++ -*-===//
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

/// What the stacks of a profile go by; see docs/formats.md.
enum class StackKind : uint8_t {
  /// The parts of an op's path, which a framework makes of its modules.
  Module,
  /// The calls in the user's program.
  Source,
  /// What an op became, level by level down to what was measured.
  Level,
  /// The functions, loops and other ops that hold an op.
  Loop,
};
/// Their names on the command line, in order of the enumeration.
llvm::ArrayRef<llvm::StringRef> getStackKindNames();

/// What exporters write. What pointers point to must outlive it.
struct ExportInput {
  const profile::Profile &profile;
  /// These come together, or are null without a module.
  const attribution::Ownership *ownership = nullptr;
  const attribution::Attribution *attribution = nullptr;
  /// Of the same ops; may be null.
  const profile::SourceChains *sources = nullptr;
  /// For formats that say that they need one.
  const graph::Graph *graph = nullptr;
  /// Whether Node::id is an index into Ownership::ops.
  bool nodesAreOps = false;
  /// None: what the format says best.
  std::optional<StackKind> stacks = {};
  /// Receives what the format could not hold; may be null.
  LossList *losses = nullptr;
};

enum class ExportNeeds : uint8_t {
  /// The profile alone; a module is not looked at.
  Profile,
  /// Also a module, where there is one.
  Ownership,
  /// As Ownership, and of a recording Run::kept, unless stacks are asked for.
  Events,
  /// A graph.
  Graph,
};

/// One format of other programs. Adding one is a folder in lib/Export and a
/// line in Exporters.def there.
struct Exporter {
  /// For --format, "lwp-csv".
  llvm::StringRef name;
  /// One line for `mlir-prof info`.
  llvm::StringRef description;
  ExportNeeds needs = ExportNeeds::Profile;
  /// Fails when the profile has nothing that the format can say.
  llvm::Error (*write)(const ExportInput &input, llvm::raw_ostream &os);
  /// Whether it heeds ExportInput::stacks.
  bool hasStacks = false;
};

llvm::ArrayRef<Exporter> getExporters();

/// Finds a format by name; an unknown one is an error that names all.
llvm::Expected<const Exporter *> findExporter(llvm::StringRef name);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_EXPORT_EXPORTER_H
