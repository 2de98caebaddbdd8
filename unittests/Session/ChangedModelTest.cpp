//===- ChangedModelTest.cpp - Tests of models whose files change ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Compile/CacheFolder.h"
#include "mlir-prof/Session/Model.h"
#include "mlir-prof/Session/Record.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

/// A product with weights of 256 KiB, each 1.0.
static std::string makeModel() {
  std::string text = R"mlir(
func.func @main(%x: tensor<4x256xf32>) -> tensor<4x256xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : tensor<256x256xf32>
  %e = tensor.empty() : tensor<4x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x256xf32>)
    -> tensor<4x256xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x256xf32>, tensor<256x256xf32>)
    outs(%f : tensor<4x256xf32>) -> tensor<4x256xf32>
  return %y : tensor<4x256xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x04000000WEIGHTS"
    }
  }
#-}
)mlir";
  std::string ones;
  for (unsigned i = 0; i != 256 * 256; ++i)
    ones += "0000803F";
  return text.replace(text.find("WEIGHTS"), 7, ones);
}

namespace {
/// A model in a file of bytecode, which keeps its constants there.
class ChangedModelTest : public ::testing::Test {
protected:
  void SetUp() override {
    mlir::MLIRContext context;
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::linalg::LinalgDialect,
                        mlir::tensor::TensorDialect>();
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(makeModel(), &context);
    ASSERT_TRUE(module);
    int descriptor;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("model", "mlirbc",
                                                    descriptor, path));
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    ASSERT_TRUE(llvm::succeeded(mlir::writeBytecodeToFile(*module, os)));
    request.run.iterations = 1;
    request.run.sampler = SamplerKind::None;
    request.measurePeak = false;
    request.onNote = [this](llvm::StringRef text) { notes += text.str(); };
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  BuiltModel open() {
    auto built = openModel(path, request.compile);
    if (built)
      return std::move(*built);
    ADD_FAILURE() << llvm::toString(built.takeError());
    return BuiltModel();
  }

  std::string compile(BuiltModel &built) {
    return llvm::toString(compileInput(built, path, request.compile));
  }

  void append() {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error, llvm::sys::fs::OF_Append);
    ASSERT_FALSE(error);
    os << "more";
  }

  /// The profile of a run of `built` during which the file changes.
  Profile record(const BuiltModel &built) {
    notes.clear();
    auto requests = makeRequests(built, "", {}, {});
    EXPECT_TRUE(bool(requests));
    auto run = runModel(built.model, *requests, request.run);
    EXPECT_TRUE(bool(run));
    append();
    auto profile = makeProfile(path, request, built, *requests, *run);
    if (profile)
      return std::move(*profile);
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return Profile();
  }

  test::CacheFolder cache;
  llvm::SmallString<128> path;
  RecordRequest request = getDefaultRecordRequest();
  std::string notes;
};
} // namespace

TEST_F(ChangedModelTest, RecordingOutlivesTheFile) {
  BuiltModel built = open();
  ASSERT_FALSE(built.isFound);
  ASSERT_EQ(compile(built), "");
  Profile profile = record(built);
  ASSERT_EQ(profile.runs.size(), 1u);
  EXPECT_FALSE(profile.runs.front().work.empty());
  EXPECT_EQ(notes, "");
}

TEST_F(ChangedModelTest, RecordingOfFoundModelLacksWorkOnly) {
  BuiltModel built = open();
  ASSERT_EQ(compile(built), "");
  BuiltModel found = open();
  ASSERT_TRUE(found.isFound);
  Profile profile = record(found);
  ASSERT_EQ(profile.runs.size(), 1u);
  EXPECT_TRUE(profile.runs.front().work.empty());
  EXPECT_EQ(notes.find("the work of the ops is not known: " + path.str().str() +
                       ": "),
            0u)
      << notes;
}

TEST_F(ChangedModelTest, FileThatShrinksIsNoCrashOfAPass) {
  BuiltModel built = open();
  ASSERT_EQ(truncate(path.c_str(), 4096), 0);
  EXPECT_EQ(compile(built),
            path.str().str() +
                ": changed while it was read\n  hint: Wait until "
                "the program that writes it has ended, and try "
                "again.");
}
