//===- Export.cpp - mlir-prof export --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "SessionGraph.h"
#include "Verbs.h"
#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Match/SourceChains.h"
#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using llvm::opt::InputArgList;

namespace {
/// What the command line asks for.
struct ExportRequest {
  llvm::StringRef path;
  llvm::StringRef model;
  const Exporter *exporter = nullptr;
  std::optional<StackKind> stacks;
};

/// A session and what else an exporter may need of it.
struct ExportSession : Session {
  SourceChains sources;
  std::optional<graph::Graph> graph;
  bool nodesAreOps = false;
};
} // namespace

static llvm::Expected<ExportRequest> getRequest(const InputArgList &arguments) {
  ExportRequest request;
  auto path = getOneInput(arguments, "profile");
  if (!path)
    return path.takeError();
  request.path = *path;
  request.model = arguments.getLastArgValue(OPT_model_EQ);
  llvm::StringRef format = arguments.getLastArgValue(OPT_format_EQ);
  if (format.empty())
    return usageError("needs --format=FORMAT (see mlir-prof info)");
  auto exporter = findExporter(format);
  if (!exporter)
    return asUsageError(exporter.takeError());
  request.exporter = *exporter;
  auto stacks = getChoice(arguments, OPT_stacks_EQ, getStackKindNames());
  if (!stacks)
    return stacks.takeError();
  if (arguments.hasArg(OPT_stacks_EQ)) {
    if (!request.exporter->hasStacks)
      return usageError("--stacks goes with formats of stacks, not with " +
                        format);
    request.stacks = StackKind(*stacks);
  }
  if (request.exporter->needs == ExportNeeds::Profile &&
      (!request.model.empty() || arguments.hasArg(OPT_level_EQ)))
    return usageError("--model and --level do not go with " + format +
                      ", which shows no module");
  return request;
}

static llvm::Expected<ExportSession> openFor(const InputArgList &arguments,
                                             const ExportRequest &request) {
  ExportSession session;
  if (request.exporter->needs == ExportNeeds::Profile) {
    auto profile = loadProfile(arguments, request.path);
    if (!profile)
      return profile.takeError();
    session.profile = std::move(*profile);
    return std::move(session);
  }
  bool hasEvents =
      request.exporter->needs == ExportNeeds::Events && !request.stacks;
  auto opened =
      openSession(arguments, request.path, request.model, ModuleUse::Optional,
                  hasEvents ? KeepEvents::Mode::All : KeepEvents::Mode::None);
  if (!opened)
    return opened.takeError();
  static_cast<Session &>(session) = std::move(*opened);
  if (session.module)
    session.sources = collectSourceChains(session.module.get());
  return std::move(session);
}

/// That of the module; without one that of the HLO module with most time.
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

/// Says which recordings light-weight profiling leaves out: its formats are of
/// probes where there are some.
static void noteLeftOut(const Profile &profile, const ExportRequest &request) {
  auto counted = llvm::count_if(profile.programs, [](const Program &program) {
    return !program.probes.empty();
  });
  if (request.exporter->name.starts_with("lwp") && counted != 0 &&
      size_t(counted) != profile.programs.size())
    note(request.path +
         ": its sampled recordings are left out, since others counted");
}

llvm::Error mlirprof::runExport(const InputArgList &arguments) {
  auto request = getRequest(arguments);
  if (!request)
    return request.takeError();
  auto session = openFor(arguments, *request);
  if (!session)
    return session.takeError();
  if (request->exporter->needs == ExportNeeds::Graph)
    if (llvm::Error error = addGraph(*session, request->path))
      return error;
  noteLeftOut(session->profile, *request);
  LossList losses;
  ExportInput input{session->profile};
  if (session->ownership) {
    input.ownership = &*session->ownership;
    input.attribution = &*session->attribution;
  }
  if (session->module)
    input.sources = &session->sources;
  if (session->graph)
    input.graph = &*session->graph;
  input.nodesAreOps = session->nodesAreOps;
  input.stacks = request->stacks;
  input.losses = &losses;
  llvm::Error error =
      writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
        return request->exporter->write(input, os);
      });
  for (const Loss &loss : losses)
    note(request->exporter->name + ": " + describeLoss(loss));
  return error;
}
