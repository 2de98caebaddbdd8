//===- Graph.cpp - mlir-prof graph ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Graph.h"
#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::trace;
using llvm::opt::InputArgList;

namespace {
using graph::GraphKind;

/// The request on the command line.
struct DrawRequest : GraphRequest {
  llvm::StringRef input;
  const graph::GraphFormat *format = nullptr;
  graph::DrawOptions drawing;
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

/// Reads the options on events.
static llvm::Error getEvents(const InputArgList &arguments,
                             DrawRequest &request) {
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
                      "other graphs do not show events");
  return llvm::Error::success();
}

/// Reads the options on drawing.
static llvm::Error getDrawing(const InputArgList &arguments,
                              DrawRequest &request) {
  auto palette =
      getChoice(arguments, OPT_palette_EQ,
                llvm::to_vector_of<llvm::StringRef>(graph::getPaletteNames()));
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

static llvm::Expected<DrawRequest> getRequest(const InputArgList &arguments) {
  DrawRequest request;
  auto input = getOneInput(arguments, "profile");
  if (!input)
    return input.takeError();
  request.input = *input;
  auto kind = getChoice(arguments, OPT_kind_EQ,
                        {"dataflow", "hlo", "overlap", "calls"});
  if (!kind)
    return kind.takeError();
  if (arguments.hasArg(OPT_kind_EQ))
    request.kind =
        graph::parseGraphKind(arguments.getLastArgValue(OPT_kind_EQ));
  request.hloModule = arguments.getLastArgValue(OPT_hlo_module_EQ).str();
  if (llvm::Error error = getEvents(arguments, request))
    return std::move(error);
  if (!request.hloModule.empty() && request.kind != GraphKind::Hlo)
    return usageError("--hlo-module goes with --kind=hlo");
  if (arguments.hasArg(OPT_level_EQ) && request.kind &&
      request.kind != GraphKind::Dataflow)
    return usageError(
        "--level goes with --kind=dataflow: other graphs do not show a module");
  auto format = getFormat(arguments);
  if (!format)
    return format.takeError();
  request.format = *format;
  if (llvm::Error error = getDrawing(arguments, request))
    return std::move(error);
  return request;
}

static llvm::Error run(const InputArgList &arguments) {
  auto request = getRequest(arguments);
  if (!request)
    return request.takeError();
  auto options = getOpenOptions(arguments);
  if (!options)
    return options.takeError();
  auto graph = openGraph(request->input, *request, *options);
  if (!graph)
    return graph.takeError();
  // Alternating events are not layers of a model.
  if (graph::isOfEvents(graph->kind))
    request->drawing.repeats = graph::Repeats::Unfolded;
  else
    markCriticalPath(*graph, options->onNote);
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    request->format->write(*graph, request->drawing, os);
    return llvm::Error::success();
  });
}

Verb verb::Graph() {
  return {"graph", run, listFormats<graph::getGraphFormats>};
}
