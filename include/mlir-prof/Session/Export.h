//===- Export.h - A session in the formats of other tools -------*- C++ -*-===//
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
  /// Which stacks, of an exporter that has stacks.
  std::optional<exporter::StackKind> stacks;
};

/// A session and what else an exporter may need of it.
struct ExportSession : Session {
  profile::SourceChains sources;
  std::optional<graph::Graph> graph;
  bool nodesAreOps = false;
};

/// Opens the recording or profile `path` with what the exporter needs: without
/// its module where that shows none, with its events where it shows these.
llvm::Expected<ExportSession> openForExport(llvm::StringRef path,
                                            const ExportRequest &request,
                                            OpenOptions options = {});

/// Writes the session as the exporter does, and notes what that leaves out.
llvm::Error exportSession(const ExportSession &session,
                          const ExportRequest &request, llvm::raw_ostream &os,
                          const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_EXPORT_H
