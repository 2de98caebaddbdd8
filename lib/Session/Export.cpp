//===- Export.cpp - Exporting to other tools ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Export.h"
#include "Note.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Session/Graph.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::report;

/// Adds the graph of the module; without a module, of the HLO module with the
/// most time.
static llvm::Error addGraph(ExportSession &session, llvm::StringRef path) {
  session.nodesAreOps = bool(session.module);
  if (session.module) {
    session.graph = buildModuleGraph(session);
  } else {
    auto graph = buildHloGraph(session.profile, /*name=*/"", path);
    if (!graph)
      return graph.takeError();
    session.graph = std::move(*graph);
  }
  if (session.graph->name.empty())
    session.graph->name = llvm::sys::path::filename(path).str();
  return llvm::Error::success();
}

/// Notes which measurements light-weight profiling leaves out: if there are
/// probes, its formats contain only these.
static void noteLeftOut(llvm::StringRef path, const Profile &profile,
                        const ExportRequest &request,
                        const NoteHandler &onNote) {
  auto counted = llvm::count_if(profile.programs, [](const Program &program) {
    return !program.probes.empty();
  });
  if (request.exporter->name.starts_with("lwp") && counted != 0 &&
      size_t(counted) != profile.programs.size())
    note(onNote,
         path + ": its sampled recordings are left out, since others counted");
}

static bool canState(const Exporter &exporter, llvm::StringRef unit) {
  return unit.empty() || exporter.counts == ExportCounts::All ||
         (exporter.counts == ExportCounts::Cycles && unit.ends_with("cycles"));
}

/// Finds what the profile counted in place of time. Fails if the format cannot
/// state it.
static llvm::Error addCountedUnit(const Exporter &exporter,
                                  ExportSession &session) {
  // A format of the whole profile states all units.
  if (exporter.needs == ExportNeeds::Profile &&
      exporter.counts == ExportCounts::All)
    return llvm::Error::success();
  auto unit = getCountedUnit(session.profile);
  if (!unit)
    return unit.takeError();
  session.countedUnit = std::move(*unit);
  if (canState(exporter, session.countedUnit))
    return llvm::Error::success();
  std::string others;
  for (const Exporter &other : getExporters())
    if (canState(other, session.countedUnit))
      others += (others.empty() ? "" : ", ") + other.name.str();
  return inputError(session.path,
                    "counts " + session.countedUnit + ", and the format " +
                        exporter.name + " has times only",
                    "These formats state counts: " + others + ".");
}

llvm::Expected<ExportSession>
mlirprof::openForExport(llvm::StringRef path, const ExportRequest &request,
                        OpenOptions options) {
  ExportSession session;
  session.path = path.str();
  ExportNeeds needs = request.exporter->needs;
  options.takesCounts = true;
  if (needs == ExportNeeds::Profile) {
    auto profile = openProfile(path, options);
    if (!profile)
      return profile.takeError();
    session.profile = std::move(*profile);
  } else {
    if (needs == ExportNeeds::Events && !request.stacks &&
        options.import.keep.mode == KeepEvents::Mode::None)
      options.import.keep.mode = KeepEvents::Mode::All;
    auto opened = openSession(path, options);
    if (!opened)
      return opened.takeError();
    static_cast<Session &>(session) = std::move(*opened);
    if (session.module)
      session.sources = collectSourceChains(session.module.get());
  }
  if (llvm::Error error = addCountedUnit(*request.exporter, session))
    return std::move(error);
  if (needs == ExportNeeds::Graph)
    if (llvm::Error error = addGraph(session, path))
      return std::move(error);
  noteLeftOut(path, session.profile, request, options.onNote);
  return std::move(session);
}

llvm::Error mlirprof::exportSession(const ExportSession &session,
                                    const ExportRequest &request,
                                    llvm::raw_ostream &os,
                                    const NoteHandler &onNote) {
  PROF_SCOPE("export");
  LossList losses;
  ExportInput input{session.profile};
  if (session.ownership) {
    input.ownership = &*session.ownership;
    input.attribution = &*session.attribution;
  }
  if (session.module)
    input.sources = &session.sources;
  if (session.graph)
    input.graph = &*session.graph;
  input.nodesAreOps = session.nodesAreOps;
  input.stacks = request.stacks;
  input.countedUnit = session.countedUnit;
  input.losses = &losses;
  input.where = session.path;
  llvm::Error error = request.exporter->write(input, os);
  for (const Loss &loss : losses)
    note(onNote, request.exporter->name + ": " + describeLoss(loss));
  return error;
}
