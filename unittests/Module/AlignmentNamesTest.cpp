//===- AlignmentNamesTest.cpp - Tests of what names tell ------------------===//
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
class AlignmentNamesTest : public AlignmentRules {};

auto named(llvm::StringRef name) {
  return [name](int layer, int place, std::string from) {
    return writeSum(layer, place, std::move(from), name);
  };
}

} // namespace

/// Ops that changed places, shown only by their names.
TEST_F(AlignmentNamesTest, NamesThatBothHaveTellWhatMoved) {
  EXPECT_EQ(align("a = abs(x) p\nb = abs(x) q\n", "a b",
                  "b = abs(x) q\na = abs(x) p\n", "b a"),
            "a:a b:b");
  EXPECT_EQ(evidence["a"], PairEvidence::Name);
}

/// No framework numbers layers so: the numbers are names.
TEST_F(AlignmentNamesTest, NumbersThatWereKeptTell) {
  auto keep = [](int layer, int, std::string from) {
    return writeSum(layer, layer, std::move(from), "l%/");
  };
  EXPECT_EQ(
      align(makeLayers({1, 2}, keep), "s2", makeLayers({3, 1, 2}, keep), "s2"),
      "a1:a1 d1:d1 s1:s1 a2:a2 d2:d2 s2:s2");
  EXPECT_EQ(
      align(makeLayers({1, 2, 3}, keep), "s3", makeLayers({1, 3}, keep), "s3"),
      "a1:a1 d1:d1 s1:s1 a2: d2: s2: a3:a3 d3:d3 s3:s3");
}

/// layer that look alike from above.
TEST_F(AlignmentNamesTest, NumbersThatWereKeptDecideFirst) {
  auto layer = [](int layer, int, std::string from) {
    return llvm::formatv("d{0} = dot({1}, v{0}) l{0}/d\n"
                         "e{0} = dot({1}, w{0}) l{0}/e\n"
                         "s{0} = add(d{0}, e{0}) l{0}/s\n",
                         layer, from)
        .str();
  };
  EXPECT_EQ(align(makeLayers({1, 2}, layer), "s2", makeLayers({3, 1, 2}, layer),
                  "s2"),
            "d1:d1 e1:e1 s1:s1 d2:d2 e2:e2 s2:s2");
  EXPECT_EQ(evidence["s1"], PairEvidence::Name);
}

/// not.
TEST_F(AlignmentNamesTest, OneMoreLikeTheOthersIsShared) {
  for (const char *name : {"", "l%/", "l_%/", "x"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(align(makeLayers({1, 2}, named(name)), "s2",
                    makeLayers({3, 4, 5}, named(name)), "s5"),
              "a1:a3,a4 d1:d3,d4 s1:s3,s4 a2:a4,a5 d2:d4,d5 s2:s4,s5");
  }
  auto bare = [](int layer, int place, std::string from) {
    return writeSum(layer, place, std::move(from), place == 0 ? "l/" : "l_%/");
  };
  EXPECT_EQ(
      align(makeLayers({1, 2}, bare), "s2", makeLayers({3, 4, 5}, bare), "s5"),
      "a1:a3,a4 d1:d3,d4 s1:s3,s4 a2:a4,a5 d2:d4,d5 s2:s4,s5");
  EXPECT_EQ(evidence["d1"], PairEvidence::Ambiguous);
}

/// Names of derivatives count down.
TEST_F(AlignmentNamesTest, NamesThatCountDownAreShared) {
  auto down = [](int top) {
    return [top](int layer, int place, std::string from) {
      return writeSum(layer, top - place, std::move(from), "l%/");
    };
  };
  EXPECT_EQ(align(makeLayers({1, 2}, down(1)), "s2",
                  makeLayers({3, 4, 5}, down(2)), "s5"),
            "a1:a3,a4 d1:d3,d4 s1:s3,s4 a2:a4,a5 d2:d4,d5 s2:s4,s5");
}

/// A name that is not a number decides if structure does not.
TEST_F(AlignmentNamesTest, NamesDecideBetweenLayersThatLookAlike) {
  auto layer = [](int layer, int, std::string from) {
    const char *names[] = {"", "first/", "second/", "zero/"};
    return writeSum(layer, 0, std::move(from), names[layer]);
  };
  EXPECT_EQ(align(makeLayers({1, 2}, layer), "s2", makeLayers({3, 1, 2}, layer),
                  "s2"),
            "a1:a1 d1:d1 s1:s1 a2:a2 d2:d2 s2:s2");
}

/// Names that moved from one op to another, as the weights show.
TEST_F(AlignmentNamesTest, NamesThatWeightsRefuteAreNotUsed) {
  EXPECT_EQ(align("d1 = dot(x, #1) l0/d\nu1 = abs(d1) l0/u\n"
                  "d2 = dot(d1, #2) l1/d\nu2 = abs(d2) l1/u\n",
                  "u1 u2",
                  "d2 = dot(x, #2) l0/d\nu2 = abs(d2) l0/u\n"
                  "d3 = dot(d2, #3) l1/d\nu3 = abs(d3) l1/u\n",
                  "u2 u3"),
            "d1: u1: d2:d2 u2:u2");
}

/// Layers that changed places keep their weights, but their names are numbered
/// anew: the same names on both sides say nothing then.
TEST_F(AlignmentNamesTest, NamesThatWeightsRefuteDoNotTellWhatMoved) {
  EXPECT_EQ(align("a1 = exp(x) l0/a\nb1 = dot(x, #1) l0/b\n"
                  "a2 = exp(b1) l1/a\nb2 = dot(b1, #2) l1/b\nh = exp(b2)\n",
                  "h a2",
                  "a2 = exp(x) l0/a\nb2 = dot(x, #2) l0/b\n"
                  "a1 = exp(b2) l1/a\nb1 = dot(b2, #1) l1/b\nh = exp(b1)\n",
                  "h a2"),
            "a1:a1 b1:b1 a2:a2 b2:b2 h:h");
}

/// An op that now has the place of another one does not get its time if the
/// name of that one is elsewhere.
TEST_F(AlignmentNamesTest, NamesThatAreElsewhereRefute) {
  EXPECT_EQ(align("a = exp(x) p\nh = neg(a) q\n", "h",
                  "a = exp(x) p\nb = exp(a) r\nh = neg(b) q\n", "h"),
            "a:a h:h");
}

/// Neighbors are told apart by their names.
TEST_F(AlignmentNamesTest, NamesDecideBetweenNeighbors) {
  EXPECT_EQ(align("a = add(x, x) p\nb = add(x, x) q\nh = exp(b)\n", "h",
                  "a = add(x, x) p\nb = add(x, x) q\nc = add(b, b) r\n"
                  "d = add(b, b) s\nh = exp(d)\n",
                  "h"),
            "a:a b:b h:h");
}

/// Arguments of the same types in the same order are the old ones, unless their
/// names say that they changed places.
TEST_F(AlignmentNamesTest, NamesTellArgumentsApart) {
  const char *ops = "p = abs(v)\nq = abs(w)\nd = dot(p, x)\ne = dot(d, q)\n";
  std::string old = "x = argument() x\nv = argument() first\n"
                    "w = argument() second\n",
              now = "x = argument() x\nw = argument() second\n"
                    "v = argument() first\n";
  EXPECT_EQ(align(old + ops, "e", now + ops + "h = exp(e)\n", "h"),
            "p:p q:q d:d e:e");
}

/// A layer in front, and the last one widened: names find what sizes and
/// structure do not.
TEST_F(AlignmentNamesTest, NamesFindOpsOfOtherSizes) {
  EXPECT_EQ(align("d1 = dot:4(x, v) p\nd2 = dot:4(d1, w) q\n", "d2",
                  "d0 = dot:4(x, u) o\nd1 = dot:4(d0, v) p\n"
                  "d2 = dot:6(d1, w) q\n",
                  "d2"),
            "d1:d1 d2:d2");
  EXPECT_EQ(evidence["d2"], PairEvidence::OtherSizes);
}

/// Numbers that count up break the tie between ops that only their order tells
/// apart.
TEST_F(AlignmentNamesTest, NamesDecideWhereOrderDoes) {
  EXPECT_EQ(align("a = print(x) p1\nb = print(x) q1\nr = neg(x)\n", "r",
                  "a = print(x) p1\nc = print(x) p2\nb = print(x) q1\n"
                  "d = print(x) q2\nr = neg(x)\n",
                  "r"),
            "a:a b:b r:r");
  EXPECT_EQ(evidence["b"], PairEvidence::Order);
}

/// A layer that computes the same as the one before it is gone, and the next
/// one has come to compute what it did: that one's time is its own.
TEST_F(AlignmentNamesTest, OpsThatHaveComeToComputeTheSameAreNotMerged) {
  EXPECT_EQ(align("d = neg(x) l1\ne = neg(d) l2\nf = neg(e) l3\nh = exp(e)\n"
                  "g = sqrt(f)\n",
                  "h g",
                  "d = neg(x) l1\nf = neg(d) l3\nh = exp(f)\ng = sqrt(f)\n",
                  "h g"),
            "d:d e: f:f h:h g:g");
}
