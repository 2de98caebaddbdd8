//===- CallsTest.cpp - Matching PyTorch's ops with a module ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against expected.json, which utils/recordings/torch/reference.py computed
// from the same files with Python's json and torch-mlir's bindings.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Match/SequenceAlign.h"
#include "Recordings.h"
#include "mlir-prof/Import/Importer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <functional>
#include <map>
#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::importer;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

std::string readText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return buffer ? (*buffer)->getBuffer().str() : "";
}

struct Joined {
  Profile profile;
  Ownership ownership;
  Attribution times;
  llvm::json::Object join;
};

/// Joins recording `name` with `loaded`.
Joined join(const std::string &name, const LoadedModule &loaded) {
  Joined joined;
  std::string folder = "torch/" + name;
  llvm::Expected<Profile> profile =
      importProfile(getPath(folder, "trace.json.gz"));
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return joined;
  }
  joined.profile = std::move(*profile);
  if (!loaded.root)
    return joined;
  joined.ownership = matchProfile(joined.profile, *loaded.root);
  joined.times = attribute(joined.profile, joined.ownership);
  llvm::json::Object expected = loadExpected(folder);
  if (const llvm::json::Object *found = expected.getObject("join"))
    joined.join = *found;
  return joined;
}

Joined join(const std::string &name, llvm::StringRef module) {
  return join(name, loadModule(getPath("torch/" + name, module)));
}

/// Each op of the torch dialect has exactly the time of the calls that the
/// reference found for it. Positions are in the function's only block: the
/// module and the function stand before it.
void expectSameOps(const Joined &joined) {
  const llvm::json::Array *rows = joined.join.getArray("pre");
  ASSERT_NE(rows, nullptr);
  int64_t joinedPs = 0;
  std::map<size_t, int64_t> expected;
  for (const llvm::json::Value &row : *rows) {
    size_t op = size_t(*row.getAsObject()->getInteger("index")) + 2;
    ASSERT_LT(op, joined.ownership.ops.size());
    EXPECT_EQ(joined.ownership.ops[op].op, *row.getAsObject()->getString("op"));
    expected[op] = *row.getAsObject()->getInteger("total_ns") * 1000;
    joinedPs += expected[op];
  }
  for (size_t op = 0; op < joined.times.ops.size(); ++op)
    EXPECT_EQ(joined.times.ops[op].solePs, expected[op]) << op;
  const Coverage &coverage = joined.times.coverage;
  EXPECT_EQ(coverage.uniquePs, joinedPs);
  EXPECT_EQ(coverage.opTimePs,
            *joined.join.getInteger("cpu_op_self_ns") * 1000);
  EXPECT_EQ(coverage.unmatchedPs, coverage.opTimePs - joinedPs);
}

TEST(Calls, Eager) {
  for (const char *name :
       {"mlp-eager", "cnn-eager", "encoder-eager", "mlp-noise"}) {
    SCOPED_TRACE(name);
    expectSameOps(join(name, "model.generic.mlir"));
  }
}

TEST(Calls, Training) {
  expectSameOps(join("train-eager", "model.generic.mlir"));
}

TEST(Calls, NamesOfNodesAreExact) {
  Joined joined = join("cnn-fxnode", "model.named.generic.mlir");
  expectSameOps(joined);
  for (size_t i = 0; i < joined.profile.opKeys.size(); ++i) {
    const OpKey &key = joined.profile.opKeys[i];
    EXPECT_FALSE(key.get<FrameworkCallKey>().graphNode.empty());
    EXPECT_EQ(joined.ownership.matches[i].tier, MatchTier::LocationPath);
  }
  // Without names, order leads to the same result.
  expectSameOps(join("cnn-fxnode", "model.generic.mlir"));
}

TEST(Calls, SaysByWhatEvidence) {
  // Only order distinguishes two equal blocks; shapes distinguish convolutions.
  Joined encoder = join("encoder-eager", "model.generic.mlir");
  int64_t byOrder = 0;
  for (const OpSummary &op : encoder.profile.runs[0].ops)
    if (encoder.ownership.matches[op.op].tier == MatchTier::ExecutionOrder)
      byOrder += op.getTimePs();
  EXPECT_EQ(byOrder, encoder.times.coverage.opTimePs);
  Joined cnn = join("cnn-eager", "model.generic.mlir");
  for (const Match &match : cnn.ownership.matches)
    EXPECT_NE(match.tier, MatchTier::ExecutionOrder);
}

/// Kernels of torch.compile, by the reference through inductor's own
/// provenance.
void expectSameKernels(const Joined &joined) {
  const llvm::json::Array *rows = joined.join.getArray("kernels");
  ASSERT_NE(rows, nullptr);
  // For each kernel, all its ops together.
  std::map<std::vector<uint32_t>, int64_t> expected, found;
  for (const llvm::json::Value &row : *rows) {
    std::vector<uint32_t> ops;
    for (const llvm::json::Value &op : *row.getAsObject()->getArray("pre"))
      ops.push_back(uint32_t(*op.getAsInteger()) + 2);
    expected[ops] += *row.getAsObject()->getInteger("total_ns") * 1000;
  }
  std::vector<OpSummary> measured = mergeRuns(joined.profile);
  for (size_t i = 0; i < measured.size(); ++i)
    if (!joined.ownership.matches[i].ops.empty())
      found[joined.ownership.matches[i].ops] += measured[i].getTimePs();
  EXPECT_EQ(found, expected);
}

TEST(Calls, CompiledKernels) {
  expectSameKernels(join("mlp-compile", "model.generic.mlir"));
  expectSameKernels(join("cnn-compile", "model.generic.mlir"));
}

/// On linalg of the same export: the ops of one line of the source together
/// have the time of its calls.
void expectSameLines(const Joined &joined) {
  std::map<int64_t, int64_t> expected, found;
  for (const llvm::json::Value &row : *joined.join.getArray("pre")) {
    const llvm::json::Array &frames = *row.getAsObject()->getArray("loc");
    int64_t line = *(*frames.back().getAsArray())[1].getAsInteger();
    expected[line] += *row.getAsObject()->getInteger("total_ns") * 1000;
  }
  for (size_t op = 0; op < joined.times.ops.size(); ++op)
    if (int64_t total = joined.times.ops[op].totalPs())
      found[joined.ownership.ops[op].line] += total;
  EXPECT_EQ(found, expected);
  EXPECT_EQ(joined.times.coverage.unmatchedPs, 0);
}

/// On the module after torch-mlir's default decompositions: a call has exactly
/// the ops into which its node of the graph was decomposed.
void expectSameGroups(const Joined &joined) {
  const llvm::json::Array *groups = joined.join.getArray("default_groups");
  ASSERT_NE(groups, nullptr);
  std::map<std::vector<uint32_t>, int64_t> expected, found;
  for (const llvm::json::Value &group : *groups) {
    std::vector<uint32_t> ops;
    for (const llvm::json::Value &op :
         *group.getAsObject()->getArray("members"))
      ops.push_back(uint32_t(*op.getAsInteger()) + 2);
    expected[ops] += *group.getAsObject()->getInteger("total_ns") * 1000;
  }
  std::vector<OpSummary> measured = mergeRuns(joined.profile);
  for (size_t i = 0; i < measured.size(); ++i)
    found[joined.ownership.matches[i].ops] += measured[i].getTimePs();
  EXPECT_EQ(found, expected);
}

TEST(Calls, Decomposed) {
  for (const char *name : {"mlp-eager", "cnn-eager", "encoder-eager"}) {
    SCOPED_TRACE(name);
    expectSameGroups(join(name, "decomposed.generic.mlir"));
  }
}

TEST(Calls, Linalg) { expectSameLines(join("mlp-eager", "linalg.mlir")); }

TEST(Calls, LinalgNeedsWorkOfTheKind) {
  Joined joined = join("cnn-eager", "linalg.mlir");
  const Coverage &coverage = joined.times.coverage;
  // flatten does not move anything: no op of linalg is left of it.
  EXPECT_LT(coverage.unmatchedPs * 500, coverage.opTimePs);
  for (size_t i = 0; i < joined.profile.opKeys.size(); ++i) {
    const OpKey &key = joined.profile.opKeys[i];
    const auto &callers = key.get<FrameworkCallKey>().callers;
    if (joined.ownership.matches[i].ops.empty()) {
      EXPECT_EQ(callers.empty() ? key.op : callers.front(), "aten::flatten");
    }
  }
}

/// The perceptron without its first layer, of `size` ops, or with one more like
/// it in front.
LoadedModule editFirstLayer(llvm::StringRef module, unsigned size, bool adds) {
  std::string text = readText(getPath("torch/mlp-eager", module)), edited;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  auto replaceAll = [](std::string line, llvm::StringRef from,
                       llvm::StringRef to) {
    for (size_t at = 0; (at = line.find(from, at)) != std::string::npos;
         at += to.size())
      line.replace(at, from.size(), to);
    return line;
  };
  std::string last = "%" + std::to_string(size - 1);
  auto first = llvm::find_if(lines, [](llvm::StringRef line) {
    return line.ltrim().starts_with("%0 =");
  });
  unsigned head = unsigned(first - lines.begin());
  for (unsigned i = 0; i != lines.size(); ++i) {
    if (adds && i == head)
      for (unsigned j = 0; j != size; ++j)
        edited += replaceAll(replaceAll(lines[head + j].str(), "%", "%n"),
                             "%narg0", "%arg0") +
                  "\n";
    bool isLayer = i >= head && i < head + size;
    if (!adds && isLayer)
      continue;
    std::string line = lines[i].str();
    if (adds && i >= head)
      line = replaceAll(line, "%arg0", "%n" + last.substr(1));
    else if (!adds)
      for (char end : {',', ')'})
        line = replaceAll(line, last + end, std::string("%arg0") + end);
    edited += line + "\n";
  }
  return parseText(edited);
}

int64_t getTime(const Joined &joined, int64_t node) {
  for (const llvm::json::Value &row : *joined.join.getArray("pre"))
    if (*row.getAsObject()->getInteger("index") == node)
      return *row.getAsObject()->getInteger("total_ns") * 1000;
  ADD_FAILURE() << node;
  return 0;
}

/// A layer that is like the first one of the recording: either may have run,
/// and none is chosen. The two products share three places, as the ops between
/// them may be left out.
TEST(Calls, ALayerInFrontIsShared) {
  Joined joined =
      join("mlp-eager", editFirstLayer("model.generic.mlir", 4, true));
  std::map<std::vector<uint32_t>, int64_t> expected = {
      {{4, 8}, getTime(joined, 2)},  {{5, 9}, getTime(joined, 3)},
      {{8, 12}, getTime(joined, 6)}, {{14}, getTime(joined, 8)},
      {{15}, getTime(joined, 9)},    {{18}, getTime(joined, 12)}};
  std::map<std::vector<uint32_t>, int64_t> found;
  std::vector<OpSummary> measured = mergeRuns(joined.profile);
  for (size_t i = 0; i < measured.size(); ++i) {
    const Match &match = joined.ownership.matches[i];
    found[match.ops] += measured[i].getTimePs();
    EXPECT_EQ(match.matchClass, match.ops.size() == 1 ? MatchClass::Unique
                                                      : MatchClass::Ambiguous);
  }
  EXPECT_EQ(found, expected);
}

/// The same if a call is several ops.
TEST(Calls, ADecomposedLayerInFrontIsShared) {
  Joined joined =
      join("mlp-eager", editFirstLayer("decomposed.generic.mlir", 14, true));
  const Coverage &coverage = joined.times.coverage;
  EXPECT_EQ(coverage.uniquePs,
            getTime(joined, 8) + getTime(joined, 9) + getTime(joined, 12));
  EXPECT_EQ(coverage.ambiguousPs, coverage.opTimePs - coverage.uniquePs);
}

/// One of two calls that fit one op equally well does not have an op any more.
TEST(Calls, ALayerThatIsGoneIsNotChosen) {
  Joined joined =
      join("mlp-eager", editFirstLayer("model.generic.mlir", 4, false));
  const Coverage &coverage = joined.times.coverage;
  EXPECT_EQ(coverage.uniquePs,
            getTime(joined, 8) + getTime(joined, 9) + getTime(joined, 12));
  EXPECT_EQ(coverage.unmatchedPs, coverage.opTimePs - coverage.uniquePs);
}

/// All best alignments of small random sequences, found by trying all.
TEST(Calls, EquallyGoodPairsAreThoseOfAllBestWays) {
  std::mt19937 random(5);
  for (unsigned round = 0; round != 200; ++round) {
    uint32_t left = random() % 5 + 1, right = random() % 5 + 1;
    std::vector<uint32_t> scores(left * right);
    for (uint32_t &score : scores)
      score = random() % 3;
    auto getScore = [&](uint32_t l, uint32_t r) {
      return scores[l * right + r];
    };
    std::vector<uint32_t> way(left, kNone);
    uint32_t best = 0;
    std::vector<std::set<uint32_t>> expected(left);
    std::set<uint32_t> spare;
    std::function<void(uint32_t, uint32_t, uint32_t)> visit =
        [&](uint32_t l, uint32_t r, uint32_t sum) {
          if (l == left) {
            if (sum < best)
              return;
            if (sum > best) {
              expected.assign(left, {});
              spare.clear();
            }
            best = sum;
            for (uint32_t i = 0; i != left; ++i)
              expected[i].insert(way[i]);
            for (uint32_t i = 0; i != right; ++i)
              if (!llvm::is_contained(way, i))
                spare.insert(i);
            return;
          }
          way[l] = kNone;
          visit(l + 1, r, sum);
          for (uint32_t next = r; next < right; ++next)
            if (uint32_t score = getScore(l, next)) {
              way[l] = next;
              visit(l + 1, next + 1, sum + score);
            }
        };
    visit(0, 0, 0);
    std::vector<EquallyGood> found;
    llvm::BitVector isSpare;
    align(left, right, getScore, &found, &isSpare);
    EXPECT_EQ(
        std::set<uint32_t>(isSpare.set_bits_begin(), isSpare.set_bits_end()),
        spare);
    ASSERT_EQ(found.size(), left);
    for (uint32_t l = 0; l != left; ++l) {
      std::set<uint32_t> all(found[l].right.begin(), found[l].right.end());
      if (found[l].mayBeNone)
        all.insert(kNone);
      EXPECT_EQ(all, expected[l]) << round << " " << l;
    }
  }
}

} // namespace
