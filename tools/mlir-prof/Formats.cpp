//===- Formats.cpp - The output formats of each verb ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Options.h"
#include "StyleOptions.h"
#include "Verbs.h"
#include "mlir-prof/Advise/Advise.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Deploy/Table.h"
#include "mlir-prof/Deploy/Targets.h"
#include "mlir-prof/Graph/Heat.h"
#include "mlir-prof/Optimize/Technique.h"
#include "mlir-prof/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::report;
using llvm::StringRef;
using llvm::opt::InputArgList;

std::vector<FormatInfo> mlirprof::getProfileFormats() {
  return {{"mlprof", "the profile, binary"},
          {"json", "the profile as JSON, which can be read back"}};
}

std::vector<FormatInfo> mlirprof::getDocumentFormats() {
  return {{"text", "for people"}, {"json", "as JSON"}};
}

/// The formats of `verb`; empty if it does not have any.
static std::vector<FormatInfo> getFormatsOf(StringRef verb) {
  const Verb *found = findVerb(verb);
  return found && found->getFormats ? found->getFormats()
                                    : std::vector<FormatInfo>();
}

llvm::Expected<unsigned> mlirprof::getFormat(const InputArgList &arguments,
                                             StringRef verb) {
  std::vector<StringRef> names;
  for (const FormatInfo &format : getFormatsOf(verb))
    names.push_back(format.name);
  return getChoice(arguments, OPT_format_EQ, names);
}

std::string mlirprof::describeFormats(StringRef verb) {
  std::vector<FormatInfo> formats = getFormatsOf(verb);
  std::string text;
  for (size_t i = 0; i != formats.size(); ++i) {
    if (i != 0)
      text += i + 1 == formats.size() ? " or " : ", ";
    text += formats[i].name;
    if (i == 0 && verb != "export")
      text += " (default)";
  }
  return text;
}

template <typename Range>
static std::string joinNames(const Range &registry) {
  return llvm::join(
      llvm::map_range(registry, [](const auto &entry) { return entry.name; }),
      ", ");
}

static std::string describeGroups() {
  auto ofPrograms = [](bool areWanted) {
    return llvm::make_filter_range(
        getReports(), [areWanted](const ReportKind &kind) {
          return (kind.needs == Needs::Program) == areWanted;
        });
  };
  return joinNames(ofPrograms(false)) +
         "; for recordings made by mlir-prof also " +
         joinNames(ofPrograms(true));
}

static std::string describePipelines() {
  std::string text;
  for (const Pipeline &pipeline : getPipelines())
    text += (pipeline.name + " (" + pipeline.description + "), ").str();
  return text;
}

/// The entries of a registry whose first one is the default.
template <typename Entry>
static std::string describeEntries(llvm::ArrayRef<Entry> entries) {
  std::string text;
  for (const Entry &entry : entries)
    text += ((text.empty() ? "" : "; ") + entry.name + " (" +
             entry.description + ")" + (text.empty() ? " (default)" : ""))
                .str();
  return text;
}

/// `help` with the texts of "{verb,verb:text}" for `verb` only.
static std::string chooseTexts(StringRef help, StringRef verb) {
  std::string chosen;
  while (!help.empty()) {
    auto [before, rest] = help.split('{');
    chosen += before;
    if (before.size() == help.size())
      break;
    auto [inside, after] = rest.split('}');
    auto [names, text] = inside.split(':');
    llvm::SmallVector<StringRef> verbs;
    names.split(verbs, ',');
    if (names.size() == inside.size() || !llvm::all_of(verbs, findVerb)) {
      chosen += '{';
      help = rest;
      continue;
    }
    if (llvm::is_contained(verbs, verb))
      chosen += text;
    help = after;
  }
  return chosen;
}

std::string mlirprof::fillPlaceholders(StringRef help, StringRef verb) {
  const std::pair<StringRef, std::string> placeholders[] = {
      {"{formats}", describeFormats(verb)},
      {"{groups}", describeGroups()},
      {"{styles}", describeStyles()},
      {"{views}", describeViews()},
      {"{rules}", joinNames(getAdviceRules())},
      {"{techniques}", joinNames(getTechniques())},
      {"{pipelines}", describePipelines()},
      {"{targets}", joinNames(deploy::getTargets())},
      {"{containers}", describeEntries(deploy::getContainers())},
      {"{controls}", describeEntries(deploy::getControls())},
      {"{tables}", joinNames(deploy::getSizeTables())},
      {"{palettes}", llvm::join(graph::getPaletteNames(), ", ")}};
  std::string text = chooseTexts(help, verb);
  for (const auto &[mark, names] : placeholders)
    for (size_t at; (at = text.find(mark)) != std::string::npos;)
      text.replace(at, mark.size(), names);
  return text;
}
