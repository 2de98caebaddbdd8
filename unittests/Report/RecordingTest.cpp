//===- RecordingTest.cpp - Reports of real recordings ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The measured ops, their owners and classes come from the expected.json of
// each recording, which was computed without this code; the reports must agree
// with it, and their groups must add up.

#include "TestData.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;
using llvm::json::Object;

namespace {

std::vector<std::string> findRecordings() {
  std::vector<std::string> files;
  for (const char *folder : {MLIRPROF_TEST_DIR "/data/recordings/jax",
                             MLIRPROF_TEST_DIR "/data/recordings/tf"}) {
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(folder, code), end;
         !code && it != end; it.increment(code))
      if (llvm::sys::fs::exists(it->path() + "/expected.json"))
        files.push_back(it->path() + "/expected.json");
  }
  llvm::sort(files);
  return files;
}

MatchClass readClass(llvm::StringRef join) {
  // The names of the classes in expected.json.
  return llvm::StringSwitch<MatchClass>(join)
      .Case("one", MatchClass::Unique)
      .Case("one_name", MatchClass::Ambiguous)
      .Case("set", MatchClass::Fused)
      .Case("partial", MatchClass::Partial)
      .Default(MatchClass::Unmatched);
}

Match readMatch(const Object &op) {
  Match match;
  match.matchClass = readClass(op.getString("join").value_or("none"));
  if (const llvm::json::Array *ops = op.getArray("mlir_ops"))
    for (const llvm::json::Value &index : *ops)
      match.ops.push_back(uint32_t(*index.getAsInteger()));
  llvm::sort(match.ops);
  for (uint32_t index : match.ops)
    match.weights.push_back(index % 7);
  return match;
}

void set(OpSummary &op, Quantity quantity, int64_t count, int64_t sum) {
  op.get(quantity).count = uint64_t(count);
  op.get(quantity).sum = sum;
}

void readOp(Data &data, const Object &op) {
  bool hlo = op.getString("instr").has_value();
  addOp(data,
        hlo ? hloKey(*op.getString("module"),
                     op.getInteger("program_id").value_or(0),
                     *op.getString("instr"))
            : nodeKey(*op.getString("node"), *op.getString("kernel")),
        {}, readMatch(op));
  OpSummary &summary = data.profile.runs.front().ops.back();
  int64_t count = *op.getInteger("count");
  set(summary, Quantity::Execute, count,
      *op.getInteger(hlo ? "execute_ps" : "total_ps"));
  set(summary, Quantity::Self, count, *op.getInteger("op_self_ps"));
  if (hlo)
    set(summary, Quantity::Bounded, count, *op.getInteger("bounded_ps"));
}

std::unique_ptr<Data> readRecording(const Object &expected) {
  auto data = std::make_unique<Data>();
  const Object &mlir = *expected.getObject("mlir");
  // The number of ops counts the module only in some recordings.
  data->ownership.ops.resize(size_t(*mlir.getInteger("ops")) + 1);
  for (const llvm::json::Value &value : *mlir.getArray("by_op")) {
    const Object &op = *value.getAsObject();
    MlirOp &into = data->ownership.ops[size_t(*op.getInteger("id"))];
    into.op = op.getString("op")->str();
    into.path = op.getArray("names")->front().getAsString()->str();
    into.file = "file" + std::to_string(into.path.size() % 3);
  }
  for (llvm::StringRef list : {"hlo", "framework_ops"})
    if (const llvm::json::Array *ops = expected.getArray(list))
      for (const llvm::json::Value &op : *ops)
        readOp(*data, *op.getAsObject());
  data->attribution = attribute(data->profile, data->ownership);
  return data;
}

/// The rows of a report by their first cell, then by the column's name.
using Rows = std::map<std::string, std::map<std::string, int64_t>>;
Rows readRows(const Data &data, llvm::StringRef by) {
  Report report =
      llvm::cantFail(buildReport(data.withModule(), **findReport(by)));
  const Table &table = report.table;
  Rows rows;
  for (uint32_t row : report.view.rows) {
    auto &cells = rows[table.getColumns()[0].kind == ColumnKind::Text
                           ? table.getText(row, 0).str()
                           : std::to_string(table.getInteger(row, 0))];
    for (auto [i, column] : llvm::enumerate(table.getColumns()))
      if (column.kind != ColumnKind::Text)
        cells[column.name] = table.getInteger(row, uint32_t(i));
  }
  return rows;
}

class RecordingTest : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    buffer = llvm::cantFail(openInput(GetParam()));
    value = llvm::cantFail(llvm::json::parse(buffer->getBuffer()));
    expected = value.getAsObject();
    data = readRecording(*expected);
  }

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::json::Value value = nullptr;
  const Object *expected = nullptr;
  std::unique_ptr<Data> data;
};

} // namespace

TEST_P(RecordingTest, OpsOfTheModule) {
  Rows rows = readRows(*data, "op");
  size_t timed = 0;
  for (const llvm::json::Value &value :
       *expected->getObject("mlir")->getArray("by_op")) {
    const Object &op = *value.getAsObject();
    auto &row = rows[std::to_string(*op.getInteger("id"))];
    EXPECT_EQ(row["sole_ps"], *op.getInteger("exclusive_ps"));
    EXPECT_EQ(row["shared_ps"], *op.getInteger("shared_ps"));
    ++timed;
  }
  EXPECT_EQ(rows.size(), timed);
}

TEST_P(RecordingTest, Coverage) {
  Report report = llvm::cantFail(
      buildReport(data->withModule(), **findReport("measured-op")));
  const Object &coverage = *expected->getObject("coverage");
  const Object &classes = *coverage.getObject("by_class_ps");
  auto get = [&](llvm::StringRef name) {
    return classes.getInteger(name).value_or(0);
  };
  EXPECT_EQ(report.coverage->opTimePs, *coverage.getInteger("op_time_ps"));
  EXPECT_EQ(report.coverage->uniquePs, get("one"));
  EXPECT_EQ(report.coverage->ambiguousPs, get("one_name"));
  EXPECT_EQ(report.coverage->fusedPs, get("set"));
  EXPECT_EQ(report.coverage->partialPs, get("partial"));
  EXPECT_EQ(report.coverage->unmatchedPs, get("none"));
  // Each measured op is a row.
  int64_t sum = 0;
  for (uint32_t row : report.view.rows)
    sum += report.table.getInteger(row, *report.table.findColumn("time"));
  EXPECT_EQ(sum, *coverage.getInteger("op_time_ps"));
}

TEST_P(RecordingTest, GroupsAddUp) {
  const Coverage &coverage = data->attribution.coverage;
  auto total = [&](llvm::StringRef by, auto &&isCounted) {
    int64_t sum = 0;
    for (auto &[key, cells] : readRows(*data, by))
      if (isCounted(key))
        sum += cells["sole_ps"] + cells["estimated_ps"];
    return sum;
  };
  auto all = [](llvm::StringRef) { return true; };
  int64_t owned = coverage.opTimePs - coverage.unmatchedPs;
  for (llvm::StringRef by : {"op-type", "location", "source"})
    EXPECT_EQ(total(by, all), owned) << by.str();
  EXPECT_EQ(total("module-path",
                  [](llvm::StringRef key) { return !key.contains('/'); }),
            owned);
  for (llvm::StringRef by : {"measured-op-type", "hlo-module"})
    EXPECT_EQ(total(by, all), coverage.opTimePs) << by.str();
}

INSTANTIATE_TEST_SUITE_P(Recordings, RecordingTest,
                         testing::ValuesIn(findRecordings()));
