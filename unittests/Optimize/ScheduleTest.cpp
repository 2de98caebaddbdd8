//===- ScheduleTest.cpp - Schedules that replay in stock mlir-opt ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Schedule.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::optimize;

static std::string getCommand(llvm::StringRef model, llvm::StringRef script) {
  llvm::Expected<std::string> command =
      getReplayCommand(model, script, codegen::TargetModel());
  if (!command)
    return "error: " + llvm::toString(command.takeError());
  return *command;
}

TEST(ReplayCommandTest, PlainPathsNeedNoQuotes) {
  EXPECT_TRUE(llvm::StringRef(getCommand("m.mlir", "out/s.mlir"))
                  .starts_with("mlir-opt m.mlir --transform-preload-library="
                               "transform-library-paths=out/s.mlir "
                               "--transform-interpreter "));
}

TEST(ReplayCommandTest, ModelsAreQuotedForTheShell) {
  EXPECT_TRUE(llvm::StringRef(getCommand("my model.mlir", "s.mlir"))
                  .starts_with("mlir-opt 'my model.mlir' --"));
  EXPECT_TRUE(llvm::StringRef(getCommand("it's $(x).mlir", "s.mlir"))
                  .starts_with("mlir-opt 'it'\\''s $(x).mlir' --"));
  EXPECT_TRUE(llvm::StringRef(getCommand("-m.mlir", "s.mlir"))
                  .starts_with("mlir-opt ./-m.mlir --"));
  EXPECT_TRUE(llvm::StringRef(getCommand("~m.mlir", "s.mlir"))
                  .starts_with("mlir-opt '~m.mlir' --"));
}

TEST(ReplayCommandTest, ScriptsThatAnOptionCannotHoldAreErrors) {
  for (llvm::StringRef path : {"my script.mlir", "a,b.mlir", "a{b.mlir",
                               "a\"b.mlir", "a'b.mlir", "a)b.mlir"})
    EXPECT_TRUE(llvm::StringRef(getCommand("m.mlir", path))
                    .contains("the options of passes cannot contain this path"))
        << path.str();
}

namespace {

class ScheduleTest : public testing::Test {
protected:
  ScheduleTest() { prepareContext(context); }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  mlir::MLIRContext context;
  codegen::TargetModel target;
};

} // namespace

TEST_F(ScheduleTest, TaggedModulesHaveAScript) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(R"mlir(
    func.func @main(%a: tensor<8x32xf32>, %b: tensor<32x64xf32>,
                    %c: tensor<8x64xf32>) -> tensor<8x64xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<8x32xf32>, tensor<32x64xf32>)
                         outs(%c : tensor<8x64xf32>) -> tensor<8x64xf32>
      return %r : tensor<8x64xf32>
    })mlir");
  ASSERT_TRUE(module);
  ScheduleReport report = tagForSchedule(*module, target);
  EXPECT_EQ(report.scheduled, 1u);
  EXPECT_EQ(report.left, 0u);
  EXPECT_TRUE(report.reasons.empty());
  std::string text;
  llvm::raw_string_ostream os(text);
  ASSERT_FALSE(llvm::errorToBool(writeSchedule(*module, target, os)));
  EXPECT_NE(text.find("tile_sizes [0, 32, 0]"), std::string::npos) << text;
}

TEST_F(ScheduleTest, WhatIsLeftHasAReason) {
  constexpr llvm::StringLiteral text = R"mlir(
    func.func @main(%a: tensor<8x32xf32>) -> tensor<8x32xf32> {
      %r = linalg.exp ins(%a : tensor<8x32xf32>) outs(%a : tensor<8x32xf32>)
          -> tensor<8x32xf32>
      return %r : tensor<8x32xf32>
    })mlir";
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
  ASSERT_TRUE(module);
  ScheduleReport report = tagForSchedule(*module, target);
  EXPECT_EQ(report.scheduled, 0u);
  EXPECT_EQ(report.left, 1u);
  EXPECT_EQ(report.reasons,
            std::vector<std::string>(
                {"1 x linalg.exp: calls functions of the C library"}));

  // A name that tagForSchedule did not give.
  module->walk([&](mlir::linalg::ExpOp op) {
    op->setAttr(kScheduleAttribute, mlir::StringAttr::get(&context, "s0"));
  });
  std::string message =
      llvm::toString(writeSchedule(*module, target, llvm::nulls()));
  EXPECT_NE(message.find("has changed since it got its schedule"),
            std::string::npos)
      << message;
}
