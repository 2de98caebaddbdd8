//===- JitModel.cpp - Running compiled models -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "GuardedMemory.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
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

static Tensor readResult(const std::vector<int64_t> &words, unsigned rank,
                         GuardedMemory &memory) {
  Tensor result;
  result.shape.assign(words.begin() + 3, words.begin() + 3 + rank);
  int64_t count = 1;
  for (int64_t size : result.shape)
    count *= size;
  const float *values = reinterpret_cast<const float *>(words[1]) + words[2];
  result.values.assign(values, values + count);
  memory.release(reinterpret_cast<void *>(words[0]));
  return result;
}

/// Copies the constants to `memory`, as code relies on their alignment.
static llvm::Error defineConstants(llvm::orc::LLJIT &jit,
                                   const CompiledModel &model,
                                   GuardedMemory &memory) {
  llvm::orc::SymbolMap symbols;
  for (const ExternalConstant &constant : model.constants) {
    void *copy = memory.allocate(constant.bytes.size(), constant.alignment);
    std::memcpy(copy, constant.bytes.data(), constant.bytes.size());
    symbols[jit.mangleAndIntern(constant.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(copy), llvm::JITSymbolFlags::Exported};
  }
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// The memory of the model that is called.
static GuardedMemory *allocations = nullptr;

/// Makes the model allocate its buffers there.
static llvm::Error defineAllocations(llvm::orc::LLJIT &jit) {
  auto allocate = [](size_t bytes) {
    return allocations->allocate(bytes, alignof(std::max_align_t));
  };
  auto allocateAligned = [](size_t alignment, size_t bytes) {
    return allocations->allocate(bytes, alignment);
  };
  auto release = [](void *block) { allocations->release(block); };
  llvm::orc::SymbolMap symbols;
  auto define = [&](const char *name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported};
  };
  define("malloc", +allocate);
  define("aligned_alloc", +allocateAligned);
  define("free", +release);
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// Loads `model` and calls its entry with these descriptors.
static llvm::Error call(const CompiledModel &model,
                        std::vector<std::vector<int64_t>> &descriptors,
                        GuardedMemory &memory) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = defineConstants(**jit, model, memory))
    return error;
  if (llvm::Error error = defineAllocations(**jit))
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
  allocations = &memory;
  entry->toPtr<void(void **)>()(pointers.data());
  allocations = nullptr;
  return llvm::Error::success();
}

/// `bytes` between guards, as the values of an argument.
static void *copyArgument(GuardedMemory &memory, llvm::StringRef bytes,
                          size_t elementBytes) {
  void *copy = memory.allocate(bytes.size(), elementBytes);
  if (!bytes.empty())
    std::memcpy(copy, bytes.data(), bytes.size());
  return copy;
}

static llvm::StringRef getBytes(const std::vector<float> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(float)};
}

llvm::Expected<Tensor> test::run(const CompiledModel &model,
                                 const std::vector<Tensor> &arguments,
                                 unsigned rank) {
  Tensor result;
  for (GuardSide side : {GuardSide::Behind, GuardSide::Before}) {
    GuardedMemory memory(side);
    std::vector<std::vector<int64_t>> descriptors;
    std::vector<void *> copies;
    for (const Tensor &argument : arguments) {
      copies.push_back(
          copyArgument(memory, getBytes(argument.values), sizeof(float)));
      descriptors.push_back(describe(copies.back(), argument.shape));
    }
    descriptors.emplace_back(3 + 2 * rank);
    if (llvm::Error error = call(model, descriptors, memory))
      return std::move(error);
    for (auto [copy, argument] : llvm::zip_equal(copies, arguments)) {
      llvm::StringRef bytes = getBytes(argument.values);
      EXPECT_EQ(bytes, llvm::StringRef(static_cast<char *>(copy), bytes.size()))
          << "an argument was written to";
    }
    result = readResult(descriptors.back(), rank, memory);
  }
  return result;
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
                             const ValueSignature &signature,
                             GuardedMemory &memory) {
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
  memory.release(reinterpret_cast<void *>(words[0]));
  return result;
}

static llvm::Expected<std::vector<TypedTensor>>
runWithin(const CompiledModel &model, const std::vector<TypedTensor> &arguments,
          GuardedMemory &memory) {
  std::vector<std::vector<char>> data;
  std::vector<void *> copies;
  std::vector<std::vector<int64_t>> descriptors;
  for (const TypedTensor &argument : arguments) {
    const std::vector<char> &bytes = data.emplace_back(encode(argument));
    copies.push_back(copyArgument(memory, {bytes.data(), bytes.size()},
                                  (getBits(argument.element) + 7) / 8));
    descriptors.push_back(describe(copies.back(), argument.shape));
  }
  for (const ValueSignature &result : model.signature.results)
    descriptors.emplace_back(3 + 2 * result.shape.size());
  if (llvm::Error error = call(model, descriptors, memory))
    return std::move(error);
  for (auto [copy, bytes] : llvm::zip_equal(copies, data))
    EXPECT_EQ(llvm::StringRef(bytes.data(), bytes.size()),
              llvm::StringRef(static_cast<char *>(copy), bytes.size()))
        << "an argument was written to";
  std::vector<TypedTensor> results;
  for (auto [index, result] : llvm::enumerate(model.signature.results))
    results.push_back(
        readTyped(descriptors[arguments.size() + index], result, memory));
  return results;
}

llvm::Expected<std::vector<TypedTensor>>
test::run(const CompiledModel &model,
          const std::vector<TypedTensor> &arguments) {
  GuardedMemory before(GuardSide::Before);
  auto first = runWithin(model, arguments, before);
  if (!first)
    return first;
  GuardedMemory behind(GuardSide::Behind);
  return runWithin(model, arguments, behind);
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
