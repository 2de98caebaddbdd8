//===- GpuTest.cpp - Tests of programs for GPUs ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

/// A layer of `rows` inputs, with `function` of its results, in numbers of
/// `type`.
std::string makeLayer(llvm::StringRef rows, llvm::StringRef function,
                      llvm::StringRef type = "f32") {
  std::string text = R"mlir(
func.func @layer(%x: tensor<ROWSx8xTYPE>, %w: tensor<8x16xTYPE>)
    -> tensor<ROWSx16xTYPE> {
  %zero = arith.constant 0.0 : TYPE
  %index = arith.constant 0 : index
  %e = tensor.empty(SIZE) : tensor<ROWSx16xTYPE>
  %f = linalg.fill ins(%zero : TYPE) outs(%e : tensor<ROWSx16xTYPE>)
    -> tensor<ROWSx16xTYPE>
  %p = linalg.matmul ins(%x, %w : tensor<ROWSx8xTYPE>, tensor<8x16xTYPE>)
    outs(%f : tensor<ROWSx16xTYPE>) -> tensor<ROWSx16xTYPE>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<ROWSx16xTYPE>) outs(%e : tensor<ROWSx16xTYPE>) {
    ^bb0(%a: TYPE, %o: TYPE):
      %r = FUNCTION %a : TYPE
      linalg.yield %r : TYPE
  } -> tensor<ROWSx16xTYPE>
  return %y : tensor<ROWSx16xTYPE>
}
)mlir";
  std::string size;
  if (rows == "?") {
    size = "%n";
    text.insert(text.find("  %e ="),
                "  %n = tensor.dim %x, %index : tensor<ROWSx8xTYPE>\n");
  }
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    for (size_t at; (at = text.find(from.str())) != std::string::npos;)
      text.replace(at, from.size(), to.str());
  };
  replace("ROWS", rows);
  replace("SIZE", size);
  replace("TYPE", type);
  replace("FUNCTION", function);
  return text;
}

llvm::Expected<CompiledModel> compileFor(llvm::StringRef cpu,
                                         const std::string &text) {
  auto target = codegen::getGpuTarget(cpu);
  if (!target)
    return target.takeError();
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = std::move(*target);
  return compileText(context, text, options);
}

/// The error of `expected`.
template <typename T>
std::string getError(llvm::Expected<T> expected) {
  return expected ? "" : llvm::toString(expected.takeError());
}

TEST(GpuTest, LayerIsOneLaunch) {
  auto model = compileFor("sm_90", makeLayer("4", "math.tanh"));
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  ASSERT_TRUE(model->deviceProgram.has_value());
  const device::Program &program = *model->deviceProgram;
  EXPECT_EQ(program.target, "sm_90");
  ASSERT_EQ(program.kernels.size(), 1u);
  ASSERT_EQ(program.steps.size(), 1u);
  const auto &launch = std::get<device::Launch>(program.steps.front());
  EXPECT_EQ(launch.instance, 0u);
  ASSERT_EQ(launch.bindings.size(), 3u);
  EXPECT_EQ(launch.bindings[0].place, device::Binding::Place::Argument);
  EXPECT_EQ(launch.bindings[1].bytes, 8u * 16 * 4);
  EXPECT_EQ(launch.bindings[2].place, device::Binding::Place::Result);
  EXPECT_EQ(program.arenaBytes, 0u);
  const device::Kernel &kernel = program.kernels.front();
  llvm::StringRef text = kernel.assembly;
  EXPECT_TRUE(text.contains(".target sm_90\n")) << kernel.assembly;
  EXPECT_TRUE(text.contains(".entry " + kernel.name + "(")) << kernel.assembly;
  EXPECT_TRUE(text.contains("fma.rn.f32"));
  EXPECT_EQ(kernel.block[0] * launch.grid[0] >= 64, true);
}

TEST(GpuTest, LinesAreNodesOfTheLastLevel) {
  auto model = compileFor("", makeLayer("4", "math.exp"));
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  const profile::Program &program = model->program;
  EXPECT_EQ(program.levels,
            (std::vector<std::string>{"input", "linalg", "dispatch", "tiled",
                                      "bufferized", "loops", "llvm"}));
  const device::Kernel &kernel = model->deviceProgram->kernels.front();
  ASSERT_LT(kernel.node, program.nodes.size());
  EXPECT_EQ(program.levels[program.nodes[kernel.node].level], "dispatch");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(kernel.assembly).split(lines, '\n');
  size_t count = 0;
  std::set<std::string> roots;
  uint32_t node = 0;
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.consume_front(".loc")) {
      uint32_t file = 0, number = 0;
      line = line.ltrim();
      ASSERT_FALSE(line.consumeInteger(10, file));
      line = line.ltrim();
      ASSERT_FALSE(line.consumeInteger(10, number));
      ++count;
      node = number;
      if (number == 0)
        continue;
      ASSERT_LE(number, program.nodes.size());
      EXPECT_EQ(program.levels[program.nodes[number - 1].level], "llvm");
    }
    if (!line.starts_with("fma.rn.f32") || node == 0)
      continue;
    // Back to the op of the model whose work it is: a body op in its own name.
    uint32_t at = node - 1;
    while (!program.nodes[at].parents.empty())
      at = program.nodes[at].parents.front();
    roots.insert(program.strings[program.nodes[at].op]);
  }
  EXPECT_GT(count, 10u);
  // The sum in the body of the product, and the polynomial of the exponential.
  EXPECT_EQ(roots, (std::set<std::string>{"arith.addf", "math.exp"}));
}

TEST(GpuTest, UnsupportedFormsAreErrors) {
  EXPECT_NE(getError(compileFor("", makeLayer("?", "math.exp"))).find("size"),
            std::string::npos);
  std::string error =
      getError(compileFor("", makeLayer("4", "math.sin", "f64")));
  EXPECT_NE(error.find("sin"), std::string::npos) << error;
  EXPECT_NE(getError(codegen::getGpuTarget("sm_70"))
                .find("'--device-target=sm_70' is older than sm_80"),
            std::string::npos);
  EXPECT_NE(getError(codegen::getGpuTarget("x86-64")).find("not a processor"),
            std::string::npos);
}

} // namespace
