//===- IdentityTest.cpp - Tests of identities in locations ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/Identity.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using Numbers = SmallVector<uint32_t, 2>;

namespace {

class IdentityTest : public testing::Test {
protected:
  Location name(StringRef text) {
    return NameLoc::get(StringAttr::get(&context, text));
  }
  Location call(Location callee, Location caller) {
    return CallSiteLoc::get(callee, caller);
  }
  Location fuse(ArrayRef<Location> parts, Attribute metadata = {}) {
    return FusedLoc::get(parts, metadata, &context);
  }
  Location mark(uint32_t id) { return prof::addIdentity(name("op"), id); }

  MLIRContext context;
};

TEST_F(IdentityTest, IsADictionaryAroundTheLocation) {
  Location marked = prof::addIdentity(name("a"), 7);
  auto fused = dyn_cast<FusedLoc>(marked);
  ASSERT_TRUE(fused);
  Builder builder(&context);
  EXPECT_EQ(fused.getMetadata(),
            builder.getDictionaryAttr(
                {builder.getNamedAttr("prof", builder.getI32IntegerAttr(7))}));
  EXPECT_EQ(fused.getLocations(), ArrayRef(name("a")));
  EXPECT_EQ(prof::removeIdentities(marked), name("a"));
}

TEST_F(IdentityTest, NumbersCountLikeAttributes) {
  prof::IdentityWriter writer(&context, prof::IdentityForm::Number);
  Location marked = writer.add(name("a"), 7);
  EXPECT_FALSE(isa<FusedLoc>(marked));
  EXPECT_NE(marked, writer.add(name("a"), 8));
  EXPECT_EQ(prof::getIdentities(marked).owners, Numbers({7}));
  EXPECT_TRUE(prof::hasIdentity(marked));
  EXPECT_EQ(prof::removeIdentities(marked), name("a"));
  EXPECT_EQ(prof::getIdentities(fuse({marked, mark(3)})).owners,
            Numbers({3, 7}));
  EXPECT_EQ(prof::getIdentities(call(marked, mark(3))).callers, Numbers({3}));
  EXPECT_EQ(prof::removeIdentities(call(marked, name("b"))),
            call(name("a"), name("b")));
  // Opaque locations of others do not count.
  int other = 0;
  Location opaque = OpaqueLoc::get(&other, name("a"));
  EXPECT_FALSE(prof::hasIdentity(opaque));
  EXPECT_EQ(prof::removeIdentities(opaque), opaque);
}

TEST_F(IdentityTest, OutermostCounts) {
  EXPECT_EQ(prof::getIdentities(prof::addIdentity(mark(3), 4)).owners,
            Numbers({4}));
  EXPECT_FALSE(prof::hasIdentity(name("a")));
  EXPECT_FALSE(prof::hasIdentity(UnknownLoc::get(&context)));
  Location named = NameLoc::get(StringAttr::get(&context, "b"), mark(5));
  EXPECT_EQ(prof::getIdentities(named).owners, Numbers({5}));
  EXPECT_TRUE(
      prof::hasIdentity(prof::addIdentity(UnknownLoc::get(&context), 0)));
}

TEST_F(IdentityTest, FusedOpsHaveSeveralOwners) {
  Location fused = fuse({mark(9), name("a"), mark(2), mark(9)});
  EXPECT_EQ(prof::getIdentities(fused).owners, Numbers({2, 9}));
  EXPECT_EQ(prof::removeIdentities(fused), fuse({name("op"), name("a")}));
}

TEST_F(IdentityTest, TheCalleeOwns) {
  Location inlined = call(call(mark(7), mark(3)), mark(1));
  EXPECT_EQ(prof::getIdentities(inlined).owners, Numbers({7}));
  EXPECT_EQ(prof::getIdentities(inlined).callers, Numbers({3, 1}));
  // The pass that created the callee's op did not set an identity.
  prof::Identities orphan = prof::getIdentities(call(name("a"), mark(4)));
  EXPECT_EQ(orphan.owners, Numbers({4}));
  EXPECT_TRUE(orphan.callers.empty());
}

TEST_F(IdentityTest, FusedCallsShareTheirOuterCallers) {
  Location first = call(mark(7), call(mark(3), mark(1)));
  Location second = call(mark(8), call(mark(4), mark(1)));
  prof::Identities both = prof::getIdentities(fuse({first, second}));
  EXPECT_EQ(both.owners, Numbers({7, 8}));
  EXPECT_EQ(both.callers, Numbers({1}));
  EXPECT_TRUE(prof::getIdentities(fuse({first, mark(2)})).callers.empty());
}

TEST_F(IdentityTest, WhatIsNotOurs) {
  Builder builder(&context);
  auto with = [&](Attribute value) {
    return fuse({name("a")}, builder.getDictionaryAttr(
                                 {builder.getNamedAttr("prof", value)}));
  };
  EXPECT_FALSE(prof::hasIdentity(with(builder.getI32IntegerAttr(-1))));
  EXPECT_FALSE(prof::hasIdentity(with(builder.getI64IntegerAttr(1))));
  EXPECT_FALSE(prof::hasIdentity(with(builder.getStringAttr("1"))));
  // All the same it is removed with the others.
  EXPECT_EQ(prof::removeIdentities(with(builder.getI32IntegerAttr(-1))),
            name("a"));
  // Metadata of other tools stays.
  Attribute both = builder.getDictionaryAttr(
      {builder.getNamedAttr("mine", builder.getUnitAttr()),
       builder.getNamedAttr("prof", builder.getI32IntegerAttr(3))});
  Attribute mine = builder.getDictionaryAttr(
      {builder.getNamedAttr("mine", builder.getUnitAttr())});
  EXPECT_EQ(prof::getIdentities(fuse({name("a")}, both)).owners, Numbers({3}));
  EXPECT_EQ(prof::removeIdentities(fuse({name("a")}, both)),
            fuse({name("a")}, mine));
}

TEST_F(IdentityTest, LargeLocations) {
  // As a tree this has 2^60 leaves.
  Attribute unit = UnitAttr::get(&context);
  Location shared = mark(1);
  for (int i = 0; i < 60; ++i)
    shared = call(fuse({shared, mark(uint32_t(i))}, unit), shared);
  EXPECT_EQ(prof::getIdentities(shared).owners.size(), 60u);
  EXPECT_FALSE(prof::hasIdentity(prof::removeIdentities(shared)));
  // Deeper than any stack.
  Location deep = mark(2);
  for (int i = 0; i < 50000; ++i)
    deep = call(deep, mark(3));
  EXPECT_EQ(prof::getIdentities(deep).owners, Numbers({2}));
  EXPECT_EQ(prof::getIdentities(deep).callers.size(), prof::kMaxIdentities);
}

} // namespace
