//===- ProfiledOpTest.cpp - The profile of any op -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/ProfInterfaces.h"
#include "mlir-prof/Dialect/Prof/ProfileData.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using prof::DataAttr;
using prof::ProfiledOpInterface;

namespace {

/// An op that takes the trait, as `ProfileAnnotation` in TableGen makes it.
class TraitOp : public Op<TraitOp, OpTrait::ZeroOperands, OpTrait::ZeroResults,
                          prof::ProfileAnnotation, ProfiledOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "test.trait"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

/// An op that keeps its profile elsewhere.
class OwnOp : public Op<OwnOp, OpTrait::ZeroOperands, OpTrait::ZeroResults,
                        ProfiledOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "test.own"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  void attachProfile(DataAttr data) { (*this)->setAttr("times", data); }
  DataAttr getProfile() { return (*this)->getAttrOfType<DataAttr>("times"); }
  bool hasProfile() { return getProfile() != nullptr; }
  void stripProfile() { (*this)->removeAttr("times"); }
};

class TestDialect : public Dialect {
public:
  static StringRef getDialectNamespace() { return "test"; }
  explicit TestDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<TestDialect>()) {
    addOperations<TraitOp, OwnOp>();
  }
};

class ProfiledOpTest : public testing::Test {
protected:
  ProfiledOpTest() {
    DialectRegistry registry;
    prof::registerProfDialect(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    context.loadDialect<prof::ProfDialect, TestDialect, arith::ArithDialect>();
  }

  Operation *create(StringRef name) {
    OperationState state(UnknownLoc::get(&context), name);
    if (name == ModuleOp::getOperationName())
      state.addRegion()->emplaceBlock();
    op = Operation::create(state);
    return op.get();
  }
  DataAttr makeData(int64_t solePs) {
    return DataAttr::get(&context, 1, solePs, 2, 3, 4);
  }
  /// Requirements on every op.
  void checkAllFour(Operation *op) {
    EXPECT_FALSE(prof::hasProfileData(op));
    EXPECT_FALSE(prof::getProfileData(op));
    EXPECT_FALSE(prof::removeProfileData(op));
    prof::setProfileData(op, makeData(5));
    prof::setProfileData(op, makeData(6));
    EXPECT_TRUE(prof::hasProfileData(op));
    EXPECT_EQ(prof::getProfileData(op), makeData(6));
    EXPECT_TRUE(prof::removeProfileData(op));
    EXPECT_FALSE(prof::hasProfileData(op));
    EXPECT_TRUE(op->getAttrs().empty());
  }

  MLIRContext context;
  OwningOpRef<Operation *> op;
};

TEST_F(ProfiledOpTest, OpWithTrait) {
  Operation *op = create("test.trait");
  ASSERT_TRUE(isa<ProfiledOpInterface>(op));
  checkAllFour(op);
  cast<TraitOp>(op).attachProfile(makeData(7));
  EXPECT_EQ(op->getAttr("prof.data"), makeData(7));
}

TEST_F(ProfiledOpTest, OpWithItsOwnImplementation) {
  Operation *op = create("test.own");
  checkAllFour(op);
  prof::setProfileData(op, makeData(7));
  EXPECT_EQ(op->getAttr("times"), makeData(7));
  EXPECT_FALSE(op->hasAttr("prof.data"));
}

TEST_F(ProfiledOpTest, OpOfAnUpstreamDialect) {
  Operation *op = create("builtin.module");
  ASSERT_TRUE(isa<ProfiledOpInterface>(op));
  checkAllFour(op);
  auto profiled = cast<ProfiledOpInterface>(op);
  profiled.attachProfile(makeData(7));
  EXPECT_TRUE(profiled.hasProfile());
  EXPECT_EQ(profiled.getProfile(), makeData(7));
  profiled.stripProfile();
  EXPECT_FALSE(profiled.hasProfile());
}

TEST_F(ProfiledOpTest, UnregisteredOp) {
  Operation *op = create("other.op");
  EXPECT_FALSE(isa<ProfiledOpInterface>(op));
  checkAllFour(op);
}

TEST_F(ProfiledOpTest, DialectsBeforeAndAfterAndLater) {
  auto has = [&](StringRef name) {
    std::optional<RegisteredOperationName> found =
        RegisteredOperationName::lookup(name, &context);
    return found && found->hasInterface<ProfiledOpInterface>();
  };
  EXPECT_TRUE(has("builtin.module"));
  EXPECT_TRUE(has("arith.addf"));
  EXPECT_FALSE(has("math.tanh"));
  context.loadDialect<math::MathDialect>();
  EXPECT_TRUE(has("math.tanh"));
}

TEST(ProfDialectTest, AttachesWithoutTheRegistry) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, prof::ProfDialect>();
  EXPECT_TRUE(RegisteredOperationName::lookup("arith.addf", &context)
                  ->hasInterface<ProfiledOpInterface>());
}

TEST_F(ProfiledOpTest, OtherAttributesAreNotTheProfile) {
  Operation *op = create("other.op");
  op->setDiscardableAttr("prof.data", UnitAttr::get(&context));
  EXPECT_FALSE(prof::hasProfileData(op));
}

TEST_F(ProfiledOpTest, TotalSaturates) {
  int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(DataAttr::get(&context, 1, most, 0, 1, 0).getTotalPs(), most);
  EXPECT_EQ(makeData(6).getTotalPs(), 9);
}

} // namespace
