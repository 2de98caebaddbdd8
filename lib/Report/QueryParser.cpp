//===- QueryParser.cpp - Reading of filters and orders --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Query.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlirprof;
using namespace mlirprof::report;

/// Splits "a|b" at each '|' that does not follow a backslash.
static std::vector<std::string> splitValues(llvm::StringRef text) {
  std::vector<std::string> values(1);
  while (!text.empty()) {
    if (text.consume_front("|")) {
      values.emplace_back();
      continue;
    }
    text.consume_front(text.starts_with("\\|") ? "\\" : "");
    values.back() += text.front();
    text = text.drop_front();
  }
  return values;
}

namespace {
/// A spelling of a relation.
struct Spelling {
  llvm::StringRef text;
  Relation relation;
  TextCase textCase = TextCase::Distinct;
};
} // namespace

llvm::Expected<Filter> report::parseFilter(llvm::StringRef text) {
  // Longer spellings first: "<=" is not "<" and a value "=5".
  static constexpr Spelling kSpellings[] = {
      {"!~~", Relation::NotContains, TextCase::Ignored},
      {"~~", Relation::Contains, TextCase::Ignored},
      {"!~", Relation::NotContains},
      {"!=", Relation::NotEqual},
      {"<=", Relation::LessEqual},
      {">=", Relation::GreaterEqual},
      {"=", Relation::Equal},
      {"~", Relation::Contains},
      {"<", Relation::Less},
      {">", Relation::Greater}};
  size_t at = text.find_first_of("!=~<>");
  llvm::StringRef rest = text.substr(at);
  llvm::StringRef column = text.take_front(at).trim();
  for (const Spelling &spelling : kSpellings)
    if (at != llvm::StringRef::npos && !column.empty() &&
        rest.consume_front(spelling.text))
      return Filter{column.str(), spelling.relation, splitValues(rest.trim()),
                    spelling.textCase};
  return inputError("filter '" + text + "'", "is not COLUMN RELATION VALUE",
                    "Write it like COLUMN=VALUE or COLUMN=VALUE|VALUE; the "
                    "relations are =, !=, ~ (contains), !~, ~~ and !~~ (the "
                    "same, ignoring case), <, <=, > and >=, and times take "
                    "units, such as 1ms.");
}

llvm::Expected<std::vector<SortKey>> report::parseSort(llvm::StringRef text) {
  std::vector<SortKey> keys;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    SortKey key;
    llvm::StringRef name = part.trim();
    if (name.consume_back(":asc"))
      key.direction = SortDirection::Ascending;
    else if (name.consume_back(":desc"))
      key.direction = SortDirection::Descending;
    else if (name.consume_front("-"))
      key.direction = SortDirection::Reversed;
    if (name.empty() || name.contains(':') || name.starts_with("-"))
      return inputError("order '" + text + "'", "is not a list of columns",
                        "Write it like COLUMN, -COLUMN (reversed), COLUMN:asc "
                        "or COLUMN,COLUMN:desc.");
    key.column = name.str();
    keys.push_back(std::move(key));
  }
  return keys;
}
