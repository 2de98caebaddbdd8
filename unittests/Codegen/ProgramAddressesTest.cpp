//===- ProgramAddressesTest.cpp - Arrays and functions of programs --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/ProgramAddresses.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof::codegen;

namespace {

class ProgramAddressesTest : public ::testing::Test {
protected:
  ProgramAddressesTest() { context.loadDialect<LLVM::LLVMDialect>(); }

  /// A module with a kernel, and with `global` of `count` addresses.
  OwningOpRef<ModuleOp> parse(size_t count, const std::string &attributes) {
    std::string text =
        llvm::formatv("llvm.func @kernel(!llvm.ptr, !llvm.ptr, i32, i32, i32)\n"
                      "llvm.mlir.global internal constant @array() {{{0}} : "
                      "!llvm.array<{1} x ptr>\n",
                      attributes, count);
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// The symbols in the initializer `value` of a global, in order.
  static void listSymbols(Value value, std::vector<std::string> &symbols) {
    auto insert = value.getDefiningOp<LLVM::InsertValueOp>();
    if (!insert)
      return;
    listSymbols(insert.getContainer(), symbols);
    if (auto address = insert.getValue().getDefiningOp<LLVM::AddressOfOp>())
      symbols.push_back(address.getGlobalName().str());
    else
      listSymbols(insert.getValue(), symbols);
  }

  MLIRContext context;
};

/// Attributes of an array of `count` functions, each at a line of its own.
std::string makeThunks(size_t count) {
  std::vector<std::string> names, kernels, places;
  for (size_t i = 0; i != count; ++i) {
    names.push_back(llvm::formatv("\"call_{0}\"", i));
    kernels.push_back("\"kernel\"");
    places.push_back(llvm::formatv("loc(\"model\":{0}:1)", i + 1));
  }
  return llvm::formatv("mlirprof.addresses = [{0}], mlirprof.thunk_kernels = "
                       "[{1}], mlirprof.thunk_places = [{2}]",
                       llvm::join(names, ", "), llvm::join(kernels, ", "),
                       llvm::join(places, ", "));
}

TEST_F(ProgramAddressesTest, DefinesFunctionsAtTheirPlaces) {
  // A long array consists of short ones, of which the last is filled.
  for (size_t count : {1, 64, 66}) {
    OwningOpRef<ModuleOp> module = parse(count, makeThunks(count));
    ASSERT_TRUE(module);
    ASSERT_TRUE(succeeded(defineProgramAddresses(*module)));
    ASSERT_TRUE(succeeded(verify(*module)));
    auto array = module->lookupSymbol<LLVM::GlobalOp>("array");
    EXPECT_TRUE(array->getDiscardableAttrDictionary().empty());
    std::vector<std::string> symbols;
    listSymbols(array.getInitializerBlock()->getTerminator()->getOperand(0),
                symbols);
    ASSERT_EQ(symbols.size(), count);
    for (size_t i = 0; i != count; ++i) {
      EXPECT_EQ(symbols[i], "call_" + std::to_string(i));
      auto thunk = module->lookupSymbol<LLVM::LLVMFuncOp>(symbols[i]);
      ASSERT_TRUE(thunk);
      EXPECT_EQ(cast<FileLineColLoc>(thunk.getLoc()).getLine(), i + 1);
      auto call = dyn_cast<LLVM::CallOp>(thunk.getBody().front().front());
      ASSERT_TRUE(call);
      EXPECT_EQ(call.getCallee(), "kernel");
      // A tail call would leave no return address.
      EXPECT_EQ(call.getTailCallKind(),
                LLVM::tailcallkind::TailCallKind::NoTail);
      EXPECT_EQ(call.getLoc(), thunk.getLoc());
    }
    unsigned depth = isa<LLVM::LLVMArrayType>(
        cast<LLVM::LLVMArrayType>(array.getGlobalType()).getElementType());
    EXPECT_EQ(depth, count > 64 ? 1u : 0u);
  }
}

TEST_F(ProgramAddressesTest, LeavesNullsBetweenConstants) {
  OwningOpRef<ModuleOp> module =
      parse(3, "mlirprof.addresses = [\"\", \"kernel\", \"\"]");
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(defineProgramAddresses(*module)));
  auto array = module->lookupSymbol<LLVM::GlobalOp>("array");
  auto insert = array.getInitializerBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<LLVM::InsertValueOp>();
  ASSERT_TRUE(insert);
  EXPECT_EQ(insert.getPosition(), ArrayRef<int64_t>({1}));
  EXPECT_TRUE(isa<LLVM::ZeroOp>(insert.getContainer().getDefiningOp()));
}

TEST_F(ProgramAddressesTest, RefusesAnArrayWithoutAllKernels) {
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    EXPECT_NE(diagnostic.str().find("does not have a kernel and a location"),
              std::string::npos);
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parse(2, "mlirprof.addresses = [\"a\", \"b\"], mlirprof.thunk_kernels "
               "= [\"kernel\"], mlirprof.thunk_places = [loc(unknown)]");
  ASSERT_TRUE(module);
  EXPECT_TRUE(failed(defineProgramAddresses(*module)));
}

} // namespace
