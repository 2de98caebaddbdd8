//===- ProbeTranslationTest.cpp - Probes that were not lowered ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Instrument.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

namespace {

constexpr llvm::StringLiteral kModule = R"(
llvm.func @first() {
  %0 = prof.begin 0
  %1 = prof.begin 1
  prof.end 1, %1
  prof.end 0, %0
  llvm.return
}
llvm.func @second(%v: i64) {
  prof.value 0(%v) : i64
  llvm.return
}
)";

TEST(ProbeTranslation, DropsThemWithOneWarning) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerProbeTranslation(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages.push_back(diagnostic.str());
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kModule, &context);
  ASSERT_TRUE(module);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> made =
      translateModuleToLLVMIR(*module, llvmContext);
  ASSERT_TRUE(made);
  // Only the returns.
  for (const char *name : {"first", "second"})
    EXPECT_EQ(made->getFunction(name)->getInstructionCount(), 1u) << name;
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], "prof-lower-probes: dropped 2 probes and 1 recorded "
                         "values; they will not be measured");
}

} // namespace
