//===- JitModel.cpp - Running what was compiled ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "mlir-prof/Match/ModuleReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;

Tensor test::makeTensor(std::vector<int64_t> shape, uint32_t seed) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  int64_t count = 1;
  for (int64_t size : tensor.shape)
    count *= size;
  uint32_t state = seed * 2654435761u + 1;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    tensor.values.push_back(float(state >> 8) / float(1 << 23) - 1);
  }
  return tensor;
}

llvm::Expected<CompiledModel> test::compile(mlir::MLIRContext &context,
                                            llvm::StringRef text,
                                            const CompileOptions &options) {
  mlirprof::prepareContext(context);
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  EXPECT_TRUE(module) << text.str();
  return compileModel(std::move(module), options);
}

/// A memref descriptor of any rank: pointers, offset, sizes, strides.
static std::vector<int64_t> describe(const Tensor &tensor) {
  int64_t address = reinterpret_cast<int64_t>(tensor.values.data());
  std::vector<int64_t> words = {address, address, 0};
  words.insert(words.end(), tensor.shape.begin(), tensor.shape.end());
  std::vector<int64_t> strides(tensor.shape.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * tensor.shape[i];
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

static Tensor readResult(const std::vector<int64_t> &words, unsigned rank) {
  Tensor result;
  result.shape.assign(words.begin() + 3, words.begin() + 3 + rank);
  int64_t count = 1;
  for (int64_t size : result.shape)
    count *= size;
  const float *values = reinterpret_cast<const float *>(words[1]) + words[2];
  result.values.assign(values, values + count);
  free(reinterpret_cast<void *>(words[0]));
  return result;
}

/// The constants go to `memory`, as code relies on their alignment.
static llvm::Error defineConstants(llvm::orc::LLJIT &jit,
                                   const CompiledModel &model,
                                   llvm::BumpPtrAllocator &memory) {
  llvm::orc::SymbolMap symbols;
  for (const ExternalConstant &constant : model.constants) {
    void *copy =
        memory.Allocate(constant.bytes.size(), llvm::Align(constant.alignment));
    std::memcpy(copy, constant.bytes.data(), constant.bytes.size());
    symbols[jit.mangleAndIntern(constant.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(copy), llvm::JITSymbolFlags::Exported};
  }
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

llvm::Expected<Tensor> test::run(const CompiledModel &model,
                                 const std::vector<Tensor> &arguments,
                                 unsigned rank) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  llvm::BumpPtrAllocator memory;
  if (llvm::Error error = defineConstants(**jit, model, memory))
    return std::move(error);
  if (llvm::Error error = (*jit)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(model.object, "model")))
    return std::move(error);
  auto entry = (*jit)->lookup(model.entrySymbol);
  if (!entry)
    return entry.takeError();
  std::vector<std::vector<int64_t>> descriptors;
  for (const Tensor &argument : arguments)
    descriptors.push_back(describe(argument));
  descriptors.emplace_back(3 + 2 * rank);
  std::vector<void *> pointers;
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  std::vector<Tensor> before = arguments;
  entry->toPtr<void(void **)>()(pointers.data());
  for (auto [was, is] : llvm::zip(before, arguments))
    EXPECT_EQ(was.values, is.values) << "an argument was written to";
  return readResult(descriptors.back(), rank);
}
