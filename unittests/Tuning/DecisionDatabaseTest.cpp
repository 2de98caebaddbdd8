//===- DecisionDatabaseTest.cpp - Decisions that outlive a build ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::tuning;

namespace {

std::string hash(char digit) { return std::string(32, digit); }

Decision makeDecision(char exact, char shape, char neighborhood,
                      const char *technique, const char *value,
                      int64_t whenMs = 1000) {
  Decision decision;
  decision.key.signature = {hash(exact), hash(shape),
                            neighborhood ? hash(neighborhood) : ""};
  decision.key.machine = "znver4";
  decision.key.technique = technique;
  decision.choice = {{"value", value}};
  decision.whenMs = whenMs;
  return decision;
}

Observation makeObservation(const Decision &decision, int64_t whenMs) {
  Observation observation;
  observation.key = decision.key;
  observation.choice = decision.choice;
  observation.whenMs = whenMs;
  observation.oldPs = 1'500'000'000;
  observation.newPs = 1'200'000'000;
  observation.spread = 0.01;
  observation.rounds = 24;
  observation.probability = 0.0009765625;
  observation.error = 2.3e-7;
  return observation;
}

std::string toText(const DecisionDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  database.write(os);
  return text;
}

std::string messageOf(llvm::StringRef text) {
  llvm::Expected<DecisionDatabase> database =
      DecisionDatabase::parse(text, "d.json");
  return database ? "" : llvm::toString(database.takeError());
}

/// "value confidence" of the one decision found.
std::string found(const DecisionDatabase &database, OpSignature signature,
                  llvm::StringRef machine = "znver4") {
  std::vector<std::string> all;
  for (const DecisionMatch &match : database.find(signature, machine))
    all.push_back(match.decision->choice.at("value") + " " +
                  getName(match.confidence).str());
  return llvm::join(all, ", ");
}

TEST(DecisionDatabaseTest, FindsByConfidence) {
  DecisionDatabase database;
  llvm::cantFail(database.decide(makeDecision('1', '2', '3', "t", "a")));
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('3')}), "a exact");
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('9')}), "a exact");
  EXPECT_EQ(found(database, {hash('9'), hash('2'), hash('3')}),
            "a shape-erased");
  EXPECT_EQ(found(database, {hash('9'), hash('9'), hash('3')}),
            "a neighborhood");
  EXPECT_EQ(found(database, {hash('9'), hash('9'), hash('9')}), "");
  EXPECT_EQ(found(database, {hash('9'), hash('9'), ""}), "");
  // Times of another machine say nothing.
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('3')}, "m1"), "");
}

TEST(DecisionDatabaseTest, BestMatchWins) {
  DecisionDatabase database;
  auto add = [&](Decision decision) {
    llvm::cantFail(database.decide(std::move(decision)));
  };
  add(makeDecision('4', '2', '3', "t", "by shape", 9000));
  add(makeDecision('1', '2', '5', "t", "elsewhere", 5000));
  add(makeDecision('1', '2', '3', "t", "here", 2000));
  add(makeDecision('1', '2', '6', "u", "older", 1000));
  add(makeDecision('1', '2', '7', "u", "newer", 1001));
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('3')}),
            "here exact, newer exact");
  EXPECT_EQ(found(database, {hash('8'), hash('2'), hash('5')}),
            "elsewhere shape-erased, newer shape-erased");
  // Equally new: the first by key.
  add(makeDecision('1', '2', '0', "v", "first", 7));
  add(makeDecision('1', '2', '1', "v", "second", 7));
  std::optional<DecisionMatch> match =
      database.find({hash('1'), hash('2'), hash('3')}, "znver4", "v");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->decision->choice.at("value"), "first");
  EXPECT_FALSE(database.find({hash('1'), hash('2'), hash('3')}, "znver4", "w"));
}

TEST(DecisionDatabaseTest, FusionsNeedTheirNeighbors) {
  DecisionDatabase database;
  Decision fusion = makeDecision('1', '2', '3', "fuse", "a");
  fusion.scope = DecisionScope::Neighborhood;
  llvm::cantFail(database.decide(fusion));
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('3')}), "a exact");
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('4')}), "");
  EXPECT_EQ(found(database, {hash('5'), hash('6'), hash('3')}),
            "a neighborhood");
}

TEST(DecisionDatabaseTest, TheLastWordHolds) {
  DecisionDatabase database;
  llvm::cantFail(database.decide(makeDecision('1', '2', '3', "t", "z", 5000)));
  // The clock went back.
  llvm::cantFail(database.decide(makeDecision('1', '2', '3', "t", "a", 4000)));
  EXPECT_EQ(database.getDecisions().size(), 1u);
  EXPECT_EQ(database.getDecisions().begin()->second.whenMs, 5001);
  EXPECT_EQ(found(database, {hash('1'), hash('2'), hash('3')}), "a exact");
}

TEST(DecisionDatabaseTest, Observations) {
  DecisionDatabase database;
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  Observation failed = makeObservation(decision, 3000);
  failed.outcome = Outcome::Failed;
  failed.reason = "killed by SIGSEGV";
  llvm::cantFail(database.observe(failed));
  llvm::cantFail(database.observe(makeObservation(decision, 2000)));
  Decision other = makeDecision('1', '2', '3', "t", "b");
  llvm::cantFail(database.observe(makeObservation(other, 9000)));
  Decision elsewhere = makeDecision('1', '2', '4', "t", "a");
  llvm::cantFail(database.observe(makeObservation(elsewhere, 9000)));
  const Observation *newest =
      database.findObservation(decision.key, decision.choice);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->outcome, Outcome::Failed);
  EXPECT_EQ(newest->whenMs, 3000);
  EXPECT_EQ(database.findObservations(decision.key).size(), 3u);
  EXPECT_FALSE(database.findObservation(decision.key, {}));
}

TEST(DecisionDatabaseTest, WritesWhatItReads) {
  DecisionDatabase database;
  Decision decision = makeDecision('1', '2', '3', "t", "\"\\\n\xc3\xa9");
  decision.basis = DecisionBasis::Inferred;
  decision.scope = DecisionScope::Neighborhood;
  decision.producer = "0.1.0";
  decision.label = "linalg.matmul at model.mlir:12";
  llvm::cantFail(database.decide(decision));
  Observation observation = makeObservation(decision, 1);
  observation.spread = 1.0 / 3;
  observation.rounds = ~0u;
  observation.newPs = std::numeric_limits<int64_t>::max();
  observation.error = INFINITY;
  llvm::cantFail(database.observe(observation));
  observation.error.reset();
  observation.probability.reset();
  observation.outcome = Outcome::Rejected;
  llvm::cantFail(database.observe(observation));
  std::string text = toText(database);
  auto again = llvm::cantFail(DecisionDatabase::parse(text, "again"));
  EXPECT_EQ(again.getDecisions().begin()->second, decision);
  EXPECT_TRUE(again.getObservations() == database.getObservations());
  EXPECT_EQ(toText(again), text);
  // What is not finite is the largest number.
  EXPECT_EQ(again.getObservations().begin()->error,
            std::numeric_limits<double>::max());
}

TEST(DecisionDatabaseTest, MergingIsAUnion) {
  auto make = [](std::initializer_list<Decision> decisions) {
    DecisionDatabase database;
    for (const Decision &decision : decisions) {
      llvm::cantFail(database.decide(decision));
      llvm::cantFail(database.observe(makeObservation(decision, 5)));
    }
    return database;
  };
  Decision a = makeDecision('1', '2', '3', "t", "a", 10);
  Decision b = makeDecision('1', '2', '3', "t", "b", 20);
  Decision c = makeDecision('4', '2', '3', "t", "c", 5);
  DecisionDatabase one = make({a, c}), two = make({b}), oneAgain = make({a, c});
  // The newer decision, and its observation.
  EXPECT_EQ(llvm::cantFail(one.merge(two)), 2u);
  EXPECT_EQ(llvm::cantFail(one.merge(two)), 0u);
  // c and two observations.
  EXPECT_EQ(llvm::cantFail(two.merge(oneAgain)), 3u);
  EXPECT_EQ(toText(one), toText(two));
  EXPECT_EQ(one.getDecisions().size(), 2u);
  EXPECT_EQ(one.getDecisions().at(a.key).choice, b.choice);
}

TEST(DecisionDatabaseTest, ChecksWhatItTakes) {
  DecisionDatabase database;
  auto refuses = [&](void (*spoil)(Decision &)) {
    Decision decision = makeDecision('1', '2', '3', "t", "a");
    spoil(decision);
    llvm::Error error = database.decide(std::move(decision));
    bool refused = bool(error);
    llvm::consumeError(std::move(error));
    return refused;
  };
  EXPECT_FALSE(refuses([](Decision &) {}));
  EXPECT_TRUE(refuses([](Decision &d) { d.key.signature.exact = "12"; }));
  EXPECT_TRUE(refuses([](Decision &d) { d.key.signature.exact[3] = 'G'; }));
  EXPECT_TRUE(refuses([](Decision &d) { d.key.machine.clear(); }));
  EXPECT_TRUE(refuses([](Decision &d) { d.whenMs = -1; }));
  EXPECT_FALSE(
      refuses([](Decision &d) { d.key.signature.neighborhood.clear(); }));
  EXPECT_TRUE(refuses([](Decision &d) {
    d.key.signature.neighborhood.clear();
    d.scope = DecisionScope::Neighborhood;
  }));
  EXPECT_TRUE(refuses([](Decision &d) {
    for (unsigned i = 0; i != 65; ++i)
      d.choice[std::to_string(i)] = "";
  }));
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  // 4095 bytes, then a character of two: it is not cut in the middle.
  decision.label = std::string(4095, 'x') + "\xc3\xa9";
  llvm::cantFail(database.decide(decision));
  EXPECT_EQ(database.getDecisions().at(decision.key).label,
            std::string(4095, 'x'));
}

TEST(DecisionDatabaseTest, Sizes) {
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  Observation small = makeObservation(decision, 1000);
  small.sizes = {{1, 8}, {4, 8}};
  DecisionDatabase database;
  llvm::cantFail(database.decide(decision));
  llvm::cantFail(database.observe(small));
  const OpSignature &signature = decision.key.signature;
  auto getConfidence = [&](const MeasuredSizes &sizes) {
    return database.find(signature, "znver4", sizes).front().confidence;
  };
  EXPECT_EQ(getConfidence({}), Confidence::Exact);
  EXPECT_EQ(getConfidence({{4, 8}}), Confidence::Exact);
  // Four times as many, and more than that.
  EXPECT_EQ(getConfidence({{16, 8}}), Confidence::Exact);
  EXPECT_EQ(getConfidence({{17, 8}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{4, 1}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{4, 8}, {4, 1}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{0, 8}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{4}}), Confidence::OtherSizes);
  EXPECT_EQ(getName(Confidence::OtherSizes), "other-sizes");
  // What was seen there counts; elsewhere it was not tried.
  EXPECT_TRUE(
      database.findObservation(decision.key, decision.choice, {{16, 8}}));
  EXPECT_FALSE(
      database.findObservation(decision.key, decision.choice, {{64, 8}}));
  Observation large = small;
  large.whenMs = 2000;
  large.sizes = {{64, 8}};
  llvm::cantFail(database.observe(large));
  EXPECT_EQ(getConfidence({{64, 8}, {1, 8}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{64, 8}}), Confidence::Exact);
  EXPECT_EQ(getConfidence({{4, 8}}), Confidence::Exact);
  // One that does not say what it was measured on is no reason to doubt.
  Observation unknown = small;
  unknown.sizes.clear();
  llvm::cantFail(database.observe(unknown));
  EXPECT_EQ(getConfidence({{1000, 1000}}), Confidence::Exact);
  // All of it is in the file and in the listing.
  std::string text = toText(database);
  DecisionDatabase again =
      llvm::cantFail(DecisionDatabase::parse(text, "d.json"));
  EXPECT_EQ(again.getObservations(), database.getObservations());
  EXPECT_EQ(toText(again), text);
  std::string listing;
  llvm::raw_string_ostream os(listing);
  database.print(os);
  EXPECT_NE(listing.find("error 2.3e-07, on sizes 1x8, 4x8\n"),
            std::string::npos)
      << listing;
  // Too many, and none.
  for (size_t count : {size_t(0), DecisionDatabase::kMaxSizes + 1}) {
    Observation odd = small;
    odd.sizes = {std::vector<int64_t>(count, 1)};
    llvm::Error error = database.observe(odd);
    EXPECT_TRUE(bool(error));
    llvm::consumeError(std::move(error));
  }
}

TEST(DecisionDatabaseTest, OlderFormats) {
  DecisionDatabase database;
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  llvm::cantFail(database.decide(decision));
  llvm::cantFail(database.observe(makeObservation(decision, 1)));
  Decision fusion = makeDecision('4', '5', '6', "f", "a");
  fusion.scope = DecisionScope::Neighborhood;
  llvm::cantFail(database.decide(fusion));
  std::string text = toText(database);
  for (llvm::StringRef version : {"decisions/1", "decisions/2"}) {
    std::string older = text;
    for (auto [today, then] :
         {std::pair<llvm::StringRef, llvm::StringRef>("decisions/3", version),
          {"\"schema\"", "\"format\""},
          {"neighborhood", "neighbourhood"}}) {
      ASSERT_NE(older.find(today.str()), std::string::npos);
      for (size_t at = 0;
           (at = older.find(today.str(), at)) != std::string::npos;
           at += then.size())
        older.replace(at, today.size(), then.str());
    }
    // It is written as what this version writes.
    EXPECT_EQ(toText(llvm::cantFail(DecisionDatabase::parse(older, "d.json"))),
              text);
  }
}

TEST(DecisionDatabaseTest, BadFiles) {
  std::string good;
  {
    DecisionDatabase database;
    Decision decision = makeDecision('1', '2', '3', "t", "a");
    llvm::cantFail(database.decide(decision));
    llvm::cantFail(database.observe(makeObservation(decision, 1)));
    good = toText(database);
  }
  EXPECT_EQ(messageOf(good), "");
  auto spoilt = [&](llvm::StringRef from, llvm::StringRef to) {
    std::string text = good;
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to.str());
    return messageOf(text);
  };
  auto startsWith = [](const std::string &text, llvm::StringRef start) {
    EXPECT_TRUE(llvm::StringRef(text).starts_with(start)) << text;
    EXPECT_NE(text.find("\n  hint: "), std::string::npos) << text;
  };
  startsWith(messageOf(" \n"), "d.json: is empty");
  startsWith(messageOf("nonsense"), "d.json: is not valid JSON");
  startsWith(messageOf("[]"), "d.json: is not a JSON object");
  startsWith(messageOf("{}"), "d.json: this is no database of decisions");
  startsWith(messageOf(std::string(100000, '[')), "d.json: is not valid JSON");
  startsWith(messageOf(good.substr(0, good.size() / 2)),
             "d.json: is not valid JSON");
  startsWith(spoilt("decisions/3", "decisions/4"),
             "d.json: its schema \"mlir-prof.decisions/4\" is not known");
  startsWith(spoilt("mlir-prof.decisions/3", "something/3"),
             "d.json: this is no database");
  startsWith(spoilt("\"basis\"", "\"bases\""),
             "d.json: decisions[0]: holds a member that is not known");
  startsWith(spoilt("\"measured\"", "\"guessed\""),
             "d.json: decisions[0]: \"basis\" is not what it should be");
  startsWith(spoilt("\"label\": \"\"", "\"label\": \"\", \"label\": \"\""),
             "d.json: decisions[0]: holds \"label\" twice");
  startsWith(spoilt("\"outcome\": \"kept\",", ""),
             "d.json: observations[0]: \"outcome\" is missing");
  startsWith(spoilt("\"rounds\": 24", "\"rounds\": 4294967296"),
             "d.json: observations[0]: \"rounds\" is not");
  startsWith(spoilt("\"1500000000\"", "\"99999999999999999999\""),
             "d.json: observations[0]: \"oldPs\" is not");
  startsWith(spoilt("\"1500000000\"", "\"-1\""),
             "d.json: observations[0]: a time or a spread is negative");
  startsWith(spoilt(hash('1'), hash('1') + "1"),
             "d.json: decisions[0]: a hash does not have");
  startsWith(spoilt("\"observations\"", "\"notes\""), "d.json: ");
  for (const char *sizes : {"3", "[3]", "[\"\"]", "[\"4x\"]", "[\"04\"]",
                            "[\"4 x8\"]", "[\"99999999999999999999\"]"})
    startsWith(spoilt("\"rounds\": 24",
                      std::string("\"rounds\": 24, \"sizes\": ") + sizes),
               "d.json: observations[0]: \"sizes\" is not");
  startsWith(spoilt("\"rounds\": 24", "\"rounds\": 24, \"sizes\": [\"-4\"]"),
             "d.json: observations[0]: a size is negative");
}

TEST(DecisionDatabaseTest, Prints) {
  DecisionDatabase database;
  Decision decision = makeDecision('1', '2', '3', "winograd", "F(4,3)", 0);
  decision.label = "linalg.conv_2d \x1b[31m";
  decision.producer = "0.1.0";
  llvm::cantFail(database.decide(decision));
  llvm::cantFail(database.observe(makeObservation(decision, 1772368205000)));
  Observation failed =
      makeObservation(makeDecision('9', '2', '3', "t", "b"), 0);
  failed.outcome = Outcome::Failed;
  failed.oldPs = failed.newPs = 0;
  failed.error.reset();
  failed.reason = "killed by SIGSEGV";
  llvm::cantFail(database.observe(failed));
  std::string text;
  llvm::raw_string_ostream os(text);
  database.print(os);
  EXPECT_EQ(text, "1 decisions, 2 observations\n"
                  "\n"
                  "linalg.conv_2d \\u{1b}[31m\n"
                  "  winograd: value=F(4,3)\n"
                  "  measured on znver4, 1970-01-01 00:00:00, mlir-prof 0.1.0\n"
                  "    kept 2026-03-01 12:30:05 value=F(4,3): 1.500 ms -> "
                  "1.200 ms (0.800, spread 1.00 %, 24 rounds, p 9.8e-04), "
                  "error 2.3e-07\n"
                  "\n"
                  "99999999999999999999999999999999\n"
                  "  t: nothing decided on znver4\n"
                  "    failed 1970-01-01 00:00:00 value=b: killed by "
                  "SIGSEGV\n");
}

} // namespace
