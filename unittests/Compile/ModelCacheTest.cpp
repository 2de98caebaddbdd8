//===- ModelCacheTest.cpp - Tests of compiled models on disk --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/ModelCache.h"
#include "CacheFolder.h"
#include "JitModel.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

/// A layer with weights of 64 KiB.
constexpr llvm::StringLiteral kLayer = R"mlir(
func.func @layer(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : tensor<128x128xf32>
  %e = tensor.empty() : tensor<4x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128xf32>)
    -> tensor<4x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x128xf32>, tensor<128x128xf32>)
    outs(%f : tensor<4x128xf32>) -> tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x04000000WEIGHTS"
    }
  }
#-}
)mlir";

/// kLayer with weights of which each is 1.0.
std::string makeLayer() {
  std::string text = kLayer.str(), ones;
  for (unsigned i = 0; i != 128 * 128; ++i)
    ones += "0000803F";
  return text.replace(text.find("WEIGHTS"), 7, ones);
}

CompileOptions makeOptions() {
  CompileOptions options;
  options.pipeline = "default";
  options.target = codegen::getHostTarget(1);
  return options;
}

std::string toBytes(const CompiledModel &model) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  writeModel(model, {"first", "second"}, os);
  return bytes;
}

/// Bytes that begin at a page, as those of a mapped file.
class Pages {
public:
  explicit Pages(llvm::StringRef bytes)
      : buffer(bytes.size() + kPage),
        begin(reinterpret_cast<char *>(
            llvm::alignTo(reinterpret_cast<uintptr_t>(buffer.data()), kPage))),
        size(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), begin);
  }
  char *data() { return begin; }
  llvm::StringRef get() const { return {begin, size}; }

private:
  static constexpr size_t kPage = 4096;
  std::vector<char> buffer;
  char *begin;
  size_t size;
};

class ModelCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto compiled = compileText(context, makeLayer(), makeOptions());
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    model = std::move(*compiled);
  }
  void TearDown() override { model = CompiledModel(); }

  mlir::MLIRContext context;
  CompiledModel model;
};

/// Each result is the sum of a row.
void checkResults(const CompiledModel &model) {
  Tensor x = makeTensor({4, 128}, 1);
  auto result = run(model, {x}, 2);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  for (size_t i = 0; i != 4; ++i) {
    double sum = 0;
    for (size_t j = 0; j != 128; ++j)
      sum += x.values[i * 128 + j];
    EXPECT_NEAR(result->values[i * 128], sum, 1e-4);
  }
}

TEST_F(ModelCacheTest, IsTheSameModel) {
  Pages bytes(toBytes(model));
  BuildWarnings warnings;
  std::optional<CompiledModel> read = parseModel(bytes.get(), warnings);
  ASSERT_TRUE(read);
  EXPECT_EQ(warnings, (BuildWarnings{"first", "second"}));
  checkResults(*read);
  EXPECT_EQ(read->object, model.object);
  EXPECT_EQ(read->entrySymbol, model.entrySymbol);
  EXPECT_EQ(serializeProgram(read->program), serializeProgram(model.program));
  ASSERT_EQ(read->signature.arguments.size(), 1u);
  EXPECT_EQ(read->signature.arguments[0].shape,
            model.signature.arguments[0].shape);
  EXPECT_EQ(read->signature.arguments[0].name,
            model.signature.arguments[0].name);
  EXPECT_EQ(read->signature.results[0].elementType, "f32");
  auto a = joinLevels(*read), b = joinLevels(model);
  ASSERT_TRUE(bool(a)) << llvm::toString(a.takeError());
  ASSERT_TRUE(bool(b)) << llvm::toString(b.takeError());
  ASSERT_EQ(a->size(), b->size());
  for (size_t i = 0; i != a->size(); ++i)
    EXPECT_EQ((*a)[i].bytecode, (*b)[i].bytecode);
}

TEST_F(ModelCacheTest, BuildHashesWeightsOnce) {
  ASSERT_FALSE(model.constants.empty());
  for (const ExternalConstant &constant : model.constants) {
    llvm::StringRef bytes(constant.bytes.data(), constant.bytes.size());
    EXPECT_EQ(constant.hash, llvm::xxh3_64bits(bytes));
  }
}

TEST_F(ModelCacheTest, DoesNotCopyConstants) {
  Pages bytes(toBytes(model));
  BuildWarnings warnings;
  std::optional<CompiledModel> read = parseModel(bytes.get(), warnings);
  ASSERT_TRUE(read);
  ASSERT_FALSE(model.constants.empty());
  ASSERT_EQ(read->constants.size(), model.constants.size());
  for (size_t i = 0; i != model.constants.size(); ++i) {
    const ExternalConstant &constant = read->constants[i];
    EXPECT_EQ(constant.name, model.constants[i].name);
    EXPECT_EQ(constant.bytes, model.constants[i].bytes);
    EXPECT_EQ(uintptr_t(constant.bytes.data()) % constant.alignment, 0u);
    EXPECT_GE(constant.bytes.data(), bytes.get().begin());
    EXPECT_LE(constant.bytes.end(), bytes.get().end());
  }
}

/// Files begin at pages only, so constants of greater alignment are copied.
TEST_F(ModelCacheTest, ConstantsMayHaveGreatAlignment) {
  constexpr llvm::StringLiteral kText = R"mlir(
memref.global "private" constant @v : memref<1024xf32> = dense<2.5>
memref.global "private" constant @w : memref<1024xf32> = dense<1.5>
  {alignment = 8192}
func.func @main(%x: memref<1024xf32>) -> memref<1024xf32> {
  %v = memref.get_global @v : memref<1024xf32>
  %w = memref.get_global @w : memref<1024xf32>
  %y = memref.alloc() : memref<1024xf32>
  linalg.add ins(%v, %w : memref<1024xf32>, memref<1024xf32>)
    outs(%y : memref<1024xf32>)
  return %y : memref<1024xf32>
}
)mlir";
  auto compiled = compileText(context, kText, makeOptions());
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  std::set<uint64_t> alignments;
  for (const ExternalConstant &constant : compiled->constants)
    alignments.insert(constant.alignment);
  EXPECT_EQ(alignments, (std::set<uint64_t>{64, 8192}));
  for (uint64_t alignment : {uint64_t(8192), uint64_t(1) << 20}) {
    for (ExternalConstant &constant : compiled->constants)
      if (constant.alignment > 4096)
        constant.alignment = alignment;
    std::string text = toBytes(*compiled);
    EXPECT_LT(text.size(), size_t(1) << 20);
    Pages bytes(text);
    BuildWarnings warnings;
    std::optional<CompiledModel> read = parseModel(bytes.get(), warnings);
    ASSERT_TRUE(read) << alignment;
    ASSERT_EQ(read->constants.size(), 2u);
    for (size_t i = 0; i != 2; ++i) {
      EXPECT_EQ(read->constants[i].alignment, compiled->constants[i].alignment);
      EXPECT_EQ(read->constants[i].bytes, compiled->constants[i].bytes);
    }
  }
}

TEST_F(ModelCacheTest, DoesNotKeepWhatCannotBeRead) {
  CacheFolder folder;
  std::string key = getModelKey("a", "b", makeOptions());
  BuildWarnings warnings;
  model.constants.front().alignment = uint64_t(1) << 40;
  keepModel(key, model, warnings);
  EXPECT_FALSE(findModel(key, warnings));
  EXPECT_TRUE(folder.list().empty());
}

TEST_F(ModelCacheTest, DoesNotKeepWhatChangedMeanwhile) {
  CacheFolder folder;
  std::string key = getModelKey("m", "b", makeOptions());
  BuildWarnings warnings;
  keepModel(key, model, warnings,
            [] { return inputError("b", "has changed"); });
  EXPECT_FALSE(findModel(key, warnings));
  keepModel(key, model, warnings, [] { return llvm::Error::success(); });
  EXPECT_TRUE(findModel(key, warnings));
}

TEST_F(ModelCacheTest, IgnoresDamage) {
  Pages bytes(toBytes(model));
  size_t size = bytes.get().size();
  BuildWarnings warnings;
  for (size_t i = 0; i < size; i += 1 + size / 997) {
    bytes.data()[i] ^= 0x10;
    EXPECT_FALSE(parseModel(bytes.get(), warnings)) << i;
    bytes.data()[i] ^= 0x10;
    EXPECT_FALSE(parseModel(bytes.get().take_front(i), warnings)) << i;
  }
  EXPECT_TRUE(parseModel(bytes.get(), warnings));
  Pages longer((bytes.get() + "x").str());
  EXPECT_FALSE(parseModel(longer.get(), warnings));
}

TEST_F(ModelCacheTest, IsFoundByAnother) {
  std::string key;
  BuildWarnings warnings;
  {
    CacheFolder folder;
    key = getModelKey("a", "b", makeOptions());
    EXPECT_FALSE(findModel(key, warnings));
    keepModel(key, model, {"text"});
    std::optional<CompiledModel> found = findModel(key, warnings);
    ASSERT_TRUE(found);
    EXPECT_EQ(warnings, BuildWarnings{"text"});
    checkResults(*found);
    EXPECT_FALSE(findModel(getModelKey("x", "b", makeOptions()), warnings));
  }
  EXPECT_FALSE(findModel(key, warnings));
  EXPECT_EQ(getModelKey("a", "b", makeOptions()), "");
}

TEST_F(ModelCacheTest, LeavesRoomForOthers) {
  CacheFolder folder("0");
  EXPECT_EQ(getModelKey("a", "b", makeOptions()), "");
  llvm::StringRef key = "0123";
  BuildWarnings warnings;
  keepModel(key, model, warnings);
  EXPECT_FALSE(findModel(key, warnings));
}

/// All that determines a model is in its key.
TEST(ModelKeyTest, NamesAllOptions) {
  CacheFolder folder;
  std::set<std::string> keys;
  auto add = [&](auto change) {
    CompileOptions options = makeOptions();
    change(options);
    EXPECT_TRUE(keys.insert(getModelKey("a", "b", options)).second);
  };
  add([](CompileOptions &) {});
  add([](CompileOptions &options) { options.entry = "f"; });
  add([](CompileOptions &options) { options.identities = false; });
  add([](CompileOptions &options) { options.instrument = ""; });
  add([](CompileOptions &options) { options.instrument = "scope=op"; });
  add([](CompileOptions &options) { options.lowerProbes = "probe=inline"; });
  add([](CompileOptions &options) { options.recordValues = true; });
  add([](CompileOptions &options) { options.polynomials = false; });
  add([](CompileOptions &options) { options.maxError = 0; });
  add([](CompileOptions &options) { options.target.threads = 7; });
  add([](CompileOptions &options) { options.target.cpu = "znver2"; });
  add([](CompileOptions &options) { options.target.features += ",+x"; });
  add([](CompileOptions &options) { options.target.vectorBits = 128; });
  add([](CompileOptions &options) { options.target.vectorRegisters = 3; });
  add([](CompileOptions &options) { options.target.l1Bytes = 3; });
  add([](CompileOptions &options) { options.target.l2Bytes = 3; });
  EXPECT_TRUE(keys.insert(getModelKey("c", "b", makeOptions())).second);
  EXPECT_TRUE(keys.insert(getModelKey("a", "c", makeOptions())).second);
  EXPECT_TRUE(keys.insert(getModelKey("ab", "", makeOptions())).second);
  EXPECT_FALSE(keys.insert(getModelKey("a", "b", makeOptions())).second);
}

/// Other pipelines may read files, and options may call back.
TEST(ModelKeyTest, NamesOnlyWhatItKnows) {
  CacheFolder folder;
  CompileOptions options = makeOptions();
  for (llvm::StringRef pipeline :
       {"single-function", "naive", "cse", "a.mlir"}) {
    options.pipeline = pipeline.str();
    EXPECT_EQ(getModelKey("a", "b", options), "");
  }
  options = makeOptions();
  options.choose = [](mlir::ModuleOp) { return llvm::Error::success(); };
  EXPECT_EQ(getModelKey("a", "b", options), "");
}

} // namespace
