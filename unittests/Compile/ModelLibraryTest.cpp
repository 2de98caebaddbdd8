//===- ModelLibraryTest.cpp - Tests of compiled models as libraries -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/ModelLibrary.h"
#include "JitModel.h"
#include "mlir-prof/Runtime/prof_model_file.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

constexpr llvm::StringLiteral kSum = R"mlir(
func.func @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
)mlir";

class ModelLibraryTest : public testing::Test {
protected:
  void SetUp() override {
    CompileOptions options;
    options.pipeline = "default";
    options.target = codegen::getHostTarget(1);
    auto model = compileText(context, kSum, options);
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    llvm::raw_string_ostream os(bytes);
    auto sizes = writeLibrary(*model, {"first"}, options.target, os);
    ASSERT_TRUE(bool(sizes)) << llvm::toString(sizes.takeError());
    ASSERT_EQ(sizes->file, bytes.size());
  }

  /// The error of reading `changed`; empty if there is none.
  static std::string read(llvm::StringRef changed) {
    auto library = readLibrary(changed, "m.mprof");
    return library ? "" : llvm::toString(library.takeError());
  }

  mlir::MLIRContext context;
  std::string bytes;
};

TEST_F(ModelLibraryTest, IsWhole) {
  auto library = readLibrary(bytes, "m.mprof");
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  EXPECT_EQ(library->warnings, BuildWarnings{"first"});
  EXPECT_EQ(library->threads, 1u);
  EXPECT_EQ(library->model.signature.arguments[0].elementType, "f32");
}

TEST_F(ModelLibraryTest, IsCutOff) {
  for (size_t missing :
       {size_t(1), sizeof(prof_model_footer) - 1, sizeof(prof_model_footer),
        bytes.size() / 2, bytes.size() - 4, bytes.size()}) {
    llvm::StringRef part = llvm::StringRef(bytes).drop_back(missing);
    EXPECT_NE(read(part).find("cut off"), std::string::npos) << missing;
    EXPECT_EQ(isLibrary(part), !part.empty()) << missing;
  }
}

TEST_F(ModelLibraryTest, LosesBytesInside) {
  for (size_t at : {size_t(0), bytes.size() / 3, bytes.size() / 2}) {
    std::string changed = bytes;
    changed.erase(at, 8);
    EXPECT_NE(read(changed).find("is damaged"), std::string::npos) << at;
  }
}

/// Each byte from the directory on, which begins behind the sections.
TEST_F(ModelLibraryTest, HasOtherBytesInItsTrailer) {
  prof_model_footer footer;
  size_t end = bytes.size() - sizeof footer;
  std::memcpy(&footer, &bytes[end], sizeof footer);
  ASSERT_LT(footer.directory_offset, end);
  for (size_t at = footer.directory_offset; at != bytes.size(); ++at)
    for (unsigned bit : {0, 7}) {
      std::string changed = bytes;
      changed[at] ^= char(1u << bit);
      EXPECT_NE(read(changed), "") << at << " of " << bytes.size();
    }
}

TEST_F(ModelLibraryTest, HasASizeOfAnotherFile) {
  size_t end = bytes.size() - sizeof(prof_model_footer);
  for (size_t offset : {offsetof(prof_model_footer, sections),
                        offsetof(prof_model_footer, directory_offset),
                        offsetof(prof_model_footer, library_bytes)}) {
    std::string changed = bytes;
    std::fill_n(changed.begin() + long(end + offset), sizeof(uint64_t), '\xff');
    EXPECT_NE(read(changed).find("is damaged"), std::string::npos) << offset;
  }
}

} // namespace
