//===- Styles.cpp - Styles of tables of scopes ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <set>

using namespace mlirprof;
using namespace mlirprof::scope;

const std::vector<Style> &scope::getStyles() {
  static const std::vector<Style> styles = {
#define MLIRPROF_STYLE(NAME) style::NAME(),
#include "Styles.def"
  };
  return styles;
}

static std::string join(const std::vector<const char *> &words) {
  std::string joined;
  for (const char *word : words)
    joined += std::string(joined.empty() ? "" : ", ") + word;
  return joined;
}

/// A choice that is not one of `known`.
static std::optional<Problem> check(const char *what, const std::string &choice,
                                    const std::vector<const char *> &known,
                                    const Style &style) {
  if (choice.empty() || std::count(known.begin(), known.end(), choice))
    return std::nullopt;
  std::string name = std::string("style '") + style.name + "'";
  if (known.empty())
    return Problem{std::string(what) + " '" + makeCell(choice, 40) +
                       "' cannot be chosen in the " + name,
                   std::string("Leave out the ") + what + "."};
  return Problem{std::string(what) + " '" + makeCell(choice, 40) +
                     "' is not known in the " + name,
                 "Choose one of " + join(known) + "."};
}

/// Lines below the text: scopes that are missing in it.
static void addMissing(const Recordings &recordings, bool isOfStatistics,
                       std::string &text) {
  uint64_t overwritten = 0;
  std::set<uint32_t> samples;
  for (const Recording *recording : recordings) {
    for (const Thread &thread : recording->threads)
      trace::addSaturating(overwritten, thread.overwritten);
    if (recording->hasEvents && recording->sampleEvery > 1)
      samples.insert(recording->sampleEvery);
  }
  if ((overwritten || !samples.empty()) && !text.empty() && text.back() != '\n')
    text += "\n";
  if (overwritten)
    text += "note: " + std::to_string(overwritten) +
            (overwritten == 1 ? " record was" : " records were") +
            " overwritten in rings, two a scope at most\n";
  if (samples.empty())
    return;
  std::string of = std::to_string(*samples.begin());
  if (samples.size() > 1)
    of += " to " + std::to_string(*samples.rbegin());
  text += "note: events are a sample, 1 of " + of +
          (isOfStatistics ? "; calls and times are those of statistics\n"
                          : " scopes of a name on a thread\n");
}

static void addNotes(std::string_view name, const Recordings &recordings,
                     StyledText &out) {
  // Styles of Paddle take events and statistics alone, recording by recording.
  bool hasOneTable = name == "tree" || name == "tvm";
  bool isOfStatistics = hasOneTable && haveBetterStatistics(recordings);
  size_t alone = std::count_if(recordings.begin(), recordings.end(),
                               [](const Recording *recording) {
                                 return style::hasOnlyStatistics(*recording);
                               });
  if (alone && hasOneTable && !isOfStatistics)
    out.notes.push_back(std::to_string(alone) +
                        " recordings with statistics alone are left out");
  else if (name != "tvm" && (alone || isOfStatistics))
    out.notes.push_back(
        isOfStatistics && !alone
            ? "rows are by name, of statistics: paths need all events"
            : "rows are by name where a recording has statistics alone: paths "
              "need events");
  addMissing(recordings, isOfStatistics, out.text);
}

std::optional<Problem> scope::writeStyled(std::string_view name,
                                          const Recordings &recordings,
                                          const StyleOptions &options,
                                          StyledText &out) {
  std::vector<const char *> names;
  for (const Style &style : getStyles()) {
    names.push_back(style.name);
    if (style.name != name)
      continue;
    if (auto problem = check("order", options.sort, style.sorts, style))
      return problem;
    if (auto problem = check("unit", options.unit, style.units, style))
      return problem;
    for (const std::string &view : options.views)
      if (auto problem = check("view", view, style.views, style))
        return problem;
    if (auto problem =
            check("state", options.state, {"CPU", "GPU", "All"}, style))
      return problem;
    out = style.write(recordings, options);
    addNotes(name, recordings, out);
    return std::nullopt;
  }
  return Problem{"style '" + makeCell(name, 40) + "' is not known",
                 "Choose one of " + join(names) + "."};
}
