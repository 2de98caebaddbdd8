//===- RandomTest.cpp - Invariants of every profile -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

/// A profile of random ops, matches and times, negative ones among them.
std::unique_ptr<Data> makeRandom(unsigned seed) {
  std::mt19937 random(seed);
  auto upTo = [&](uint32_t n) { return uint32_t(random() % (n + 1)); };
  auto data = std::make_unique<Data>();
  unsigned ops = 1 + upTo(40);
  for (unsigned i = 0; i < ops; ++i) {
    MlirOp op;
    op.op = "d.op" + std::to_string(upTo(5));
    for (unsigned depth = upTo(4); depth; --depth)
      op.path += (op.path.empty() ? "" : "/") + std::string(1, 'a' + upTo(2));
    op.location = "loc" + std::to_string(upTo(3));
    op.file = upTo(3) ? "f.py" : "";
    op.line = upTo(6);
    op.parent = i ? upTo(i - 1) : 0;
    op.cost = upTo(3);
    data->ownership.ops.push_back(op);
  }
  for (unsigned i = upTo(60); i; --i) {
    Match match;
    std::set<uint32_t> owners;
    for (unsigned n = upTo(5); n; --n)
      owners.insert(upTo(ops - 1));
    match.ops.assign(owners.begin(), owners.end());
    for (size_t n = 0; n < owners.size(); ++n)
      match.weights.push_back(upTo(1000));
    match.matchClass = owners.empty()       ? MatchClass::Unmatched
                       : owners.size() == 1 ? MatchClass::Unique
                                            : MatchClass(1 + upTo(2));
    if (!owners.empty() && upTo(9) == 0)
      match.matchClass = MatchClass::Partial;
    std::vector<int64_t> times;
    for (unsigned n = upTo(3); n; --n)
      times.push_back(int64_t(upTo(1000000)) - 1000);
    OpKey key = upTo(1) ? hloKey("m" + std::to_string(upTo(2)), upTo(1),
                                 "i" + std::to_string(i))
                        : nodeKey("n" + std::to_string(i),
                                  "K" + std::to_string(upTo(3)));
    addOp(*data, key, times, match);
  }
  data->attribution = attribute(data->profile, data->ownership);
  return data;
}

struct Row {
  std::string key;
  int64_t sole, shared, estimated;
  uint64_t count;
  int64_t total() const { return sole + estimated; }
};

std::vector<Row> rollUpRows(const Data &data, llvm::StringRef by) {
  Report report = llvm::cantFail(
      buildReport(data.withModule(), **findReport(by), {}, RowSelection::All));
  std::vector<Row> rows;
  auto get = [&](uint32_t row, llvm::StringRef name) {
    return report.table.getInteger(row, *report.table.findColumn(name));
  };
  for (uint32_t row : report.view.rows)
    rows.push_back({report.table.getText(row, 0).str(), get(row, "sole_ps"),
                    get(row, "shared_ps"), get(row, "estimated_ps"),
                    uint64_t(get(row, "count"))});
  return rows;
}

} // namespace

TEST(RandomTest, DisjointGroupsAddUpToOwnedTime) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    auto data = makeRandom(seed);
    const Coverage &coverage = data->attribution.coverage;
    int64_t owned = coverage.opTimePs - coverage.unmatchedPs;
    for (llvm::StringRef by : {"op-type", "location", "source"}) {
      int64_t sum = 0;
      for (const Row &row : rollUpRows(*data, by))
        sum += row.total();
      EXPECT_EQ(sum, owned) << by.str() << " seed " << seed;
    }
    for (llvm::StringRef by : {"measured-op-type", "hlo-module"}) {
      int64_t sum = 0;
      for (const Row &row : rollUpRows(*data, by))
        sum += row.total();
      EXPECT_EQ(sum, coverage.opTimePs) << by.str() << " seed " << seed;
    }
  }
}

/// The expected times of a group, directly by the rule: `isIn` tells which ops
/// are in it.
static Row groupByRule(const Data &data,
                       llvm::function_ref<bool(const MlirOp &)> isIn) {
  Row row = {"", 0, 0, 0, 0};
  for (const OpSummary &op : mergeRuns(data.profile)) {
    const Match &match = data.ownership.matches[op.op];
    std::vector<int64_t> parts = splitExactly(op.getTimePs(), match.weights);
    size_t inside = 0;
    int64_t part = 0;
    for (size_t i = 0; i < match.ops.size(); ++i)
      if (isIn(data.ownership.ops[match.ops[i]])) {
        ++inside;
        part += parts[i];
      }
    if (!inside)
      continue;
    row.count += op.getCount();
    if (inside == match.ops.size() &&
        (match.matchClass != MatchClass::Partial || match.ops.size() == 1)) {
      row.sole += op.getTimePs();
    } else {
      row.shared += op.getTimePs();
      row.estimated += part;
    }
  }
  return row;
}

TEST(RandomTest, EveryGroupFollowsTheRule) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto data = makeRandom(seed);
    auto check = [&](const Row &row, const Row &rule) {
      EXPECT_EQ(row.sole, rule.sole) << row.key << " seed " << seed;
      EXPECT_EQ(row.shared, rule.shared) << row.key << " seed " << seed;
      EXPECT_EQ(row.estimated, rule.estimated) << row.key << " seed " << seed;
      EXPECT_EQ(row.count, rule.count) << row.key << " seed " << seed;
    };
    for (const Row &row : rollUpRows(*data, "op-type"))
      check(row, groupByRule(*data, [&](const MlirOp &op) {
              return op.op == row.key;
            }));
    for (const Row &row : rollUpRows(*data, "module-path"))
      check(row, groupByRule(*data, [&](const MlirOp &op) {
              std::string path = op.path.empty() ? "(unnamed)" : op.path;
              return path == row.key ||
                     llvm::StringRef(path).starts_with(row.key + "/");
            }));
  }
}

TEST(RandomTest, EachLevelOfTheTreeAddsUp) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto data = makeRandom(seed);
    std::map<size_t, int64_t> ofOps, ofRows;
    for (size_t i = 0; i < data->ownership.ops.size(); ++i)
      for (size_t depth =
               llvm::StringRef(data->ownership.ops[i].path).count('/') + 1;
           depth; --depth)
        ofOps[depth] += data->attribution.ops[i].totalPs();
    for (const Row &row : rollUpRows(*data, "module-path"))
      ofRows[llvm::StringRef(row.key).count('/') + 1] += row.total();
    EXPECT_EQ(ofRows, ofOps) << "seed " << seed;
  }
}

TEST(RandomTest, GroupsOfOneOpAreTheOp) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto data = makeRandom(seed);
    // Every op gets a unique name.
    for (size_t i = 0; i < data->ownership.ops.size(); ++i)
      data->ownership.ops[i].path = std::to_string(i);
    for (const Row &row : rollUpRows(*data, "location")) {
      const OpTime &time = data->attribution.ops[std::stoul(row.key)];
      EXPECT_EQ(row.sole, time.solePs);
      EXPECT_EQ(row.shared, time.sharedPs);
      EXPECT_EQ(row.estimated, time.estimatedPs);
      EXPECT_EQ(row.count, time.count);
    }
  }
}
