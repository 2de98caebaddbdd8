//===- Report.cpp - mlir-prof report --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Report.h"
#include "Formats.h"
#include "QueryOptions.h"
#include "SessionOptions.h"
#include "StyleOptions.h"
#include "Verbs.h"
#include "mlir-prof/Report/Explain.h"
#include "mlir-prof/Report/WhyEmpty.h"
#include "mlir-prof/Report/Writer.h"
#include "mlir-prof/Serve/Serve.h"
#include "mlir-prof/Session/Record.h"
#include "mlir-prof/Session/WithoutEvents.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/FindNamed.h"
#include "mlir-prof/Support/Units.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

/// Notes the time of the first iteration of each run without a warm-up.
static void noteColdRuns(const Profile &profile) {
  for (const Run &run : profile.runs)
    if (isCold(run) && !run.steps.empty())
      note(run.source + ": the first iteration was cold: " +
           formatTime(run.steps.front().durationPs));
}

static llvm::Error printExplanation(const InputArgList &arguments,
                                    const ReportInput &input,
                                    llvm::StringRef format) {
  for (OptionId id : {OPT_by_EQ, OPT_filter_EQ, OPT_sort_EQ, OPT_top_EQ,
                      OPT_page_EQ, OPT_first_op_EQ, OPT_last_op_EQ})
    if (arguments.hasArg(id))
      return usageError("--explain describes one op; '" +
                        arguments.getLastArg(id)->getAsString(arguments) +
                        "' does not apply");
  if (format == "csv")
    return usageError("--explain writes text or json");
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    llvm::Error error = explainOp(
        input, arguments.getLastArgValue(OPT_explain_EQ),
        format == "json" ? ExplainFormat::Json : ExplainFormat::Text, os);
    return error ? asUsageError(std::move(error)) : llvm::Error::success();
  });
}

/// The kind of report that --by names, or null. Fails for an unknown one, and
/// if options of another kind are given.
static llvm::Expected<const ReportKind *>
getNamedKind(const InputArgList &arguments) {
  llvm::StringRef by = arguments.getLastArgValue(OPT_by_EQ);
  if (by != "step-trace")
    for (OptionId id : {OPT_first_op_EQ, OPT_last_op_EQ})
      if (arguments.hasArg(id))
        return usageError("'" +
                          arguments.getLastArg(id)->getAsString(arguments) +
                          "' applies to --by=step-trace");
  if (by.empty())
    return nullptr;
  auto kind = findReport(by);
  if (!kind)
    return asUsageError(kind.takeError());
  return *kind;
}

/// All formats: those of tables, and the page.
static std::vector<FormatInfo> getFormats() {
  std::vector<FormatInfo> formats = listFormats<getReportWriters>();
  formats.push_back({"html", "all reports as a page in one file"});
  return formats;
}

/// The page has all reports: options that choose one do not apply.
static llvm::Error writePage(const InputArgList &arguments,
                             llvm::StringRef path) {
  for (OptionId id : {OPT_by_EQ, OPT_filter_EQ, OPT_sort_EQ, OPT_top_EQ,
                      OPT_page_EQ, OPT_explain_EQ, OPT_style_EQ, OPT_level_EQ})
    if (arguments.hasArg(id))
      return usageError("--format=html has all reports; '" +
                        arguments.getLastArg(id)->getAsString(arguments) +
                        "' does not apply");
  auto size = getNumber(arguments, OPT_max_size_EQ, 1);
  if (!size)
    return size.takeError();
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    return serve::writeHtmlReport(path, arguments.getLastArgValue(OPT_model_EQ),
                                  size->value_or(20) * 1000000, os);
  });
}

static llvm::Error run(const InputArgList &arguments) {
  // Check everything on the command line before the work.
  auto path = getOneInput(arguments, "profile");
  if (!path)
    return path.takeError();
  llvm::StringRef formatName = arguments.getLastArgValue(OPT_format_EQ, "text");
  std::vector<FormatInfo> formats = getFormats();
  auto format = findNamed(llvm::ArrayRef(formats), "format", formatName);
  if (!format)
    return asUsageError(format.takeError());
  if (formatName == "html")
    return writePage(arguments, *path);
  if (arguments.hasArg(OPT_max_size_EQ))
    return usageError("--max-size goes with --format=html");
  if (llvm::Error error = checkStyleOptions(arguments))
    return error;
  bool isStyled = arguments.hasArg(OPT_style_EQ);
  auto query = isStyled ? Query() : getQuery(arguments);
  if (!query)
    return query.takeError();
  auto writer = findReportWriter(formatName);
  if (!writer)
    return asUsageError(writer.takeError());
  auto options = getWriteOptions(arguments);
  if (!options)
    return options.takeError();
  auto named = getNamedKind(arguments);
  if (!named)
    return named.takeError();

  bool usesEvents = *named && (*named)->usesEvents;
  auto open = getOpenOptions(arguments, ModuleUse::Optional,
                             usesEvents ? KeepEvents::Mode::All
                                        : KeepEvents::Mode::None);
  if (!open)
    return open.takeError();
  open->takesCounts = !isStyled && !arguments.hasArg(OPT_explain_EQ);
  auto session = usesEvents || isStyled ? openSession(*path, *open)
                                        : openWithoutEvents(*path, *open);
  if (!session)
    return session.takeError();
  session->stepOps = {arguments.getLastArgValue(OPT_first_op_EQ).str(),
                      arguments.getLastArgValue(OPT_last_op_EQ).str()};
  ReportInput input = session->getReportInput();
  if (isStyled)
    return printStyled(arguments, input.profile);
  if (arguments.hasArg(OPT_explain_EQ))
    return printExplanation(arguments, input, (*writer)->name);

  const ReportKind *kind = *named;
  if (!kind)
    kind = llvm::cantFail(findReport(session->getDefaultGrouping()));
  RowSelection selection =
      arguments.hasArg(OPT_all) ? RowSelection::All : RowSelection::Measured;
  auto report = session->report(kind->name, *query, selection);
  if (!report)
    return asUsageError(report.takeError());
  std::string why = explainEmpty(input, *kind, *report, selection);
  if (!why.empty())
    note("the report is empty: " + why);
  noteColdRuns(input.profile);
  for (const std::string &text : report->table.notes)
    note(text);
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    (*writer)->write(*report, *options, os);
    return llvm::Error::success();
  });
}

Verb verb::Report() { return {"report", run, getFormats}; }
