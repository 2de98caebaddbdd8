//===- Graph.cpp - Graphs of a profile ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Graph.h"
#include "Note.h"
#include "mlir-prof/Graph/CallGraph.h"
#include "mlir-prof/Graph/Collapse.h"
#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/HloGraph.h"
#include "mlir-prof/Graph/OverlapGraph.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static std::string getHloName(const HloModule &module) {
  return llvm::formatv("{0}({1})", module.name, module.programId).str();
}

/// The HLO module of that name, or the one with the most time if `name` is
/// empty.
static llvm::Expected<const HloModule *>
chooseHloModule(const Profile &profile, llvm::StringRef name,
                llvm::StringRef where) {
  if (profile.hloModules.empty())
    return inputError(where, "does not contain an HLO module",
                      "It comes with recordings of JAX, and of TensorFlow with "
                      "jit_compile. The ops of the module that was run are "
                      "drawn with --model=FILE.");
  std::vector<std::string> known;
  for (const HloModule &module : profile.hloModules) {
    if (!name.empty() && (name == module.name || name == getHloName(module)))
      return &module;
    known.push_back(getHloName(module));
  }
  if (!name.empty())
    return inputError(where, "does not contain the HLO module '" + name + "'",
                      "It contains " + llvm::join(known, ", ") + ".");

  llvm::MapVector<const HloModule *, int64_t> times;
  for (const OpSummary &op : mergeRuns(profile)) {
    const OpKey &key = profile.opKeys[op.op];
    if (const auto *details = key.getIf<HloInstructionKey>())
      if (const HloModule *module = findHloModule(
              profile.hloModules, details->getModule(), details->programId))
        times[module] = saturatingAdd(times[module], op.getTimePs());
  }
  const HloModule *hottest = &profile.hloModules.front();
  for (const auto &[module, time] : times)
    if (time > times.lookup(hottest))
      hottest = module;
  return hottest;
}

graph::Graph mlirprof::buildModuleGraph(const Session &session,
                                        CallDrawing calls,
                                        KernelDrawing kernels) {
  return buildDataflowGraph(session.module.get(), *session.ownership,
                            *session.attribution, calls, &session.profile,
                            kernels);
}

llvm::Expected<graph::Graph> mlirprof::buildHloGraph(const Profile &profile,
                                                     llvm::StringRef name,
                                                     llvm::StringRef where) {
  auto module = chooseHloModule(profile, name, where);
  if (!module)
    return module.takeError();
  return graph::buildHloGraph(**module, profile);
}

/// Whether the text is a graph written by this tool, as its first member shows;
/// profiles and recordings in JSON start with others.
static bool isMlirGraph(llvm::StringRef text) {
  text = text.ltrim();
  if (!text.consume_front("{"))
    return false;
  text = text.ltrim();
  return text.starts_with("\"version\"") || text.starts_with("\"nodes\"") ||
         text.starts_with("\"edges\"");
}

/// The graph in `path`, or none if the file is not a graph.
static llvm::Expected<std::optional<graph::Graph>>
readGraph(llvm::StringRef path) {
  // Standard input and pipes can be read only once: they are treated as
  // profiles.
  if (path == "-" || isPipe(path))
    return std::nullopt;
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  if (!isMlirGraph((*buffer)->getBuffer()))
    return std::nullopt;
  auto graph = unlessChanged(
      **buffer, graph::readMlirGraph((*buffer)->getBuffer(), path));
  if (!graph)
    return graph.takeError();
  return std::move(*graph);
}

/// The graph of a profile's events. For a recording, all of them are kept for
/// it.
static llvm::Expected<graph::Graph> buildEventGraph(llvm::StringRef path,
                                                    const GraphRequest &request,
                                                    OpenOptions options) {
  if (options.import.keep.mode == KeepEvents::Mode::None)
    options.import.keep.mode = KeepEvents::Mode::All;
  auto profile = openProfile(path, options);
  if (!profile)
    return profile.takeError();
  graph::EventOptions events = request.events;
  events.where = path.str();
  if (request.kind == graph::GraphKind::Overlap)
    return graph::buildOverlapGraph(*profile, /*run=*/0, events);
  auto calls = graph::buildCallGraph(*profile, events);
  if (!calls)
    return calls.takeError();
  if (calls->partialOverlaps)
    note(options.onNote, "counted as calls by the event around both: " +
                             formatCount(calls->partialOverlaps, "event") +
                             " that overlap others without nesting in them");
  if (calls->emptyRuns)
    note(options.onNote, "left out: " + formatCount(calls->emptyRuns, "run") +
                             " without kept events");
  note(options.onNote,
       llvm::formatv("{0} by caller, {1} in all",
                     formatCount(calls->graph.nodes.size(), "function"),
                     formatTime(graph::totalTime(calls->graph))));
  return std::move(calls->graph);
}

/// Whether the module is of the level at which a model is a graph of
/// dispatches.
static bool isHostGraph(const Session &session) {
  return llvm::any_of(session.profile.programs, [&](const Program &program) {
    uint32_t level = getInstanceLevel(program);
    return level < program.levels.size() &&
           program.levels[level] == session.level;
  });
}

/// The graph of the ops of a profile's module, or of its HLO module.
static llvm::Expected<graph::Graph> buildOpGraph(llvm::StringRef path,
                                                 const GraphRequest &request,
                                                 OpenOptions options) {
  if (request.kind == graph::GraphKind::Dataflow || !options.level.empty())
    options.use = ModuleUse::Required;
  auto session = openSession(path, options);
  if (!session)
    return session.takeError();
  if (session->module && request.kind != graph::GraphKind::Hlo)
    return buildModuleGraph(*session, CallDrawing::Instances,
                            isHostGraph(*session) ? KernelDrawing::Folded
                                                  : KernelDrawing::Open);
  return buildHloGraph(session->profile, request.hloModule, path);
}

llvm::Expected<graph::Graph> mlirprof::openGraph(llvm::StringRef path,
                                                 const GraphRequest &request,
                                                 const OpenOptions &options) {
  auto read = readGraph(path);
  if (!read)
    return read.takeError();
  if (*read) {
    if (request.kind || !options.model.empty() || !options.level.empty())
      return usageError(
          path +
          " is already a graph: --kind, --level and --model do not apply");
  }
  auto graph = *read ? llvm::Expected<graph::Graph>(std::move(**read))
               : request.isOfEvents() ? buildEventGraph(path, request, options)
                                      : buildOpGraph(path, request, options);
  if (graph && graph->name.empty())
    graph->name = llvm::sys::path::filename(path).str();
  return graph;
}

void mlirprof::markCriticalPath(graph::Graph &graph,
                                const NoteHandler &onNote) {
  graph::CriticalPath path = graph::markCriticalPath(graph);
  note(onNote, llvm::formatv("{0}, {1}; critical path {2} over {3}",
                             formatCount(graph.nodes.size(), "node"),
                             formatCount(graph.edges.size(), "edge"),
                             formatTime(path.lengthPs),
                             formatCount(path.nodes.size(), "node")));
  if (path.boundPs < path.lengthPs)
    note(onNote,
         llvm::formatv("no order of the ops takes less than {0}; the rest of "
                       "the critical path rests on estimates",
                       formatTime(path.boundPs)));
  auto uncounted = llvm::count_if(graph.nodes, [](const graph::Node &node) {
    return node.places == 0 && node.durationPs > 0;
  });
  if (uncounted)
    note(onNote,
         "not counted for this bound: " + formatCount(uncounted, "node") +
             " of functions that call themselves, since it is unknown how "
             "often they run one after another");
  if (path.ignoredEdges)
    note(onNote, "left out of the critical path: " +
                     formatCount(path.ignoredEdges, "edge") +
                     " that would close cycles");
}
