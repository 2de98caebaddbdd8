//===- Styles.cpp - Styles of tables of scopes ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>

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

/// Adds lines below the text.
static void addLines(const std::vector<std::string> &notes, std::string &text) {
  if (!notes.empty() && !text.empty() && text.back() != '\n')
    text += "\n";
  for (const std::string &note : notes)
    text += "note: " + note + "\n";
}

static void addNotes(std::string_view name, const Recordings &recordings,
                     StyledText &out) {
  if (name == "tree" || name == "tvm") {
    TableNotes notes = describeBestTable(recordings);
    // The other one has neither paths nor percentiles.
    if (name == "tree" && !notes.names.empty())
      out.notes.push_back(notes.names);
    return addLines(notes.missing, out.text);
  }
  // Styles of Paddle take events and statistics alone, recording by recording.
  if (std::any_of(recordings.begin(), recordings.end(),
                  [](const Recording *recording) {
                    return style::hasOnlyStatistics(*recording);
                  }))
    out.notes.push_back("rows are by name where a recording has statistics "
                        "alone: paths need events");
  addLines(describeMissing(recordings), out.text);
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
