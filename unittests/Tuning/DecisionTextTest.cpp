//===- DecisionTextTest.cpp - Reading and writing a database --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDecisions.h"
#include "mlir-prof/Tuning/DecisionReader.h"
#include "mlir-prof/Tuning/DecisionWriter.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

std::string toText(const DecisionDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeDecisions(database, os);
  return text;
}

std::string messageOf(llvm::StringRef text) {
  llvm::Expected<DecisionDatabase> database = parseDecisions(text, "d.json");
  return database ? "" : llvm::toString(database.takeError());
}

TEST(DecisionTextTest, WritesWhatItReads) {
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
  auto again = llvm::cantFail(parseDecisions(text, "again"));
  EXPECT_EQ(again.getDecisions().begin()->second, decision);
  EXPECT_TRUE(again.getObservations() == database.getObservations());
  EXPECT_EQ(toText(again), text);
  // A value that is not finite becomes the largest number.
  EXPECT_EQ(again.getObservations().begin()->error,
            std::numeric_limits<double>::max());
}

TEST(DecisionTextTest, Sizes) {
  DecisionDatabase database;
  Observation small =
      makeObservation(makeDecision('1', '2', '3', "t", "a"), 1000);
  small.sizes = {{1, 8}, {4, 8}};
  llvm::cantFail(database.observe(small));
  std::string text = toText(database);
  EXPECT_NE(text.find("\"1x8\",\n    \"4x8\""), std::string::npos) << text;
  DecisionDatabase again = llvm::cantFail(parseDecisions(text, "d.json"));
  EXPECT_EQ(again.getObservations(), database.getObservations());
  EXPECT_EQ(toText(again), text);
}

TEST(DecisionTextTest, OlderFormats) {
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
    // It is written in the current version.
    EXPECT_EQ(toText(llvm::cantFail(parseDecisions(older, "d.json"))), text);
  }
}

TEST(DecisionTextTest, BadFiles) {
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
  startsWith(messageOf("{}"), "d.json: this is not a database of decisions");
  startsWith(messageOf(std::string(100000, '[')), "d.json: is not valid JSON");
  startsWith(messageOf(good.substr(0, good.size() / 2)),
             "d.json: is not valid JSON");
  startsWith(spoilt("decisions/3", "decisions/4"),
             "d.json: its schema \"mlir-prof.decisions/4\" is not known");
  startsWith(spoilt("mlir-prof.decisions/3", "something/3"),
             "d.json: this is not a database");
  startsWith(spoilt("\"basis\"", "\"bases\""),
             "d.json: decisions[0]: has an unknown member");
  startsWith(spoilt("\"measured\"", "\"guessed\""),
             "d.json: decisions[0]: \"basis\" is malformed");
  startsWith(spoilt("\"label\": \"\"", "\"label\": \"\", \"label\": \"\""),
             "d.json: decisions[0]: holds \"label\" twice");
  startsWith(spoilt("\"outcome\": \"kept\",", ""),
             "d.json: observations[0]: \"outcome\" is missing");
  startsWith(spoilt("\"rounds\": 24", "\"rounds\": 4294967296"),
             "d.json: observations[0]: \"rounds\" is malformed");
  startsWith(spoilt("\"1500000000\"", "\"99999999999999999999\""),
             "d.json: observations[0]: \"oldPs\" is malformed");
  startsWith(spoilt("\"1500000000\"", "\"-1\""),
             "d.json: observations[0]: a time or a spread is negative");
  startsWith(spoilt(makeHash('1'), makeHash('1') + "1"),
             "d.json: decisions[0]: a hash does not have");
  startsWith(spoilt("\"observations\"", "\"notes\""), "d.json: ");
  for (const char *sizes : {"3", "[3]", "[\"\"]", "[\"4x\"]", "[\"04\"]",
                            "[\"4 x8\"]", "[\"99999999999999999999\"]"})
    startsWith(spoilt("\"rounds\": 24",
                      std::string("\"rounds\": 24, \"sizes\": ") + sizes),
               "d.json: observations[0]: \"sizes\" is malformed");
  startsWith(spoilt("\"rounds\": 24", "\"rounds\": 24, \"sizes\": [\"-4\"]"),
             "d.json: observations[0]: a size is negative");
}

} // namespace
