//===- Passes.cpp - The SQL table of the passes of programs ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SqlTables.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::report::sql;

static constexpr SqlColumn kPasses[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"pass", kInteger, "position in the pipeline, from 0"},
    {"depth", kInteger, "pipelines of nested ops around it"},
    {"anchor", kText, "the op that it runs on; NULL if it is not specified"},
    {"name", kText, "the pass, or a pipeline that has a name"},
    {"options", kText, "its options"},
};

/// Limit on nesting: deeper pipelines do not occur in practice.
static constexpr size_t kMaxDepth = 256;

/// Adds the passes of a textual pipeline:
/// "builtin.module(canonicalize{top-down=true},func.func(cse))".
static void addPasses(uint32_t program, llvm::StringRef text, AddRow add) {
  std::vector<llvm::StringRef> anchors;
  int64_t number = 0;
  while (!(text = text.trim()).empty() && anchors.size() < kMaxDepth) {
    if (text.consume_front(",") || text.consume_front(")")) {
      if (text.data()[-1] == ')' && !anchors.empty())
        anchors.pop_back();
      continue;
    }
    llvm::StringRef name = text.take_until(
        [](char c) { return llvm::StringRef("{}(),").contains(c); });
    text = text.drop_front(name.size());
    if (text.consume_front("(")) {
      anchors.push_back(name.trim());
      continue;
    }
    llvm::StringRef options;
    if (text.starts_with("{")) {
      size_t end = 0, depth = 0;
      do
        depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
      while (++end < text.size() && depth != 0);
      options = text.take_front(end).drop_front();
      options.consume_back("}");
      text = text.drop_front(end);
    } else if (text.starts_with("}")) {
      text = text.drop_front();
    }
    add({program, number++, uint64_t(anchors.size()),
         anchors.empty() ? Cell() : Cell(anchors.back()), name.trim(),
         options.empty() ? Cell() : Cell(options)});
  }
}

static void fillPasses(const ReportInput &input, AddRow add) {
  for (uint32_t i = 0; i < input.profile.programs.size(); ++i) {
    llvm::StringRef pipeline = input.profile.programs[i].pipeline;
    // A file with a schedule, whose path is not a list of passes.
    if (pipeline.ends_with(".mlir"))
      add({i, int64_t(0), int64_t(0), Cell(), pipeline, Cell()});
    else
      addPasses(i, pipeline, add);
  }
}

SqlTable sql::makePasses() {
  return {"passes", "passes by which programs were lowered", kPasses,
          fillPasses, findMissingProgram};
}
