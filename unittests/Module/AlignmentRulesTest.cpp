//===- AlignmentRulesTest.cpp - Tests of each rule of an alignment --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each module is written as "a = kind(x, y) name" lines: all values are of one
// type, "#7" for an operand is a constant of these values, "@2" an integer one,
// and operands that no line defines are arguments. The name before "="
// identifies the op; the alignment does not see it.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;

namespace {

struct Tagged {
  OwningOpRef<ModuleOp> module;
  /// By position; "" for constants and the ops around.
  std::vector<std::string> tags;
};

class AlignmentRulesTest : public ::testing::Test {
protected:
  AlignmentRulesTest() : context(MLIRContext::Threading::DISABLED) {
    prepareContext(context);
  }

  static constexpr const char *kType = "tensor<2xf32>";

  /// The text of `lines`, which returns `results`.
  std::string write(llvm::StringRef lines, llvm::StringRef results) {
    std::string body, arguments;
    llvm::StringMap<std::string> values;
    auto use = [&](llvm::StringRef name) -> std::string {
      if (name.starts_with("#") || name.starts_with("@")) {
        std::string value = llvm::formatv("%c{0}", count++);
        bool isInteger = name.front() == '@';
        body += llvm::formatv(
            "{0} = \"x.constant\"() {{value = dense<[{1}, {1}{2}]> : "
            "tensor<2x{3}>} : () -> {4} loc(unknown)\n",
            value, name.drop_front().str() + (isInteger ? "" : ".0"),
            isInteger ? "1" : "1", isInteger ? "i64" : "f32", kType);
        return value;
      }
      std::string &value = values[name];
      if (value.empty()) {
        value = ("%" + name).str();
        arguments += (arguments.empty() ? "" : ", ") + value + ": " + kType;
      }
      return value;
    };
    llvm::SmallVector<llvm::StringRef> all;
    lines.split(all, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : all) {
      auto [tag, rest] = line.trim().split(" = ");
      auto [kind, tail] = rest.split('(');
      auto [operands, name] = tail.split(')');
      llvm::SmallVector<llvm::StringRef> names;
      operands.split(names, ", ");
      std::vector<std::string> used;
      for (llvm::StringRef operand : names)
        used.push_back(use(operand));
      std::vector<std::string> types(used.size(), kType);
      std::string value = ("%" + tag).str();
      body += llvm::formatv("{0} = \"x.{1}\"({2}) : ({3}) -> {4} "
                            "loc(\"{5}|{6}\")\n",
                            value, kind, llvm::join(used, ", "),
                            llvm::join(types, ", "), kType, name.trim(), tag);
      values[tag] = value;
    }
    llvm::SmallVector<llvm::StringRef> names;
    results.split(names, ' ', -1, /*KeepEmpty=*/false);
    std::vector<std::string> used, types(names.size(), kType);
    for (llvm::StringRef name : names)
      used.push_back(use(name));
    return llvm::formatv(
        "func.func @main({0}) -> ({1}) {{\n{2}return {3} : {1}\n}\n", arguments,
        llvm::join(types, ", "), body, llvm::join(used, ", "));
  }

  Tagged make(llvm::StringRef lines, llvm::StringRef results) {
    auto parsed = parseModule(llvm::MemoryBuffer::getMemBufferCopy(
                                  write(lines, results), "generated"),
                              context);
    if (!parsed)
      ADD_FAILURE() << llvm::toString(parsed.takeError());
    Tagged result;
    result.module = llvm::cast<ModuleOp>(parsed->release());
    result.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::string tag;
      if (auto location = dyn_cast<NameLoc>(op->getLoc())) {
        auto [name, own] = location.getName().getValue().split('|');
        tag = own.str();
        op->setLoc(name.empty()
                       ? Location(UnknownLoc::get(&context))
                       : NameLoc::get(StringAttr::get(&context, name)));
      }
      result.tags.push_back(tag);
    });
    return result;
  }

  /// The counterparts in `after` of the ops of `before`: "a:a b:a,b c:" and so
  /// on.
  std::string align(llvm::StringRef before, llvm::StringRef resultsBefore,
                    llvm::StringRef after, llvm::StringRef resultsAfter) {
    Tagged old = make(before, resultsBefore), now = make(after, resultsAfter);
    alignment = alignModules(*old.module, *now.module);
    std::vector<std::string> all;
    for (auto [tag, found] : llvm::zip_equal(old.tags, alignment.ops)) {
      if (tag.empty())
        continue;
      std::vector<std::string> ops;
      for (uint32_t op : found.ops)
        ops.push_back(now.tags[op]);
      all.push_back(tag + ":" + llvm::join(ops, ","));
      evidence[tag] = found.evidence;
    }
    return llvm::join(all, " ");
  }

  MLIRContext context;
  Alignment alignment;
  llvm::StringMap<PairEvidence> evidence;
  unsigned count = 0;
};

/// Layers, each computed from the one before.
std::string makeLayers(
    llvm::ArrayRef<int> layers,
    llvm::function_ref<std::string(int layer, int place, std::string from)>
        write) {
  std::string text, from = "x";
  for (auto [place, layer] : llvm::enumerate(layers)) {
    text += write(layer, int(place), from);
    from = "s" + std::to_string(layer);
  }
  return text;
}

/// s = x + (abs x) w, where w is an argument. "%" in the name is the place.
std::string writeSum(int layer, int place, std::string from,
                     llvm::StringRef name) {
  std::string full = name.str();
  if (size_t at = full.find('%'); at != std::string::npos)
    full.replace(at, 1, std::to_string(place));
  return llvm::formatv("a{0} = abs({1}) {2}a\nd{0} = dot(a{0}, w{0}) {2}d\n"
                       "s{0} = add({1}, d{0}) {2}s\n",
                       layer, from, full);
}

/// The same with constants as weights.
std::string writeWeighted(int layer, int, std::string from) {
  return llvm::formatv("a{0} = abs({1})\nd{0} = dot(a{0}, #{0})\n"
                       "s{0} = add({1}, d{0})\n",
                       layer, from);
}

auto named(llvm::StringRef name) {
  return [name](int layer, int place, std::string from) {
    return writeSum(layer, place, std::move(from), name);
  };
}

} // namespace

/// Ops that changed places, shown only by their names.
TEST_F(AlignmentRulesTest, NamesThatBothHaveTellWhatMoved) {
  EXPECT_EQ(align("a = abs(x) p\nb = abs(x) q\n", "a b",
                  "b = abs(x) q\na = abs(x) p\n", "b a"),
            "a:a b:b");
  EXPECT_EQ(evidence["a"], PairEvidence::Name);
}

/// No framework numbers layers so: the numbers are names.
TEST_F(AlignmentRulesTest, NumbersThatWereKeptTell) {
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

/// Numbers that were kept decide first, also between the two products of one
/// layer that look alike from above.
TEST_F(AlignmentRulesTest, NumbersThatWereKeptDecideFirst) {
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

/// A layer like the others: it may have come before, between or after them.
/// Names that count up do not add evidence, whether the first has a number or
/// not.
TEST_F(AlignmentRulesTest, OneMoreLikeTheOthersIsShared) {
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
TEST_F(AlignmentRulesTest, NamesThatCountDownAreShared) {
  auto down = [](int top) {
    return [top](int layer, int place, std::string from) {
      return writeSum(layer, top - place, std::move(from), "l%/");
    };
  };
  EXPECT_EQ(align(makeLayers({1, 2}, down(1)), "s2",
                  makeLayers({3, 4, 5}, down(2)), "s5"),
            "a1:a3,a4 d1:d3,d4 s1:s3,s4 a2:a4,a5 d2:d4,d5 s2:s4,s5");
}

/// One of three is gone, and it is unknown which.
TEST_F(AlignmentRulesTest, OneLessOfLayersThatLookAlikeIsContested) {
  EXPECT_EQ(align(makeLayers({1, 2, 3}, named("l%/")), "s3",
                  makeLayers({4, 5}, named("l%/")), "s5"),
            "a1: d1: s1: a2: d2: s2: a3: d3: s3:");
  EXPECT_EQ(evidence["d2"], PairEvidence::Contested);
}

/// The results that each layer computes from its weights alone look as in all
/// others.
TEST_F(AlignmentRulesTest, WhatNothingTellsGoesWithItsUsers) {
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

/// Two products of one value in each layer look alike from above, and one of
/// them alone from below.
TEST_F(AlignmentRulesTest, OneDirectionAloneDoesNotDecide) {
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

/// A name that is not a number decides if structure does not.
TEST_F(AlignmentRulesTest, NamesDecideBetweenLayersThatLookAlike) {
  auto layer = [](int layer, int, std::string from) {
    const char *names[] = {"", "first/", "second/", "zero/"};
    return writeSum(layer, 0, std::move(from), names[layer]);
  };
  EXPECT_EQ(align(makeLayers({1, 2}, layer), "s2", makeLayers({3, 1, 2}, layer),
                  "s2"),
            "a1:a1 d1:d1 s1:s1 a2:a2 d2:d2 s2:s2");
}

/// Results are numbered by their place, too.
TEST_F(AlignmentRulesTest, PlacesOfResultsSayNothingWhereSomeCame) {
  EXPECT_EQ(align(makeLayers({1, 2}, named("")), "s2 d1 d2",
                  makeLayers({3, 4, 5}, named("")), "s5 d3 d4 d5"),
            "a1:a3,a4 d1:d3,d4 s1:s3,s4 a2:a4,a5 d2:d4,d5 s2:s4,s5");
}

/// Weights distinguish layers: also the ops that do not use any, whose values
/// belong to another layer.
TEST_F(AlignmentRulesTest, OpsBelongToTheWeightsThatTheyServe) {
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

/// An op between two weights may end the layer of the first or begin that of
/// the second. After a layer is removed, either of two ops may be the one that
/// is left, so that neither gets a counterpart; of a layer that was added, the
/// op shares the time of the one that it may be.
TEST_F(AlignmentRulesTest, OpsBetweenWeightsMayBelongToEither) {
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
TEST_F(AlignmentRulesTest, IntegersAreNoWeights) {
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
TEST_F(AlignmentRulesTest, SharedWeightsDoNotTellTheirUsersApart) {
  const char *old = "d = dot(x, #1)\np = exp(d)\ne = dot(p, #1)\nq = neg(e)\n";
  const char *now = "o = sqrt(x)\nd = dot(o, #1)\np = exp(d)\ne = dot(p, #1)\n"
                    "q = neg(e)\n";
  EXPECT_EQ(align(old, "q", now, "q"), "d:d p:p e:e q:q");
}

/// Names that moved from one op to another, as the weights show.
TEST_F(AlignmentRulesTest, NamesThatWeightsRefuteAreNotUsed) {
  EXPECT_EQ(align("d1 = dot(x, #1) l0/d\nu1 = abs(d1) l0/u\n"
                  "d2 = dot(d1, #2) l1/d\nu2 = abs(d2) l1/u\n",
                  "u1 u2",
                  "d2 = dot(x, #2) l0/d\nu2 = abs(d2) l0/u\n"
                  "d3 = dot(d2, #3) l1/d\nu3 = abs(d3) l1/u\n",
                  "u2 u3"),
            "d1: u1: d2:d2 u2:u2");
}

/// An op that computes the same as another one did before, but has other users.
TEST_F(AlignmentRulesTest, WhatWeightsUseDecides) {
  EXPECT_EQ(align("a = abs(x)\nd = dot(a, #1)\nt = neg(a)\n", "d t",
                  "b = abs(x)\ne = dot(b, #2)\nv = exp(b)\na = abs(e)\n"
                  "d = dot(a, #1)\nt = sqrt(a)\n",
                  "d t v"),
            "a:a d:d t:");
}

/// Common subexpressions that were eliminated, or are not yet.
TEST_F(AlignmentRulesTest, OpsThatComputeTheSameAreMerged) {
  const char *two = "p = abs(x)\nm = neg(p)\nq = abs(x)\nn = exp(q)\n";
  const char *one = "p = abs(x)\nm = neg(p)\nn = exp(p)\n";
  EXPECT_EQ(align(two, "m n", one, "m n"), "p:p m:m q:p n:n");
  EXPECT_EQ(align(one, "m n", two, "m n"), "p:p,q m:m n:n");
  // The op that it served is gone, and so is it.
  EXPECT_EQ(align(two, "m n", "p = abs(x)\nm = neg(p)\n", "m"),
            "p:p m:m q: n:");
}

/// Ops that nothing distinguishes keep their order, if none was added or
/// removed.
TEST_F(AlignmentRulesTest, OrderIsTheLastEvidence) {
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

/// Two different layers with another one between them: the sum at the end of
/// the first is the old one for everything above it, and the end of the new one
/// for everything below it, however large that is.
TEST_F(AlignmentRulesTest, MoreOpsDoNotOutweighWhatADirectionHasAlone) {
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
