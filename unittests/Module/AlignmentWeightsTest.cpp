//===- AlignmentWeightsTest.cpp - Tests of what weights tell --------------===//
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
class AlignmentWeightsTest : public AlignmentRules {};
} // namespace

/// belong to another layer.
TEST_F(AlignmentWeightsTest, OpsBelongToTheWeightsThatTheyServe) {
  auto align = [&](llvm::ArrayRef<int> old, llvm::ArrayRef<int> now) {
    return this->align(
        makeLayers(old, writeWeighted), "s" + std::to_string(old.back()),
        makeLayers(now, writeWeighted), "s" + std::to_string(now.back()));
  };
  const char *same = "a1:a1 d1:d1 s1:s1 a2:a2 d2:d2 s2:s2 a3:a3 d3:d3 s3:s3";
  EXPECT_EQ(align({1, 2, 3}, {4, 1, 2, 3}), same);
  EXPECT_EQ(align({1, 2, 3}, {1, 4, 2, 3}), same);
  EXPECT_EQ(align({1, 2, 3}, {1, 2, 3, 4}), same);
  EXPECT_EQ(align({1, 2, 3}, {2, 1, 3}), same);
  EXPECT_EQ(align({1, 2, 3}, {3, 2, 1}), same);
  EXPECT_EQ(align({1, 2, 3}, {2, 3}),
            "a1: d1: s1: a2:a2 d2:d2 s2:s2 a3:a3 d3:d3 s3:s3");
  EXPECT_EQ(align({1, 2, 3}, {1, 3}),
            "a1:a1 d1:d1 s1:s1 a2: d2: s2: a3:a3 d3:d3 s3:s3");
  EXPECT_EQ(align({1, 2, 3}, {1, 2}),
            "a1:a1 d1:d1 s1:s1 a2:a2 d2:d2 s2:s2 a3: d3: s3:");
}

/// op shares the time of the one that it may be.
TEST_F(AlignmentWeightsTest, OpsBetweenWeightsMayBelongToEither) {
  auto write = [](llvm::ArrayRef<int> layers) {
    std::string lines, from = "x";
    for (int layer : layers) {
      lines += llvm::formatv("d{0} = dot({1}, #{0})\ns{0} = exp(d{0})\n", layer,
                             from);
      from = llvm::formatv("s{0}", layer).str();
    }
    return lines + llvm::formatv("h = dot({0}, #9)\n", from).str();
  };
  auto align = [&](llvm::ArrayRef<int> old, llvm::ArrayRef<int> now) {
    return this->align(write(old), "h", write(now), "h");
  };
  EXPECT_EQ(align({1, 2, 3}, {1, 3}), "d1:d1 s1: d2: s2: d3:d3 s3:s3 h:h");
  EXPECT_EQ(evidence["s1"], PairEvidence::Contested);
  EXPECT_EQ(evidence["s2"], PairEvidence::Contested);
  EXPECT_EQ(evidence["d2"], PairEvidence::None);
  EXPECT_EQ(align({1, 2}, {1, 2, 3}), "d1:d1 s1:s1 d2:d2 s2:s2,s3 h:h");
}

/// All layers have the same sizes and indices. These are not weights.
TEST_F(AlignmentWeightsTest, IntegersAreNoWeights) {
  auto layer = [](int layer, int, std::string from) {
    return llvm::formatv("d{0} = dot({1}, #{0})\nr{0} = reshape(d{0}, @5)\n"
                         "s{0} = add({1}, r{0})\n",
                         layer, from)
        .str();
  };
  EXPECT_EQ(align(makeLayers({1, 2, 3}, layer), "s3",
                  makeLayers({2, 1, 3}, layer), "s3"),
            "d1:d1 r1:r1 s1:s1 d2:d2 r2:r2 s2:s2 d3:d3 r3:r3 s3:s3");
}

/// Weights that two ops use identify the layer, but not which of the two.
TEST_F(AlignmentWeightsTest, SharedWeightsDoNotTellTheirUsersApart) {
  const char *old = "d = dot(x, #1)\np = exp(d)\ne = dot(p, #1)\nq = neg(e)\n";
  const char *now = "o = sqrt(x)\nd = dot(o, #1)\np = exp(d)\ne = dot(p, #1)\n"
                    "q = neg(e)\n";
  EXPECT_EQ(align(old, "q", now, "q"), "d:d p:p e:e q:q");
}

/// An op that computes the same as another one did before, but has other users.
TEST_F(AlignmentWeightsTest, WhatWeightsUseDecides) {
  EXPECT_EQ(align("a = abs(x)\nd = dot(a, #1)\nt = neg(a)\n", "d t",
                  "b = abs(x)\ne = dot(b, #2)\nv = exp(b)\na = abs(e)\n"
                  "d = dot(a, #1)\nt = sqrt(a)\n",
                  "d t v"),
            "a:a d:d t:");
}

/// The end of the model stays where it is when a layer is added before it.
TEST_F(AlignmentWeightsTest, TheEndStaysInPlace) {
  EXPECT_EQ(align("a = dot(x, #1)\nh = dot(a, w)\n", "h",
                  "a = dot(x, #1)\nb = dot(a, #2)\nh = dot(b, w)\n", "h"),
            "a:a h:h");
}

/// Two products with the weights of one layer: those of another layer in their
/// place are not them, neither by their order nor by what is around them.
TEST_F(AlignmentWeightsTest, OpsOfOtherWeightsAreNotCounterparts) {
  EXPECT_EQ(align("a1 = dot(x, #1)\nb1 = dot(a1, #1)\na2 = dot(b1, #2)\n"
                  "b2 = dot(a2, #2)\nh = exp(b2)\n",
                  "h",
                  "a3 = dot(x, #3)\nb3 = dot(a3, #3)\na2 = dot(b3, #2)\n"
                  "b2 = dot(a2, #2)\na1 = dot(b2, #1)\nb1 = dot(a1, #1)\n"
                  "h = exp(b1)\n",
                  "h"),
            "a1: b1: a2:a2 b2:b2 h:h");
}

/// Ops between two layers belong to the weights that all their results end in,
/// directly or through other ops, so that those of a new layer may be them.
TEST_F(AlignmentWeightsTest, OpsBelongToTheWeightsBelowThem) {
  const char *head = "a = abs(x)\nb = neg(a)\nc = dot(b, #1)\n";
  const char *tail = "e = neg(d)\nh = dot(e, #2)\n";
  EXPECT_EQ(align((head + std::string("d = abs(c)\n") + tail), "h",
                  (head +
                   std::string("f = abs(c)\ng = neg(f)\n"
                               "k = dot(g, #3)\nd = abs(k)\n") +
                   tail),
                  "h"),
            "a:a b:b c:c d:f,d e:g,e h:h");
}

/// An op that all products of a layer use belongs to their weights.
TEST_F(AlignmentWeightsTest, OpsBelongToAllWeightsThatUseThem) {
  const char *first = "a = abs({0})\nb = dot(a, #1)\nc = dot(a, #2)\n"
                      "p = add(b, c)\n";
  const char *second = "d = abs({0})\ne = dot(d, #3)\nf = dot(d, #4)\n"
                       "q = add(e, f)\n";
  std::string old = llvm::formatv(first, "x").str() +
                    llvm::formatv(second, "p").str(),
              now = llvm::formatv(second, "x").str() +
                    llvm::formatv(first, "q").str();
  EXPECT_EQ(align(old, "q", now, "p"), "a:a b:b c:c p:p d:d e:e f:f q:q");
}

/// After two layers changed places, each op belongs to the weights above it,
/// unless a new place between two weights may be that of either.
TEST_F(AlignmentWeightsTest, OpsBetweenWeightsMoveWithThem) {
  EXPECT_EQ(align("d1 = dot(x, #1)\ns1 = exp(d1)\nd2 = dot(s1, #2)\n"
                  "s2 = exp(d2)\nd3 = dot(s2, #3)\ns3 = exp(d3)\n",
                  "s3",
                  "d1 = dot(x, #1)\ns1 = exp(d1)\nd3 = dot(s1, #3)\n"
                  "s3 = exp(d3)\nd2 = dot(s3, #2)\ns2 = exp(d2)\n",
                  "s2"),
            "d1:d1 s1: d2:d2 s2:s2 d3:d3 s3:s3");
}

/// Ops that have a counterpart cannot be what another one may end or begin.
TEST_F(AlignmentWeightsTest, OpsWithCounterpartsContestNone) {
  EXPECT_EQ(align("a1 = neg(x)\nb1 = dot(a1, #1)\na2 = neg(b1)\n"
                  "b2 = dot(a2, #2)\na3 = neg(b2)\nb3 = dot(a3, #3)\n",
                  "b3",
                  "a2 = neg(x)\nb2 = dot(a2, #2)\na1 = neg(b2)\n"
                  "b1 = dot(a1, #1)\na3 = neg(b1)\nb3 = dot(a3, #3)\n",
                  "b3"),
            "a1:a1 b1:b1 a2:a2 b2:b2 a3:a3 b3:b3");
}

/// A layer that begins with the kind of op with which the head does is removed
/// before it. However much of the layer before is found, the op of the head is
/// not that of the removed layer.
TEST_F(AlignmentWeightsTest,
       OpsBetweenWeightsMayBelongToEitherWhateverLeadsToThem) {
  std::string front = "d1 = dot(x, #1)\nn = neg(d1)\nr = sqrt(n)\n"
                      "a = abs(r)\n";
  EXPECT_EQ(align(front + "s = exp(a)\nd2 = dot(s, #2)\ne = exp(d2)\n"
                          "h = dot(e, #9)\n",
                  "h", front + "e = exp(a)\nh = dot(e, #9)\n", "h"),
            "d1:d1 n:n r:r a:a s: d2: e: h:h");
}

/// Values that are not known may differ: what is computed from them is not
/// known to be the same.
TEST_F(AlignmentWeightsTest, OpsOfUnknownValuesAreNotMerged) {
  EXPECT_EQ(align("p = dot(x, ?1)\nm = neg(p)\nq = dot(x, ?2)\nn = exp(q)\n",
                  "m n", "p = dot(x, ?1)\nm = neg(p)\nn = exp(p)\n", "m n"),
            "p:p m:m q: n:n");
}

/// An argument is not the one at its place if weights say that what uses it is
/// not what used that.
TEST_F(AlignmentWeightsTest, WeightsTellArgumentsApart) {
  EXPECT_EQ(align("a = abs(x) p\nd = dot(x, #1)\nh = exp(d)\n", "h",
                  "b = abs(x) q\ne = dot(x, #2)\na = abs(e) p\n"
                  "d = dot(e, #1)\nh = exp(d)\n",
                  "h"),
            "a:a d:d h:h");
}

/// Two products with the weights of each layer: an op that shares its time does
/// not come to be contested for where it stands.
TEST_F(AlignmentWeightsTest, OpsThatShareAreNotContested) {
  auto layer = [](int layer, int, std::string from) {
    return llvm::formatv("a{0} = neg({1})\nb{0} = add(a{0}, a{0})\n"
                         "c{0} = dot(b{0}, #{0})\nd{0} = neg(c{0})\n"
                         "e{0} = add(d{0}, d{0})\ns{0} = dot(e{0}, #{0})\n",
                         layer, from)
        .str();
  };
  EXPECT_EQ(align(makeLayers({1, 2, 3}, layer) + "h = exp(s3)\n", "h",
                  makeLayers({4, 2, 1, 3}, layer) + "h = exp(s3)\n", "h"),
            "a1: b1: c1:c1,s1 d1:d1 e1: s1: a2:a2 b2:b2 c2:c2 d2:d2 e2:e2 "
            "s2:s2 a3: b3: c3:c3 d3:d3 e3:e3 s3:s3 h:h");
  EXPECT_EQ(evidence["d1"], PairEvidence::Ambiguous);
  EXPECT_EQ(evidence["e1"], PairEvidence::Contested);
}
