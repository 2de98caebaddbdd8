//===- AlignmentStructureTest.cpp - Tests of what the graph tells ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlignmentRules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof::module;
using namespace mlirprof::test;

namespace {
class AlignmentStructureTest : public AlignmentRules {};

auto named(llvm::StringRef name) {
  return [name](int layer, int place, std::string from) {
    return writeSum(layer, place, std::move(from), name);
  };
}

} // namespace

/// One of three is gone, and it is unknown which.
TEST_F(AlignmentStructureTest, OneLessOfLayersThatLookAlikeIsContested) {
  EXPECT_EQ(align(makeLayers({1, 2, 3}, named("l%/")), "s3",
                  makeLayers({4, 5}, named("l%/")), "s5"),
            "a1: d1: s1: a2: d2: s2: a3: d3: s3:");
  EXPECT_EQ(evidence["d2"], PairEvidence::Contested);
}

/// others.
TEST_F(AlignmentStructureTest, WhatNothingTellsGoesWithItsUsers) {
  auto layer = [](int layer, int, std::string from) {
    return llvm::formatv("n{0} = neg(w{0})\nd{0} = dot({1}, n{0})\n"
                         "s{0} = add({1}, d{0})\n",
                         layer, from)
        .str();
  };
  std::string two = makeLayers({1, 2}, layer),
              three = makeLayers({3, 4, 5}, layer);
  EXPECT_EQ(align(two, "s2", three, "s5"),
            "n1:n3,n4 d1:d3,d4 s1:s3,s4 n2:n4,n5 d2:d4,d5 s2:s4,s5");
  EXPECT_EQ(align(three, "s5", two, "s2"),
            "n3: d3: s3: n4: d4: s4: n5: d5: s5:");
}

/// them alone from below.
TEST_F(AlignmentStructureTest, OneDirectionAloneDoesNotDecide) {
  auto layer = [](int layer, int, std::string from) {
    return llvm::formatv("d{0} = dot({1}, v{0})\ne{0} = dot({1}, w{0})\n"
                         "p{0} = exp(d{0})\nq{0} = neg(e{0})\n"
                         "s{0} = add(p{0}, q{0})\n",
                         layer, from)
        .str();
  };
  EXPECT_EQ(align(makeLayers({1, 2}, layer), "s2", makeLayers({3, 4, 5}, layer),
                  "s5"),
            "d1:d3,d4 e1:e3,e4 p1:p3,p4 q1:q3,q4 s1:s3,s4 "
            "d2:d4,d5 e2:e4,e5 p2:p4,p5 q2:q4,q5 s2:s4,s5");
}

/// Results are numbered by their place, too.
TEST_F(AlignmentStructureTest, PlacesOfResultsSayNothingWhereSomeCame) {
  EXPECT_EQ(align(makeLayers({1, 2}, named("")), "s2 d1 d2",
                  makeLayers({3, 4, 5}, named("")), "s5 d3 d4 d5"),
            "a1:a3,a4 d1:d3,d4 s1:s3,s4 a2:a4,a5 d2:d4,d5 s2:s4,s5");
}

/// Common subexpressions that were eliminated, or are not yet.
TEST_F(AlignmentStructureTest, OpsThatComputeTheSameAreMerged) {
  const char *two = "p = abs(x)\nm = neg(p)\nq = abs(x)\nn = exp(q)\n";
  const char *one = "p = abs(x)\nm = neg(p)\nn = exp(p)\n";
  EXPECT_EQ(align(two, "m n", one, "m n"), "p:p m:m q:p n:n");
  EXPECT_EQ(align(one, "m n", two, "m n"), "p:p,q m:m n:n");
  // The op that it served is gone, and so is it.
  EXPECT_EQ(align(two, "m n", "p = abs(x)\nm = neg(p)\n", "m"),
            "p:p m:m q: n:");
}

/// removed.
TEST_F(AlignmentStructureTest, OrderIsTheLastEvidence) {
  const char *two = "a = print(x)\nb = print(x)\nr = neg(x)\n";
  const char *other = "a = print(x)\nb = print(x)\nr = neg(x)\ns = exp(r)\n";
  EXPECT_EQ(align(two, "r", other, "s"), "a:a b:b r:r");
  EXPECT_EQ(evidence["b"], PairEvidence::Order);
  EXPECT_EQ(align(two, "r",
                  "a = print(x)\nb = print(x)\nc = print(x)\nr = neg(x)\n",
                  "r"),
            "a:a,b,c b:a,b,c r:r");
  EXPECT_EQ(evidence["b"], PairEvidence::Ambiguous);
}

/// for everything below it, however large that is.
TEST_F(AlignmentStructureTest, MoreOpsDoNotOutweighWhatADirectionHasAlone) {
  const char *tail = "e = neg({0})\nf = exp(e)\ng = neg(f)\nh = exp(g)\n"
                     "i = neg(h)\nj = exp(i)\nk = neg(j)\n";
  std::string old = "a = abs(x)\nb = sqrt(a)\ns = add(a, b)\n" +
                    llvm::formatv(tail, "s").str();
  std::string now = "a = abs(x)\nb = sqrt(a)\ns = add(a, b)\n"
                    "c = sqrt(s)\nd = sqrt(c)\nt = add(c, d)\n" +
                    llvm::formatv(tail, "t").str();
  EXPECT_EQ(align(old, "k", now, "k"),
            "a:a b:b,d s:s,t e:e f:f g:g h:h i:i j:j k:k");
}

/// Ops that only their operands tell from others are in doubt with these: it is
/// unknown which are gone.
TEST_F(AlignmentStructureTest, WhatHangsOnContestedOpsIsContested) {
  auto layer = [](int layer, int, std::string from) {
    return llvm::formatv("a{0} = abs({1})\ne{0} = exp(a{0})\n"
                         "b{0} = print(e{0})\ns{0} = dot(a{0}, w{0})\n",
                         layer, from)
        .str();
  };
  EXPECT_EQ(
      align(makeLayers({1, 2}, layer), "s2", makeLayers({1}, layer), "s1"),
      "a1: e1: b1: s1: a2: e2: b2: s2:");
  EXPECT_EQ(evidence["b2"], PairEvidence::Contested);
}

/// An op is not found by its size at the place of another one if that size is
/// unchanged elsewhere.
TEST_F(AlignmentStructureTest, SizesThatBecomeSeveralTellNothing) {
  EXPECT_EQ(align("a = dot(v, x)\nb = dot(w, a)\nh = neg(b)\n", "h",
                  "a = dot(v, x)\nc = dot:3(a, u)\nh = neg(c)\n", "h"),
            "a:a b: h:h");
}

/// An op of other sizes stands between ops that have counterparts: one that is
/// not before the end is not the one that is.
TEST_F(AlignmentStructureTest, OpsOfOtherSizesStandBetweenCounterparts) {
  EXPECT_EQ(align("d = dot(x, w) p\nn = neg(x)\nh = dot(n, #9)\n", "h",
                  "c = dot(x, v) q\nm = neg(x)\nd = dot(m, w) p\nn = neg(m)\n"
                  "h = dot(n, #9)\n",
                  "h"),
            "d:d n:m,n h:h");
}
