//===- CxxNamesTest.cpp - Printing C++ function names ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Import/PerfScript/CxxNames.h"
#include "gtest/gtest.h"

#include <optional>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::importer::perfscript;

namespace {

using Texts = std::vector<std::string>;

std::string repeat(llvm::StringRef text, size_t count) {
  std::string result;
  for (size_t i = 0; i != count; ++i)
    result += text;
  return result;
}

/// None if the name is rejected.
std::optional<Texts> spell(const std::string &name) {
  MemoryBudget budget(uint64_t(1) << 20);
  llvm::SmallVector<std::string, 2> found;
  if (!addCxxSpellings(name, budget, found))
    return std::nullopt;
  return Texts(found.begin(), found.end());
}

TEST(CxxNames, WithAndWithoutArguments) {
  EXPECT_EQ(spell("_Z1fv"), Texts({"f()", "f"}));
  EXPECT_EQ(spell("_ZN2ns1fIiEEvT_.cold"),
            Texts({"void ns::f<int>(int) [clone .cold]", "ns::f<int>"}));
  EXPECT_EQ(spell("_ZTV1A"), Texts({"vtable for A"}));
  // Packs, and a conversion to an argument that follows it.
  EXPECT_EQ(spell("_Z1fIJifdEEvDpRT_"),
            Texts({"void f<int, float, double>(int&, float&, double&)",
                   "f<int, float, double>"}));
  EXPECT_EQ(spell("_ZN1AcvT_IiEEv"),
            Texts({"A::operator int<int>()", "A::operator int<int>"}));
  EXPECT_EQ(spell("main"), Texts());
  EXPECT_EQ(spell("_Z"), Texts());
}

// As printed by binutils' c++filt, and c++filt -p.
TEST(CxxNames, PartsThatAnOptimizerMade) {
  EXPECT_EQ(spell("_Z1fi.constprop.0.cold"),
            Texts({"f(int) [clone .constprop.0] [clone .cold]", "f"}));
  EXPECT_EQ(spell("_Z1fi.constprop.0.isra.0"),
            Texts({"f(int) [clone .constprop.0] [clone .isra.0]", "f"}));
  EXPECT_EQ(spell("_Z1fv.__uniq.12.llvm.3"),
            Texts({"f() [clone .__uniq.12] [clone .llvm.3]", "f"}));
  EXPECT_EQ(spell("_Z1fv.cold.1.2"), Texts({"f() [clone .cold.1.2]", "f"}));
  EXPECT_EQ(spell("_Z1fv.1.cold"),
            Texts({"f() [clone .1] [clone .cold]", "f"}));
  EXPECT_EQ(spell("_ZTV1A.cold"), Texts({"vtable for A [clone .cold]"}));
  // With arguments, these are printed as the linker has them.
  for (const char *name : {"_Z1fv.Cold", "_Z1fv.", "_Z1fv..x", "_Z1fv.isra.",
                           "_Z1fv.isra.0a", "_Z1fv.a.b$c"})
    EXPECT_EQ(spell(name), Texts({"f"})) << name;
}

/// Each argument of A<> contains the one before twice.
std::string makeDoubling(unsigned times) {
  std::string name = "_Z1f1AIiiE";
  for (unsigned i = 0; i != times; ++i) {
    std::string before =
        i == 0 ? "S0_"
               : "S" + std::string(1, char("0123456789ABCDEF"[i])) + "_";
    name += "S_I" + before + before + "E";
  }
  return name;
}

TEST(CxxNames, TextThatDoubles) {
  std::optional<Texts> few = spell(makeDoubling(3));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->size(), 2u);
  EXPECT_GT(few->front().size(), 100u);
  EXPECT_FALSE(spell(makeDoubling(15)));
  // A pack of packs.
  EXPECT_FALSE(spell("_Z1fIJ" + repeat("i", 500) + "EEvDp" + "1AIJ" +
                     repeat("T_", 500) + "EE"));
}

TEST(CxxNames, LongAndDeep) {
  EXPECT_FALSE(spell("_Z1f" + repeat("P", 300000) + "i"));
  EXPECT_TRUE(spell("_Z1f" + repeat("P", 500) + "i"));
  // Despite their depth, these neither end the program nor take long.
  for (const char *part : {"P", "K", "F", "Z", "N", "I", "J", "X", "1aI", "Dp",
                           "ZN1aI", "L_Z", "nt", "DTcv"})
    for (const char *begin : {"_Z", "_Z1f", "_Z1fI", "_Z1fIX"})
      spell((begin + repeat(part, 4096)).substr(0, 4096));
}

TEST(CxxNames, BudgetOfAll) {
  MemoryBudget budget(1000);
  llvm::SmallVector<std::string, 2> found;
  unsigned spelled = 0;
  while (addCxxSpellings("_Z8functionv", budget, found))
    ++spelled;
  EXPECT_GT(spelled, 2u);
  EXPECT_LT(spelled, 100u);
}

} // namespace
