//===- StyleOptions.cpp - Layouts of tables of scopes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StyleOptions.h"
#include "SessionOptions.h"
#include "mlir-prof/Profile/RunTables.h"
#include "mlir-prof/Scope/Styles.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using llvm::opt::InputArgList;

static const OptionId kOfStyles[] = {
    OPT_unit_EQ,          OPT_view_EQ,       OPT_place_EQ,    OPT_separator_EQ,
    OPT_separate_threads, OPT_merge_threads, OPT_no_op_detail};

/// Options that only some layouts take, and those; each layout takes --unit.
static constexpr struct {
  OptionId option;
  llvm::StringLiteral styles;
} kTakenBy[] = {
    {OPT_view_EQ, "paddle-summary"},
    {OPT_place_EQ, "paddle-report"},
    {OPT_separator_EQ, "tree"},
    {OPT_separate_threads, "tree, paddle-report, paddle-summary"},
    {OPT_merge_threads, "tree, paddle-report, paddle-summary"},
    {OPT_no_op_detail, "paddle-summary"},
};

/// An option that the chosen layout would ignore is an error.
static llvm::Error checkTaken(const InputArgList &arguments) {
  llvm::StringRef style = arguments.getLastArgValue(OPT_style_EQ);
  // An unknown one has an error of its own.
  if (llvm::none_of(scope::getStyles(), [&](const scope::Style &known) {
        return style == known.name;
      }))
    return llvm::Error::success();
  for (const auto &[option, styles] : kTakenBy) {
    llvm::SmallVector<llvm::StringRef> taking;
    styles.split(taking, ", ");
    if (arguments.hasArg(option) && !llvm::is_contained(taking, style))
      return usageError("'" +
                        arguments.getLastArg(option)->getAsString(arguments) +
                        "' does not apply to --style=" + style +
                        ", only to --style of: " + styles);
  }
  for (OptionId option : {OPT_view_EQ, OPT_separator_EQ})
    if (const llvm::opt::Arg *last = arguments.getLastArg(option);
        last &&
        llvm::all_of(arguments.getAllArgValues(option),
                     [](const std::string &text) { return text.empty(); }))
      return usageError("'" + last->getAsString(arguments) + "' needs a value");
  return llvm::Error::success();
}

llvm::Error mlirprof::checkStyleOptions(const InputArgList &arguments) {
  auto getText = [&](OptionId id) {
    return arguments.getLastArg(id)->getAsString(arguments);
  };
  if (!arguments.hasArg(OPT_style_EQ)) {
    for (OptionId id : kOfStyles)
      if (arguments.hasArg(id))
        return usageError("'" + getText(id) + "' needs --style");
    return llvm::Error::success();
  }
  if (arguments.getLastArgValue(OPT_by_EQ, "scope") != "scope")
    return usageError("--style prints scopes; '" + getText(OPT_by_EQ) +
                      "' does not apply");
  for (OptionId id :
       {OPT_filter_EQ, OPT_top_EQ, OPT_page_EQ, OPT_all, OPT_explain_EQ})
    if (arguments.hasArg(id))
      return usageError("--style has a layout of its own; '" + getText(id) +
                        "' does not apply");
  if (arguments.getLastArgValue(OPT_format_EQ, "text") != "text")
    return usageError("--style writes text; '" + getText(OPT_format_EQ) +
                      "' does not apply");
  if (arguments.hasArg(OPT_separate_threads) &&
      arguments.hasArg(OPT_merge_threads))
    return usageError("give --separate-threads or --merge-threads, not both");
  return checkTaken(arguments);
}

/// A ratio that a recording tells as a fact.
static std::optional<double> findRatio(const Profile &profile,
                                       llvm::StringRef name) {
  for (const Run &run : profile.runs)
    for (const auto &[fact, text] : run.facts) {
      double value = 0;
      if (llvm::StringRef(fact).equals_insensitive(name) &&
          !llvm::StringRef(text).getAsDouble(value))
        return value;
    }
  return std::nullopt;
}

static scope::StyleOptions getOptions(const InputArgList &arguments,
                                      const Profile &profile) {
  scope::StyleOptions options;
  options.sort = arguments.getLastArgValue(OPT_sort_EQ).str();
  options.unit = arguments.getLastArgValue(OPT_unit_EQ).str();
  options.views = arguments.getAllArgValues(OPT_view_EQ);
  options.state = arguments.getLastArgValue(OPT_place_EQ, "CPU").str();
  options.separator = arguments.getLastArgValue(OPT_separator_EQ).str();
  options.hasOpDetail = !arguments.hasArg(OPT_no_op_detail);
  if (arguments.hasArg(OPT_separate_threads))
    options.separatesThreads = true;
  if (arguments.hasArg(OPT_merge_threads))
    options.separatesThreads = false;
  for (auto [run, machine] :
       llvm::zip_equal(profile.runs, nameMachines(profile)))
    if (run.scopes)
      options.machines.push_back(machine);
  options.processUtilization = findRatio(profile, "Process Cpu Utilization");
  options.systemUtilization = findRatio(profile, "System Cpu Utilization");
  return options;
}

llvm::Error mlirprof::printStyled(const InputArgList &arguments,
                                  const Profile &profile) {
  scope::Recordings recordings;
  for (const Run &run : profile.runs)
    if (run.scopes)
      recordings.push_back(run.scopes.get());
  if (recordings.empty())
    note("the profile does not contain scopes: import a recording of them, or "
         "one of a framework's profiler that has them");
  scope::StyledText styled;
  if (std::optional<scope::Problem> problem = scope::writeStyled(
          arguments.getLastArgValue(OPT_style_EQ), recordings,
          getOptions(arguments, profile), styled))
    return usageError(problem->what + ". " + problem->hint);
  for (const std::string &text : styled.notes)
    note(text);
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    os << styled.text;
    if (!llvm::StringRef(styled.text).ends_with("\n"))
      os << "\n";
    return llvm::Error::success();
  });
}

std::string mlirprof::describeStyles() {
  std::vector<std::string> styles;
  for (const scope::Style &style : scope::getStyles())
    styles.push_back(std::string(style.name) + " (" + style.description + ")");
  return llvm::join(styles, ", ");
}

std::string mlirprof::describeViews() {
  std::vector<llvm::StringRef> views;
  for (const scope::Style &style : scope::getStyles())
    views.insert(views.end(), style.views.begin(), style.views.end());
  return llvm::join(views, ", ");
}
