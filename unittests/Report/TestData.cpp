//===- TestData.cpp - A small profile with known numbers ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "mlir-prof/Report/Writer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;
using namespace mlirprof::trace;

OpKey test::hloKey(llvm::StringRef module, int64_t id, llvm::StringRef op) {
  return OpKey(op.str(), "", HloInstructionKey{module.str(), id});
}

OpKey test::nodeKey(llvm::StringRef node, llvm::StringRef kernel) {
  return OpKey(node.str(), kernel.str(), GraphNodeKey());
}

void test::addOp(Data &data, OpKey key, llvm::ArrayRef<int64_t> executePs,
                 Match match) {
  OpSummary op;
  op.op = uint32_t(data.profile.opKeys.size());
  for (int64_t ps : executePs) {
    op.get(Quantity::Execute).add(ps);
    op.get(Quantity::Self).add(ps);
  }
  data.profile.opKeys.push_back(std::move(key));
  if (data.profile.runs.empty())
    data.profile.runs.emplace_back();
  data.profile.runs.front().ops.push_back(std::move(op));
  data.ownership.matches.push_back(std::move(match));
}

static MlirOp mlirOp(llvm::StringRef op, llvm::StringRef path,
                     llvm::StringRef file, uint32_t line, uint32_t parent,
                     uint64_t cost) {
  MlirOp result;
  result.op = op.str();
  result.path = path.str();
  result.location =
      path.empty() ? "loc(unknown)" : "loc(\"" + path.str() + "\")";
  result.file = file.str();
  result.line = line;
  result.parent = parent;
  result.cost = cost;
  return result;
}

static Match matchOf(MatchClass matchClass, std::vector<uint32_t> ops,
                     std::vector<uint64_t> weights,
                     std::vector<std::string> names) {
  Match match;
  match.matchClass = matchClass;
  match.ops = std::move(ops);
  match.weights = std::move(weights);
  match.names = std::move(names);
  return match;
}

static void addTracks(Data &data) {
  Profile &profile = data.profile;
  Run &run = profile.runs.front();
  profile.strings = {"dot.1", "say \"hi\", all"};
  TrackInfo track;
  track.plane = "/host:CPU";
  track.line = 3;
  track.name = "worker";
  run.tracks.push_back(track);
  EventSummary dot, say;
  dot.total.add(3000);
  dot.total.add(1000);
  dot.self.add(3000);
  dot.self.add(1000);
  say.name = 1;
  say.total.add(5000);
  say.self.add(1000);
  run.events = {dot, say};
  run.steps = {{7, 100, 5000, 4000, 4500}, {8, 5100, 2000, 1500, 1500}};
  run.losses = {{"event without a name", 2, 17}};
}

static void addHlo(Profile &profile) {
  HloModule module;
  module.name = "main";
  module.programId = 1;
  HloInstruction dot, fusion;
  dot.name = "dot.1";
  dot.opcode = "dot";
  dot.id = 1;
  fusion.name = "fusion";
  fusion.opcode = "fusion";
  fusion.id = 2;
  module.instructions = {dot, fusion};
  module.computations.emplace_back();
  module.computations.back().size = 2;
  profile.hloModules.push_back(std::move(module));
}

std::unique_ptr<Data> test::makeData() {
  auto data = std::make_unique<Data>();
  data->ownership.ops = {
      mlirOp("builtin.module", "", "", 0, 0, 0),
      mlirOp("func.func", "net", "", 0, 0, 0),
      mlirOp("stablehlo.dot", "net/a/dot", "net.py", 10, 1, 8),
      mlirOp("stablehlo.add", "net/a/add", "net.py", 10, 1, 2),
      mlirOp("stablehlo.tanh", "net/b/tanh", "net.py", 20, 1, 4),
      mlirOp("stablehlo.tanh", "net/b/tanh", "net.py", 21, 1, 4),
      mlirOp("stablehlo.constant", "", "", 0, 1, 0),
      mlirOp("stablehlo.exp", "net/c/exp", "net.py", 30, 1, 4)};
  addOp(*data, hloKey("main", 1, "dot.1"), {3000, 1000},
        matchOf(MatchClass::Unique, {2}, {8}, {"net/a/dot"}));
  addOp(*data, hloKey("main", 1, "fusion"), {1001},
        matchOf(MatchClass::Fused, {2, 3}, {1, 2}, {"net/a/dot", "net/a/add"}));
  addOp(*data, hloKey("main", 1, "tanh.1"), {500, 500},
        matchOf(MatchClass::Ambiguous, {4, 5}, {1, 1}, {"net/b/tanh"}));
  addOp(
      *data, hloKey("other", 2, "fusion"), {900},
      matchOf(MatchClass::Fused, {3, 4}, {1, 2}, {"net/a/add", "net/b/tanh"}));
  Match odd =
      matchOf(MatchClass::Partial, {3}, {2}, {"net/a/add", "net/a/gone"});
  odd.unmatched = {"net/a/gone"};
  odd.reason = "a member has no op";
  addOp(*data, hloKey("main", 1, "odd"), {70}, odd);
  Match none = matchOf(MatchClass::Unmatched, {}, {}, {"graph/node"});
  none.unmatched = {"graph/node"};
  none.reason = "no op has this name";
  addOp(*data, nodeKey("graph/node", "Relu"), {29}, none);
  addTracks(*data);
  addHlo(data->profile);
  data->attribution = attribute(data->profile, data->ownership);
  return data;
}

Query test::makeQuery(std::optional<uint64_t> top, llvm::StringRef filter,
                      std::optional<uint64_t> page) {
  Query query;
  query.top = top;
  query.page = page;
  if (!filter.empty())
    query.filters.push_back(llvm::cantFail(parseFilter(filter)));
  return query;
}

std::string test::rowsOf(const ReportInput &input, llvm::StringRef by,
                         const Query &query) {
  llvm::Expected<const ReportKind *> kind = findReport(by);
  if (!kind) {
    ADD_FAILURE() << llvm::toString(kind.takeError());
    return "";
  }
  llvm::Expected<Report> report = buildReport(input, **kind, query);
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return "";
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(findReportWriter("csv"))->write(*report, {}, os);
  llvm::StringRef rows = llvm::StringRef(text).split("\r\n").second;
  std::string result;
  for (char c : rows)
    if (c != '\r')
      result += c;
  return result;
}
