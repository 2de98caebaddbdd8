//===- Graph.cpp - mlir-prof graph ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "SessionGraph.h"
#include "Verbs.h"
#include "mlir-prof/Graph/CallGraph.h"
#include "mlir-prof/Graph/Collapse.h"
#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/OverlapGraph.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/Units.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using llvm::opt::InputArgList;

namespace {
using graph::GraphKind;

/// What the command line asks for.
struct GraphRequest {
  llvm::StringRef input;
  llvm::StringRef model;
  /// None: dataflow with a module, else hlo.
  std::optional<GraphKind> kind;
  llvm::StringRef hloModule;
  graph::EventOptions events;
  const graph::GraphFormat *format = nullptr;
  graph::DrawOptions drawing;

  /// Whether it is of events: then it shows no module.
  bool isOfEvents() const { return kind && graph::isOfEvents(*kind); }
};
} // namespace

static llvm::Expected<const graph::GraphFormat *>
getFormat(const InputArgList &arguments) {
  llvm::StringRef name = arguments.getLastArgValue(OPT_format_EQ, "svg");
  if (const graph::GraphFormat *format = graph::findGraphFormat(name))
    return format;
  auto names = llvm::map_range(
      graph::getGraphFormats(),
      [](const graph::GraphFormat &f) -> llvm::StringRef { return f.name; });
  return usageError("there is no graph format '" + name + "', only " +
                    llvm::join(names, ", "));
}

/// Reads what is asked of events.
static llvm::Error getEvents(const InputArgList &arguments,
                             GraphRequest &request) {
  auto events = getChoice(arguments, OPT_events_EQ, {"ops", "python", "all"});
  if (!events)
    return events.takeError();
  if (arguments.hasArg(OPT_events_EQ))
    request.events.events = graph::EventKind(*events);
  else if (request.kind == GraphKind::Calls)
    request.events.events = graph::EventKind::Python;
  if (arguments.hasArg(OPT_step_EQ)) {
    int64_t step = 0;
    if (arguments.getLastArgValue(OPT_step_EQ).getAsInteger(10, step))
      return usageError("--step needs a whole number");
    request.events.step = step;
  }
  if (request.isOfEvents())
    return llvm::Error::success();
  if (request.events.step)
    return usageError("--step goes with --kind=overlap and --kind=calls: other "
                      "graphs sum up all steps");
  if (arguments.hasArg(OPT_events_EQ))
    return usageError("--events goes with --kind=overlap and --kind=calls: "
                      "other graphs show no events");
  return llvm::Error::success();
}

/// Reads how the graph is drawn.
static llvm::Error getDrawing(const InputArgList &arguments,
                              GraphRequest &request) {
  auto palette = getChoice(arguments, OPT_palette_EQ, {"heat", "viridis"});
  if (!palette)
    return palette.takeError();
  request.drawing.palette = graph::Palette(*palette);
  auto scale = getChoice(arguments, OPT_scale_EQ, {"linear", "log"});
  if (!scale)
    return scale.takeError();
  request.drawing.scale = graph::Scale(*scale);
  auto maxNodes = getNumber(arguments, OPT_max_nodes_EQ, 1);
  if (!maxNodes)
    return maxNodes.takeError();
  if (*maxNodes) {
    request.drawing.maxNodes = uint32_t(std::min<uint64_t>(**maxNodes, kNone));
    request.drawing.size = graph::PictureSize::Any;
  }
  if (arguments.hasArg(OPT_unfold))
    request.drawing.repeats = graph::Repeats::Unfolded;
  if (arguments.hasArg(OPT_unfold))
    request.drawing.size = graph::PictureSize::Any;
  return llvm::Error::success();
}

static llvm::Expected<GraphRequest> getRequest(const InputArgList &arguments) {
  GraphRequest request;
  auto input = getOneInput(arguments, "profile");
  if (!input)
    return input.takeError();
  request.input = *input;
  request.model = arguments.getLastArgValue(OPT_model_EQ);
  auto kind = getChoice(arguments, OPT_kind_EQ,
                        {"dataflow", "hlo", "overlap", "calls"});
  if (!kind)
    return kind.takeError();
  if (arguments.hasArg(OPT_kind_EQ))
    request.kind =
        graph::parseGraphKind(arguments.getLastArgValue(OPT_kind_EQ));
  request.hloModule = arguments.getLastArgValue(OPT_hlo_module_EQ);
  if (llvm::Error error = getEvents(arguments, request))
    return std::move(error);
  if (!request.hloModule.empty() && request.kind != GraphKind::Hlo)
    return usageError("--hlo-module goes with --kind=hlo");
  if (arguments.hasArg(OPT_level_EQ) && request.kind &&
      request.kind != GraphKind::Dataflow)
    return usageError("--level goes with --kind=dataflow: other graphs show no "
                      "module");
  auto format = getFormat(arguments);
  if (!format)
    return format.takeError();
  request.format = *format;
  if (llvm::Error error = getDrawing(arguments, request))
    return std::move(error);
  return request;
}

/// Whether the text is a graph that this tool wrote. Its first member tells;
/// profiles and recordings in JSON start with others.
static bool isMlirGraph(llvm::StringRef text) {
  text = text.ltrim();
  if (!text.consume_front("{"))
    return false;
  text = text.ltrim();
  return text.starts_with("\"version\"") || text.starts_with("\"nodes\"") ||
         text.starts_with("\"edges\"");
}

/// The graph in `path`, or none when that is no graph.
static llvm::Expected<std::optional<graph::Graph>>
readGraph(llvm::StringRef path) {
  // Standard input and pipes can be read once only: they are profiles.
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

/// The graph of a profile's events. Those of a recording are all kept for it.
static llvm::Expected<graph::Graph>
buildEventGraph(const InputArgList &arguments, const GraphRequest &request) {
  auto profile = loadProfile(arguments, request.input, KeepEvents::Mode::All);
  if (!profile)
    return profile.takeError();
  if (request.kind == GraphKind::Overlap)
    return graph::buildOverlapGraph(*profile, /*run=*/0, request.events);
  auto calls = graph::buildCallGraph(*profile, request.events);
  if (!calls)
    return calls.takeError();
  if (calls->partialOverlaps)
    note(
        llvm::formatv("{0} events overlap others without nesting in them: they "
                      "count as calls of what is around both",
                      calls->partialOverlaps));
  if (calls->emptyRuns)
    note(llvm::formatv("{0} runs have kept no events and are left out",
                       calls->emptyRuns));
  note(llvm::formatv("{0} functions by their callers, {1} in all",
                     calls->graph.nodes.size(),
                     formatTime(graph::totalTime(calls->graph))));
  return std::move(calls->graph);
}

static llvm::Expected<graph::Graph> buildGraph(const InputArgList &arguments,
                                               const GraphRequest &request) {
  auto read = readGraph(request.input);
  if (!read)
    return read.takeError();
  if (*read) {
    if (request.kind || !request.model.empty() ||
        arguments.hasArg(OPT_level_EQ))
      return usageError(
          request.input +
          " is a graph already: --kind, --level and --model do not apply");
    return std::move(**read);
  }

  if (request.isOfEvents())
    return buildEventGraph(arguments, request);
  auto session = openSession(arguments, request.input, request.model,
                             request.kind == GraphKind::Dataflow ||
                                     arguments.hasArg(OPT_level_EQ)
                                 ? ModuleUse::Required
                                 : ModuleUse::Optional);
  if (!session)
    return session.takeError();
  if (session->module && request.kind != GraphKind::Hlo)
    return buildModuleGraph(*session, CallDrawing::Instances);
  return buildHloGraph(session->profile, request.hloModule, request.input);
}

/// Marks the critical path, and says how long it is and what of it is certain.
static void noteCriticalPath(graph::Graph &graph) {
  graph::CriticalPath path = graph::markCriticalPath(graph);
  note(llvm::formatv("{0} nodes, {1} edges; critical path {2} over {3} nodes",
                     graph.nodes.size(), graph.edges.size(),
                     formatTime(path.lengthPs), path.nodes.size()));
  if (path.boundPs < path.lengthPs)
    note(llvm::formatv("no order of the ops takes less than {0}; the rest of "
                       "the critical path rests on estimates",
                       formatTime(path.boundPs)));
  auto uncounted = llvm::count_if(graph.nodes, [](const graph::Node &node) {
    return node.places == 0 && node.durationPs > 0;
  });
  if (uncounted)
    note(llvm::formatv("{0} nodes are of functions that call themselves: how "
                       "often they run one after another is not known, so "
                       "that they do not count for this bound",
                       uncounted));
  if (path.ignoredEdges)
    note(llvm::formatv("{0} edges close cycles and were left out of the "
                       "critical path",
                       path.ignoredEdges));
}

llvm::Error mlirprof::runGraph(const InputArgList &arguments) {
  auto request = getRequest(arguments);
  if (!request)
    return request.takeError();
  auto graph = buildGraph(arguments, *request);
  if (!graph)
    return graph.takeError();
  if (graph->name.empty())
    graph->name = llvm::sys::path::filename(request->input).str();
  // Events that alternate are no layers of a model.
  if (graph::isOfEvents(graph->kind))
    request->drawing.repeats = graph::Repeats::Unfolded;
  else
    noteCriticalPath(*graph);
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    request->format->write(*graph, request->drawing, os);
    return llvm::Error::success();
  });
}
