//===- Query.cpp - mlir-prof query ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Report/Sql.h"
#include "mlir-prof/Session/WithoutEvents.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"

using namespace mlirprof;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

static llvm::Error write(const InputArgList &arguments, const Report &report,
                         const ReportWriter &writer) {
  auto options = getWriteOptions(arguments);
  if (!options)
    return options.takeError();
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    writer.write(report, *options, os);
    return llvm::Error::success();
  });
}

static llvm::Error run(const InputArgList &arguments) {
  auto writer =
      findReportWriter(arguments.getLastArgValue(OPT_format_EQ, "text"));
  if (!writer)
    return asUsageError(writer.takeError());
  if (arguments.hasArg(OPT_tables))
    return write(arguments, listSqlTables(), **writer);
  std::vector<std::string> inputs = arguments.getAllArgValues(OPT_INPUT);
  if (inputs.size() != 2)
    return usageError("needs a profile and a query in quotes; got " +
                      formatCount(inputs.size(), "argument"));
  auto maxSteps = getNumber(arguments, OPT_max_steps_EQ, 1);
  if (!maxSteps)
    return maxSteps.takeError();
  auto options = getOpenOptions(arguments);
  if (!options)
    return options.takeError();
  auto session = readsEvents(inputs[1])
                     ? openSession(inputs[0], *options)
                     : openWithoutEvents(inputs[0], *options);
  if (!session)
    return session.takeError();
  auto report = session->query(inputs[1], maxSteps->value_or(kMostSqlSteps));
  if (!report)
    return report.takeError();
  return write(arguments, *report, **writer);
}

Verb verb::Query() {
  return {"query", run, listFormats<getReportWriters>,
          Positionals::FirstIsFile};
}
