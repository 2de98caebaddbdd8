//===- LocationCarrierTest.cpp - Profile data in locations ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/LocationCarrier.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof::prof;

namespace {

class LocationCarrierTest : public testing::Test {
protected:
  LocationCarrierTest() { context.loadDialect<ProfDialect>(); }

  Location name(StringRef text) {
    return NameLoc::get(StringAttr::get(&context, text));
  }
  DataAttr makeData(int64_t solePs) {
    return DataAttr::get(&context, 1, solePs, 2, 3, 4);
  }
  SmallVector<int64_t> sources(Location location) {
    SmallVector<CarriedData> found;
    collectData(location, found);
    SmallVector<int64_t> numbers;
    for (const CarriedData &data : found)
      numbers.push_back(data.source);
    return numbers;
  }
  Location strip(Location location) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    stripLocations(*module);
    return module->getLoc();
  }

  MLIRContext context;
};

using Numbers = SmallVector<int64_t>;

TEST_F(LocationCarrierTest, GivesBackWhatItWasGiven) {
  Location carried = carryData(name("a"), 7, makeData(9));
  SmallVector<CarriedData> found;
  collectData(carried, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].source, 7);
  EXPECT_EQ(found[0].data, makeData(9));
  EXPECT_TRUE(carriesAnything(carried));
  EXPECT_FALSE(carriesAnything(name("a")));
  EXPECT_EQ(strip(carried), name("a"));
}

TEST_F(LocationCarrierTest, OnlyBuiltinAttributes) {
  Location carried = carryData(name("a"), 7, makeData(9));
  AttrTypeWalker walker;
  walker.addWalk([](Attribute attribute) {
    EXPECT_EQ(attribute.getDialect().getNamespace(), "builtin");
  });
  walker.walk(LocationAttr(carried));
}

TEST_F(LocationCarrierTest, FindsEveryPartOnce) {
  Location a = carryData(name("a"), 1, makeData(9));
  Location b = carryData(name("b"), 2, makeData(9));
  Location both = FusedLoc::get({a, b}, {}, &context);
  EXPECT_EQ(sources(both), Numbers({1, 2}));
  Location nested = NameLoc::get(StringAttr::get(&context, "outer"),
                                 FusedLoc::get({both, a}, {}, &context));
  EXPECT_EQ(sources(nested), Numbers({1, 2}));
  EXPECT_EQ(strip(both),
            Location(FusedLoc::get({name("a"), name("b")}, {}, &context)));
}

TEST_F(LocationCarrierTest, CalleeBeforeCaller) {
  Location callee = carryData(name("a"), 1, makeData(9));
  Location caller = carryData(name("b"), 2, makeData(9));
  EXPECT_EQ(sources(CallSiteLoc::get(callee, caller)), Numbers({1}));
  EXPECT_EQ(sources(CallSiteLoc::get(name("c"), caller)), Numbers({2}));
  Location chain = CallSiteLoc::get(
      name("c"), Location(CallSiteLoc::get(name("d"), caller)));
  EXPECT_EQ(sources(chain), Numbers({2}));
  EXPECT_EQ(strip(CallSiteLoc::get(callee, caller)),
            Location(CallSiteLoc::get(name("a"), name("b"))));
}

TEST_F(LocationCarrierTest, Coverage) {
  auto coverage = CoverageAttr::get(&context, 1, 2, 3, 4, 5, 6, 7, 8);
  Location carried =
      carryCoverage(carryData(name("m"), 0, makeData(1)), coverage);
  EXPECT_EQ(findCoverage(carried), coverage);
  EXPECT_EQ(sources(carried), Numbers({0}));
  EXPECT_EQ(strip(carried), name("m"));
  EXPECT_FALSE(findCoverage(name("m")));
}

/// 60 levels of two names for the same thing are 2^60 paths.
TEST_F(LocationCarrierTest, SharedPartsAreReadOnce) {
  Location location = carryData(name("a"), 1, makeData(9));
  Location plain = name("a");
  auto nest = [&](Location inner) -> Location {
    auto wrap = [&](StringRef text) -> Location {
      return NameLoc::get(StringAttr::get(&context, text), inner);
    };
    return FusedLoc::get({wrap("l"), wrap("r")}, {}, &context);
  };
  for (int i = 0; i < 60; ++i) {
    location = nest(location);
    plain = nest(plain);
  }
  EXPECT_EQ(sources(location), Numbers({1}));
  EXPECT_EQ(sources(plain), Numbers());
  EXPECT_FALSE(findCoverage(location));
  EXPECT_FALSE(carriesAnything(plain));
  EXPECT_EQ(strip(location), plain);
}

TEST_F(LocationCarrierTest, ChainsOfAnyDepth) {
  Location location = carryData(name("a"), 1, makeData(9));
  Location plain = name("a");
  for (int i = 0; i < 100000; ++i) {
    location = CallSiteLoc::get(location, name("b"));
    plain = CallSiteLoc::get(plain, name("b"));
  }
  EXPECT_EQ(sources(location), Numbers({1}));
  EXPECT_TRUE(carriesAnything(location));
  EXPECT_EQ(strip(location), plain);
}

TEST_F(LocationCarrierTest, NegativeTimesAreNotOurs) {
  auto carry = [&](StringRef key, ArrayRef<int64_t> numbers) -> Location {
    return FusedLoc::get(
        {name("a")},
        DictionaryAttr::get(
            &context,
            {NamedAttribute(StringAttr::get(&context, key),
                            DenseI64ArrayAttr::get(&context, numbers))}),
        &context);
  };
  EXPECT_EQ(sources(carry("prof.data", {1, 1, -1, 0, 0, 0})), Numbers());
  EXPECT_EQ(sources(carry("prof.data", {1, 1, 0, -1, 0, 0})), Numbers());
  EXPECT_EQ(sources(carry("prof.data", {1, 1, 0, 0, -1, 0})), Numbers());
  // Before the anchor of the clock.
  EXPECT_EQ(sources(carry("prof.data", {1, 1, 0, 0, 0, -1})), Numbers({1}));
  EXPECT_FALSE(findCoverage(carry("prof.coverage", {1, -1, 0, 0, 0, 0, 0, 0})));
}

TEST_F(LocationCarrierTest, KeepsWhatOthersPutThere) {
  Location theirs =
      FusedLoc::get({name("a")}, StringAttr::get(&context, "x"), &context);
  EXPECT_EQ(strip(carryData(theirs, 1, makeData(1))), theirs);
  EXPECT_EQ(strip(theirs), theirs);
  Location unknown = UnknownLoc::get(&context);
  EXPECT_EQ(strip(carryData(unknown, 1, makeData(1))), unknown);
}

} // namespace
