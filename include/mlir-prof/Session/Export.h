//===- Export.h - Exporting to other tools ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_EXPORT_H
#define MLIR_PROF_SESSION_EXPORT_H

#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Module/SourceChains.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

struct ExportRequest {
  /// See findExporter().
  const exporter::Exporter *exporter = nullptr;
  /// The kind of stacks, for an exporter that has stacks.
  std::optional<exporter::StackKind> stacks;
};

/// A session and the other inputs of an exporter.
struct ExportSession : Session {
  /// For errors.
  std::string path;
  profile::SourceChains sources;
  std::optional<graph::Graph> graph;
  bool nodesAreOps = false;
  /// As ExportInput::countedUnit.
  std::string countedUnit;
};

/// Opens the recording or profile `path` with the data that the exporter needs:
/// without its module if the format does not show it, with its events if the
/// format shows them.
llvm::Expected<ExportSession> openForExport(llvm::StringRef path,
                                            const ExportRequest &request,
                                            OpenOptions options = {});

/// Writes the session by the exporter, and notes the data that the format
/// leaves out.
llvm::Error exportSession(const ExportSession &session,
                          const ExportRequest &request, llvm::raw_ostream &os,
                          const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_EXPORT_H
