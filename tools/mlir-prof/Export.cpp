//===- Export.cpp - mlir-prof export --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Export.h"
#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using llvm::opt::InputArgList;

static llvm::Expected<ExportRequest> getRequest(const InputArgList &arguments) {
  ExportRequest request;
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
      (arguments.hasArg(OPT_model_EQ) || arguments.hasArg(OPT_level_EQ)))
    return usageError("--model and --level do not go with " + format +
                      ", which does not show a module");
  return request;
}

static llvm::Error run(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "profile");
  if (!path)
    return path.takeError();
  auto request = getRequest(arguments);
  if (!request)
    return request.takeError();
  auto options = getOpenOptions(arguments);
  if (!options)
    return options.takeError();
  auto session = openForExport(*path, *request, *options);
  if (!session)
    return session.takeError();
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    return exportSession(*session, *request, os, options->onNote);
  });
}

Verb verb::Export() { return {"export", run, listFormats<getExporters>}; }
