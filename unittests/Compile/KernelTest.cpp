//===- KernelTest.cpp - Tests of kernels compiled alone -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Compile/Kernels/KernelBuilder.h"
#include "../../lib/Compile/Kernels/KernelCache.h"
#include "CacheFolder.h"
#include "JitModel.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

/// Two layers with one kernel; @layers adds their results.
constexpr llvm::StringLiteral kLayers = R"mlir(
func.func private @scale(%a: tensor<?x4xf32>, %b: tensor<4xf32>, %s: f32,
                         %out: tensor<?x4xf32>) -> tensor<?x4xf32>
    attributes {dispatch.kernel} {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x4xf32>, tensor<4xf32>)
      outs(%out : tensor<?x4xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %q = arith.addf %p, %s : f32
      linalg.yield %q : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func @layers(%x: tensor<?x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>)
    -> tensor<?x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = tensor.dim %x, %zero : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %y = dispatch.run @scale
    ins(%x, %b, %one : tensor<?x4xf32>, tensor<4xf32>, f32)
    outs(%e : tensor<?x4xf32>) {instance = 0 : i32} -> tensor<?x4xf32>
  %f = tensor.empty(%n) : tensor<?x4xf32>
  %z = dispatch.run @scale
    ins(%y, %c, %two : tensor<?x4xf32>, tensor<4xf32>, f32)
    outs(%f : tensor<?x4xf32>) {instance = 1 : i32} -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
)mlir";

CompileOptions makeOptions(llvm::StringRef pipeline = "default") {
  CompileOptions options;
  options.pipeline = pipeline.str();
  options.target = codegen::getHostTarget(1);
  return options;
}

/// Compiles kLayers, and compares its results with ones computed here.
void checkLayers(llvm::StringRef pipeline = "default") {
  mlir::MLIRContext context;
  auto model = compileText(context, kLayers, makeOptions(pipeline));
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  for (int64_t rows : {1, 3, 64}) {
    Tensor x = makeTensor({rows, 4}, 1), b = makeTensor({4}, 2),
           c = makeTensor({4}, 3);
    auto result = run(*model, {x, b, c}, 2);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    ASSERT_EQ(result->shape, x.shape);
    for (size_t i = 0; i != x.values.size(); ++i) {
      double y = double(x.values[i]) * b.values[i % 4] + 1;
      EXPECT_NEAR(result->values[i], y * c.values[i % 4] + 2, 1e-5);
    }
  }
}

TEST(KernelTest, RunsKernelsOfDynamicSizesAndNumbers) { checkLayers(); }

TEST(KernelTest, OtherPipelinesInlineKernels) {
  for (llvm::StringRef pipeline : {"single-function", "naive"})
    checkLayers(pipeline);
}

TEST(KernelTest, KeepsKernelsOnDisk) {
  CacheFolder folder;
  checkLayers();
  std::vector<std::string> files = folder.list();
  ASSERT_EQ(files.size(), 1u);
  llvm::sys::fs::file_status before, after;
  ASSERT_FALSE(llvm::sys::fs::status(files[0], before));
  checkLayers();
  EXPECT_EQ(folder.list(), files);
  ASSERT_FALSE(llvm::sys::fs::status(files[0], after));
  // It was read, not written again.
  EXPECT_EQ(before.getUniqueID(), after.getUniqueID());
  // Another target is another kernel.
  mlir::MLIRContext context;
  CompileOptions options = makeOptions();
  options.polynomials = false;
  ASSERT_TRUE(bool(compileText(context, kLayers, options)));
  EXPECT_EQ(folder.list().size(), 2u);
}

/// A file of the cache.
struct CacheFile {
  std::string path, bytes;
};

/// Compiles the layers, and reads the file of their only kernel.
CacheFile keepKernel(CacheFolder &folder) {
  checkLayers();
  std::vector<std::string> files = folder.list();
  EXPECT_EQ(files.size(), 1u);
  if (files.empty())
    return {};
  auto bytes = llvm::MemoryBuffer::getFile(files[0]);
  EXPECT_TRUE(bool(bytes));
  return {files[0], bytes ? (*bytes)->getBuffer().str() : ""};
}

/// Identities of a kernel are not those of a model that has it.
TEST(KernelTest, KeepsLevelsWithoutIdentities) {
  CacheFolder folder;
  CacheFile file = keepKernel(folder);
  std::optional<CompiledKernel> kernel = parseKernel(file.bytes);
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(kernel->program.nodes.empty());
  ASSERT_EQ(kernel->levels.size(), 4u);
  KernelWorkshop workshop;
  for (const IrModule &level : kernel->levels) {
    auto module = module::loadStoredModule(level, *workshop.context);
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
    (*module)->walk([](mlir::Operation *op) {
      EXPECT_TRUE(prof::getIdentities(op->getLoc()).owners.empty());
      for (mlir::Region &region : op->getRegions())
        for (mlir::BlockArgument argument : region.getArguments())
          EXPECT_TRUE(prof::getIdentities(argument.getLoc()).owners.empty());
    });
  }
}

/// The warnings of passes name the ops of the model, if those have places.
TEST(KernelTest, WarningsOfKernelsNameThePlace) {
  CacheFolder folder;
  CacheFile file = keepKernel(folder);
  std::optional<CompiledKernel> kernel = parseKernel(file.bytes);
  ASSERT_TRUE(kernel);
  kernel->warnings = {"unknown: first", "\"a.py\":1:2: second"};
  std::error_code error;
  llvm::raw_fd_ostream(file.path, error) << serializeKernel(*kernel);
  KernelSource source;
  source.hash = llvm::sys::path::filename(file.path).split('-').second.str();
  CompileOptions options = makeOptions();
  std::vector<std::string> warnings;
  options.onWarning = [&](llvm::StringRef text) {
    warnings.push_back(text.str());
  };
  for (std::string place : {"", "\"m.py\":7:3"}) {
    source.place = place;
    warnings.clear();
    auto found = KernelBuilder({source}, options).finish();
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    EXPECT_EQ(warnings, (std::vector<std::string>{
                            (place.empty() ? "unknown" : place) + ": first",
                            "\"a.py\":1:2: second"}));
  }
}

TEST(KernelTest, IgnoresDamagedFiles) {
  CacheFolder folder;
  auto [path, bytes] = keepKernel(folder);
  ASSERT_TRUE(parseKernel(bytes));
  for (size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 997) {
    std::string bad = bytes;
    bad[i] ^= 0x10;
    // All bits count but the unused ones of the flag for OpenMP.
    EXPECT_TRUE(!parseKernel(bad) || (i >= 8 && i < 16)) << i;
    EXPECT_FALSE(parseKernel(llvm::StringRef(bytes).take_front(i))) << i;
  }
  EXPECT_FALSE(parseKernel(bytes + "x"));
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << "not a kernel";
  checkLayers();
  // It has been replaced.
  auto again = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(again));
  EXPECT_TRUE(parseKernel((*again)->getBuffer()));
}

TEST(KernelTest, KernelsAreEqualFromDisk) {
  CacheFolder folder;
  mlir::MLIRContext first, second;
  auto made = compileText(first, kLayers, makeOptions());
  auto found = compileText(second, kLayers, makeOptions());
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(made->object, found->object);
  EXPECT_EQ(serializeProgram(made->program), serializeProgram(found->program));
  auto a = joinLevels(*made), b = joinLevels(*found);
  ASSERT_TRUE(bool(a)) << llvm::toString(a.takeError());
  ASSERT_TRUE(bool(b)) << llvm::toString(b.takeError());
  ASSERT_EQ(a->size(), b->size());
  for (size_t i = 0; i != a->size(); ++i)
    EXPECT_EQ((*a)[i].bytecode, (*b)[i].bytecode);
}

TEST(KernelTest, ProgramsOfKernelsAreJoined) {
  mlir::MLIRContext context;
  auto model = compileText(context, kLayers, makeOptions());
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  const Program &program = model->program;
  std::vector<std::string> levels = {
      "input", "linalg", "dispatch", "tiled", "bufferized", "loops", "llvm"};
  EXPECT_EQ(program.levels, levels);
  // Sorted by level, and containers and parents are where they must be.
  for (size_t i = 0; i != program.nodes.size(); ++i) {
    const ProgramNode &node = program.nodes[i];
    if (i != 0)
      EXPECT_LE(program.nodes[i - 1].level, node.level);
    for (uint32_t parent : node.parents)
      EXPECT_LT(program.nodes[parent].level, node.level);
    if (node.container != trace::kNone)
      EXPECT_EQ(program.nodes[node.container].level, node.level);
  }
  // Instructions ascend, and lead to ops of the input.
  size_t traced = 0;
  for (size_t i = 0; i != program.instructions.size(); ++i) {
    if (i != 0)
      EXPECT_LT(program.instructions[i - 1].address,
                program.instructions[i].address);
    std::set<uint32_t> nodes = {program.instructions[i].node};
    for (size_t depth = 0; depth != levels.size(); ++depth) {
      std::set<uint32_t> parents;
      for (uint32_t node : nodes)
        if (node != trace::kNone)
          parents.insert(program.nodes[node].parents.begin(),
                         program.nodes[node].parents.end());
      for (uint32_t node : parents)
        if (program.nodes[node].level == 0) {
          ++traced;
          break;
        }
      nodes = parents;
    }
  }
  // Others are the entry, and arithmetic of addresses without a line.
  EXPECT_GT(traced, program.instructions.size() * 3 / 4);
  auto joined = joinLevels(*model);
  ASSERT_TRUE(bool(joined)) << llvm::toString(joined.takeError());
  for (auto [index, level] : llvm::enumerate(*joined)) {
    EXPECT_EQ(level.level, levels[index]);
    for (const ProgramNode &node : program.nodes)
      if (node.level == index && node.position != trace::kNone)
        EXPECT_LT(node.position, level.operations);
  }
}

TEST(KernelTest, LevelsOfKernelsFollowThoseOfTheHostSide) {
  mlir::MLIRContext context;
  auto model = compileText(context, kLayers, makeOptions());
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  // The build has joined them: nothing is left to read back.
  EXPECT_TRUE(model->kernels.empty());
  auto reader = module::makeModuleContext();
  for (const IrModule &level : model->irModules) {
    auto read = module::loadStoredModule(level, *reader);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    size_t kernels = 0;
    (*read)->walk([&](mlir::ModuleOp code) {
      kernels += code.getSymName().value_or("").ends_with("_code");
    });
    bool hasKernels =
        !llvm::is_contained({"input", "linalg", "dispatch"}, level.level);
    EXPECT_EQ(kernels, hasKernels ? 1u : 0u) << level.level;
  }
}

TEST(KernelTest, LinkingNeedsObjects) {
  auto linked = linkObjects({"not an object"});
  ASSERT_FALSE(bool(linked));
  EXPECT_NE(llvm::toString(linked.takeError()).find("joining the code"),
            std::string::npos);
}

} // namespace
