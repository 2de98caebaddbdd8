//===- JitModel.cpp - Running compiled models -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::compile;
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

codegen::TargetModel test::getNarrowTarget(unsigned vectorBits) {
  codegen::TargetModel target = codegen::getHostTarget(1);
  target.vectorBits = std::min(target.vectorBits, vectorBits);
  target.vectorRegisters = 16;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.getArch() != llvm::Triple::x86_64)
    return target;
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  bool hasAll = features.lookup("avx2") && features.lookup("fma");
  target.cpu = vectorBits == 256 && hasAll ? "x86-64-v3" : "x86-64";
  target.features.clear();
  return target;
}

llvm::Expected<CompiledModel> test::compileText(mlir::MLIRContext &context,
                                                llvm::StringRef text,
                                                const CompileOptions &options) {
  module::prepareContext(context);
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  EXPECT_TRUE(module) << text.str();
  return compileModel(std::move(module), options);
}

/// A memref descriptor of any rank: pointers, offset, sizes, strides.
static std::vector<int64_t> describe(const void *data,
                                     const std::vector<int64_t> &shape) {
  int64_t address = reinterpret_cast<int64_t>(data);
  std::vector<int64_t> words = {address, address, 0};
  words.insert(words.end(), shape.begin(), shape.end());
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
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

/// Copies the constants to `memory`, as code relies on their alignment.
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

/// Loads `model` and calls its entry with these descriptors.
static llvm::Error call(const CompiledModel &model,
                        std::vector<std::vector<int64_t>> &descriptors) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  llvm::BumpPtrAllocator memory;
  if (llvm::Error error = defineConstants(**jit, model, memory))
    return error;
  if (llvm::Error error = (*jit)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(model.object, "model")))
    return error;
  auto entry = (*jit)->lookup(model.entrySymbol);
  if (!entry)
    return entry.takeError();
  std::vector<void *> pointers;
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  entry->toPtr<void(void **)>()(pointers.data());
  return llvm::Error::success();
}

llvm::Expected<Tensor> test::run(const CompiledModel &model,
                                 const std::vector<Tensor> &arguments,
                                 unsigned rank) {
  std::vector<std::vector<int64_t>> descriptors;
  for (const Tensor &argument : arguments)
    descriptors.push_back(describe(argument.values.data(), argument.shape));
  descriptors.emplace_back(3 + 2 * rank);
  std::vector<Tensor> before = arguments;
  if (llvm::Error error = call(model, descriptors))
    return std::move(error);
  for (auto [was, is] : llvm::zip(before, arguments))
    EXPECT_EQ(was.values, is.values) << "an argument was written to";
  return readResult(descriptors.back(), rank);
}

//===----------------------------------------------------------------------===//
// Tensors of any type
//===----------------------------------------------------------------------===//

/// Null for integers.
static const llvm::fltSemantics *getSemantics(llvm::StringRef element) {
  return llvm::StringSwitch<const llvm::fltSemantics *>(element)
      .Case("f16", &llvm::APFloat::IEEEhalf())
      .Case("bf16", &llvm::APFloat::BFloat())
      .Case("f32", &llvm::APFloat::IEEEsingle())
      .Case("f64", &llvm::APFloat::IEEEdouble())
      .Default(nullptr);
}

static unsigned getBits(llvm::StringRef element) {
  if (const llvm::fltSemantics *semantics = getSemantics(element))
    return llvm::APFloat::getSizeInBits(*semantics);
  unsigned bits = 0;
  element.drop_front().getAsInteger(10, bits);
  return bits;
}

static std::vector<char> encode(const TypedTensor &tensor) {
  unsigned bits = getBits(tensor.element), size = (bits + 7) / 8;
  std::vector<char> bytes;
  for (double value : tensor.values) {
    uint64_t word = static_cast<uint64_t>(static_cast<int64_t>(value));
    if (const llvm::fltSemantics *semantics = getSemantics(tensor.element)) {
      llvm::APFloat number(value);
      bool losesInfo;
      number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven,
                     &losesInfo);
      word = number.bitcastToAPInt().getZExtValue();
    }
    // The host is little-endian, like all targets of this project.
    const char *first = reinterpret_cast<const char *>(&word);
    bytes.insert(bytes.end(), first, first + size);
  }
  return bytes;
}

static double decode(const char *bytes, llvm::StringRef element) {
  unsigned bits = getBits(element);
  uint64_t word = 0;
  std::memcpy(&word, bytes, (bits + 7) / 8);
  if (const llvm::fltSemantics *semantics = getSemantics(element))
    return llvm::APFloat(*semantics, llvm::APInt(bits, word)).convertToDouble();
  return bits == 1 ? double(word & 1) : double(llvm::SignExtend64(word, bits));
}

static TypedTensor readTyped(const std::vector<int64_t> &words,
                             const ValueSignature &signature) {
  TypedTensor result;
  result.element = signature.elementType;
  unsigned rank = signature.shape.size();
  result.shape.assign(words.begin() + 3, words.begin() + 3 + rank);
  int64_t count = 1;
  for (int64_t size : result.shape)
    count *= size;
  unsigned size = (getBits(result.element) + 7) / 8;
  const char *bytes = reinterpret_cast<const char *>(words[1]);
  for (int64_t i = 0; i < count; ++i)
    result.values.push_back(
        decode(bytes + (words[2] + i) * size, result.element));
  free(reinterpret_cast<void *>(words[0]));
  return result;
}

llvm::Expected<std::vector<TypedTensor>>
test::run(const CompiledModel &model,
          const std::vector<TypedTensor> &arguments) {
  std::vector<std::vector<char>> data;
  std::vector<std::vector<int64_t>> descriptors;
  for (const TypedTensor &argument : arguments) {
    data.push_back(encode(argument));
    descriptors.push_back(describe(data.back().data(), argument.shape));
  }
  std::vector<std::vector<char>> before = data;
  for (const ValueSignature &result : model.signature.results)
    descriptors.emplace_back(3 + 2 * result.shape.size());
  if (llvm::Error error = call(model, descriptors))
    return std::move(error);
  EXPECT_EQ(before, data) << "an argument was written to";
  std::vector<TypedTensor> results;
  for (auto [index, result] : llvm::enumerate(model.signature.results))
    results.push_back(readTyped(descriptors[arguments.size() + index], result));
  return results;
}

std::vector<TypedTensor>
test::compute(llvm::StringRef pipeline, llvm::StringRef text,
              const std::vector<TypedTensor> &arguments) {
  SCOPED_TRACE(text.str());
  mlir::MLIRContext context;
  CompileOptions options;
  options.pipeline = pipeline.str();
  options.target = codegen::getHostTarget(1);
  auto model = compileText(context, text, options);
  if (!model) {
    ADD_FAILURE() << llvm::toString(model.takeError());
    return {};
  }
  auto results = run(*model, arguments);
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }
  return *results;
}
