//===- ReferenceTest.cpp - Results of the unoptimized model ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchParts.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Error.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mlirprof::test;
using namespace mlirprof;

namespace {

ModelResults makeResults(float value) {
  HostTensor tensor;
  tensor.elementType = "f32";
  tensor.shape = {1};
  tensor.bytes.resize(sizeof value);
  std::memcpy(tensor.bytes.data(), &value, sizeof value);
  return {{tensor}};
}

TEST(ReferenceTest, IsTheUnoptimizedModel) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  SearchParts parts(machine);
  std::vector<std::string> notes;
  llvm::cantFail(parts.reference.compute(notes));
  EXPECT_EQ(machine.unoptimizedBuilds, 1u);
  EXPECT_TRUE(machine.builds.empty());
  EXPECT_EQ(parts.reference.getPipeline(), "naive");
  EXPECT_NEAR(parts.reference.getSeconds(), 4e-3, 1e-4);
  EXPECT_TRUE(notes.empty());
}

TEST(ReferenceTest, DefaultPipelineWhereThatFails) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  SearchParts parts(machine);
  auto serve = parts.tools.serve;
  parts.tools.serve = [&](mlir::ModuleOp module, const CompileOptions &compile,
                          llvm::ArrayRef<Arguments> requests,
                          const ServerOptions &how)
      -> llvm::Expected<std::unique_ptr<ModelServer>> {
    EXPECT_FALSE(compile.polynomials);
    EXPECT_EQ(compile.maxError, 0);
    EXPECT_EQ(compile.target.threads, 1u);
    if (compile.pipeline == "naive")
      return inputError("building the model", "took too long");
    return serve(module, compile, requests, how);
  };
  std::vector<std::string> notes;
  llvm::cantFail(parts.reference.compute(notes));
  EXPECT_EQ(parts.reference.getPipeline(), "default");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("pipeline naive gave no results"), std::string::npos)
      << notes[0];
}

TEST(ReferenceTest, TheBaselineSetsTheTolerance) {
  FakeMachine machine({{0}}, 1, kQuiet);
  SearchParts parts(machine);
  std::vector<std::string> notes;
  llvm::cantFail(parts.reference.compute(notes));
  auto accept = [&](float value) {
    return parts.reference.acceptBaseline(makeResults(value), notes);
  };
  EXPECT_EQ(llvm::cantFail(accept(1)), 0);
  EXPECT_EQ(parts.reference.getTolerance(), 1e-5);
  EXPECT_TRUE(notes.empty());
  // A sixteenth of a sixteenth of a quarter is off, and twice that is allowed.
  EXPECT_EQ(llvm::cantFail(accept(1 + 1.0f / 1024)), 1.0 / 1024);
  EXPECT_EQ(parts.reference.getTolerance(), 1.0 / 512);
  EXPECT_EQ(notes.size(), 1u);
  EXPECT_TRUE(parts.reference.check(makeResults(1 + 1.0f / 600)).isRight());
  EXPECT_FALSE(parts.reference.check(makeResults(1 + 1.0f / 500)).isRight());
  // A defect, and not the error of other orders.
  std::string message = llvm::toString(accept(1.5).takeError());
  EXPECT_NE(message.find("is off by 5.0e-01"), std::string::npos) << message;
}

TEST(ReferenceTest, OtherRequests) {
  FakeMachine machine({{0}}, 1, kQuiet);
  SearchParts parts(machine, [](OptimizerOptions &options) {
    options.checkRequests.resize(2);
  });
  std::vector<std::string> notes;
  llvm::cantFail(parts.reference.compute(notes));
  EXPECT_EQ(parts.reference.whyNoOther(), "");
  ModelResults two = {makeResults(1)[0], makeResults(1)[0]};
  EXPECT_TRUE(parts.reference.checkOther(two, 0).isRight());
  EXPECT_FALSE(parts.reference.checkOther(makeResults(1), 0).isRight());
  machine.isUnoptimizedSlowOnOthers = true;
  llvm::cantFail(parts.reference.compute(notes));
  EXPECT_NE(parts.reference.whyNoOther().find("took longer"),
            llvm::StringRef::npos);
}

TEST(ReferenceTest, ShapesThatTheModelDoesNotRunOn) {
  FakeMachine machine({{0}}, 1, kQuiet);
  machine.unseen = {3, 8};
  machine.crashing = 3;
  SearchParts parts(machine);
  std::vector<std::string> notes;
  llvm::cantFail(parts.reference.compute(notes));
  std::vector<UnseenShape> shapes = parts.reference.takeUnseen();
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(record::describeShapes(*shapes[0].request), "8");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("does not run on 1 of 2 shapes"), std::string::npos);
}

} // namespace
