//===- PipelineTest.cpp - Pipelines written by users ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

constexpr const char *kModel = R"mlir(
func.func @main(%a: tensor<33x20xf32>, %b: tensor<20x17xf32>)
    -> tensor<33x17xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<33x17xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<33x17xf32>)
    -> tensor<33x17xf32>
  %product = linalg.matmul
    ins(%a, %b : tensor<33x20xf32>, tensor<20x17xf32>)
    outs(%init : tensor<33x17xf32>) -> tensor<33x17xf32>
  return %product : tensor<33x17xf32>
}
)mlir";

constexpr const char *kSchedule = R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %product
      tile_sizes [8, 16, 0]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
)mlir";

/// A file that exists during the lifetime of this object.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef text) {
    int descriptor;
    std::error_code error = llvm::sys::fs::createTemporaryFile(
        "schedule", "mlir", descriptor, path);
    EXPECT_FALSE(error);
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::StringRef get() const { return path; }

private:
  llvm::SmallString<128> path;
};

class PipelineTest : public ::testing::Test {
protected:
  llvm::Expected<CompiledModel> build(llvm::StringRef pipeline) {
    CompileOptions options;
    options.pipeline = pipeline.str();
    options.target = codegen::getHostTarget(1);
    return compileText(context, kModel, options);
  }

  std::string getFailure(llvm::StringRef pipeline) {
    auto model = build(pipeline);
    return model ? "" : llvm::toString(model.takeError());
  }

  std::vector<float> compute(llvm::StringRef pipeline) {
    auto model = build(pipeline);
    if (!model) {
      ADD_FAILURE() << llvm::toString(model.takeError());
      return {};
    }
    std::vector<Tensor> arguments = {makeTensor({33, 20}, 1),
                                     makeTensor({20, 17}, 2)};
    auto result = run(*model, arguments, 2);
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    return result->values;
  }

  mlir::MLIRContext context;
};

/// The ops of the input from which those named `op` of `level` were created.
std::vector<std::string> getOrigins(const Program &program,
                                    llvm::StringRef level, llvm::StringRef op) {
  std::vector<std::string> origins;
  for (const ProgramNode &node : program.nodes) {
    if (program.levels[node.level] != level || program.strings[node.op] != op)
      continue;
    const ProgramNode *origin = &node;
    while (!origin->parents.empty())
      origin = &program.nodes[origin->parents.front()];
    origins.push_back(program.levels[origin->level] == "input"
                          ? program.strings[origin->op]
                          : "");
  }
  return origins;
}

TEST_F(PipelineTest, ScheduleKeepsNumbersAndIdentities) {
  TemporaryFile schedule(kSchedule);
  EXPECT_EQ(compute(schedule.get()), compute("naive"));
  auto model = build(schedule.get());
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  std::vector<std::string> levels = {"input", "custom", "bufferized", "loops",
                                     "llvm"};
  EXPECT_EQ(model->program.levels, levels);
  // Two loops of tiles that contain the product of a tile.
  EXPECT_EQ(getOrigins(model->program, "custom", "scf.for"),
            (std::vector<std::string>(2, "linalg.matmul")));
  EXPECT_EQ(getOrigins(model->program, "custom", "linalg.matmul"),
            (std::vector<std::string>{"linalg.matmul"}));
  // From the product's body.
  EXPECT_EQ(getOrigins(model->program, "llvm", "llvm.fmul"),
            (std::vector<std::string>{"arith.mulf"}));
}

TEST_F(PipelineTest, ScheduleWithMistakes) {
  auto replace = [](llvm::StringRef from, llvm::StringRef to) {
    std::string text = kSchedule;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  TemporaryFile unknown(replace("tile_using_for", "tile_using_fro"));
  EXPECT_NE(getFailure(unknown.get()).find("tile_using_fro"),
            std::string::npos);
  TemporaryFile unnamed(replace("__transform_main", "__transform_other"));
  EXPECT_NE(getFailure(unnamed.get()).find("__transform_main"),
            std::string::npos);
  // Four sizes make three loops.
  TemporaryFile loops(replace("[8, 16, 0]", "[8, 16, 4]"));
  std::string failure = getFailure(loops.get());
  EXPECT_NE(failure.find("transform.structured.tile_using_for"),
            std::string::npos)
      << failure;
  TemporaryFile broken("module {");
  EXPECT_NE(getFailure(broken.get()).find(broken.get().str()),
            std::string::npos);
}

TEST_F(PipelineTest, PassesOfUpstreamAndOurs) {
  std::vector<float> expected = compute("naive");
  for (const char *pipeline :
       {"builtin.module(func.func(linalg-generalize-named-ops),canonicalize)",
        // As on mlir-opt's command line.
        "builtin.module(prof-identify,"
        "prof-track{pipeline=\"func.func(linalg-generalize-named-ops),cse\"},"
        "prof-snapshot{level=generalized},"
        "one-shot-bufferize{bufferize-function-boundaries "
        "function-boundary-type-conversion=identity-layout-map},"
        "func.func(convert-linalg-to-loops))",
        "prof-repair, canonicalize, prof-repair"})
    EXPECT_EQ(compute(pipeline), expected) << pipeline;
}

TEST_F(PipelineTest, SnapshotsOfThePipelineAreLevels) {
  auto model = build("func.func(linalg-generalize-named-ops),"
                     "prof-snapshot{level=generalized}");
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_EQ(getOrigins(model->program, "generalized", "linalg.generic"),
            (std::vector<std::string>{"linalg.fill", "linalg.matmul"}));
}

TEST_F(PipelineTest, RulesArePassesToo) {
  auto model = build("func.func(cpu-apply-rules)");
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_FALSE(
      getOrigins(model->program, "custom", "vector.transfer_write").empty());
}

TEST_F(PipelineTest, ProbesOfThePipelineBecomeCode) {
  EXPECT_EQ(getFailure("one-shot-bufferize{bufferize-function-boundaries "
                       "function-boundary-type-conversion=identity-layout-map},"
                       "func.func(convert-linalg-to-loops),prof-instrument"),
            "");
}

TEST_F(PipelineTest, Typos) {
  for (auto [pipeline, wrong] :
       {std::pair("canonicalise", "'canonicalise'"),
        std::pair("builtin.module(cse,func.func(convert-linalg-to-lops))",
                  "'convert-linalg-to-lops'"),
        std::pair("canonicalize{top=1}", "`canonicalize` with options `top=1`"),
        std::pair("builtin.module(canonicalize", "parentheses"),
        std::pair("prof-track{pipeline=\"cse,inlin\"}", "'inlin'"),
        std::pair("prof-snapsot{level=x}", "'prof-snapsot'")}) {
    std::string failure = getFailure(pipeline);
    EXPECT_NE(failure.find(wrong), std::string::npos) << failure;
  }
}

} // namespace
