//===- GenerateTest.cpp - Tests of the generation of machine code ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Compile/Backend/Generate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using namespace mlirprof::compile;

namespace {

constexpr llvm::StringLiteral kModule = R"(
declare void @kernel(ptr, i64)

define void @list(ptr %arena, i64 %size) {
  %slots = alloca [2 x ptr]
  %place = getelementptr i8, ptr %arena, i64 64
  store ptr %place, ptr %slots
  call void @kernel(ptr %slots, i64 %size)
  call void @kernel(ptr %slots, i64 1)
  ret void
}

define { ptr, i64 } @branches(ptr %arena, i1 %is_first) {
  br i1 %is_first, label %first, label %second
first:
  call void @kernel(ptr %arena, i64 1)
  br label %second
second:
  %some = insertvalue { ptr, i64 } poison, ptr %arena, 0
  %all = insertvalue { ptr, i64 } %some, i64 2, 1
  ret { ptr, i64 } %all
}

define void @loop(ptr %arena) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  call void @kernel(ptr %arena, i64 %i)
  %next = add i64 %i, 1
  %ends = icmp eq i64 %next, 10
  br i1 %ends, label %end, label %body
end:
  ret void
}

define float @number(ptr %place) {
  %number = load float, ptr %place
  ret float %number
}

define void @vector(ptr %place) {
  %vector = load <4 x i32>, ptr %place
  store <4 x i32> %vector, ptr %place
  ret void
}
)";

class GenerateTest : public testing::Test {
protected:
  GenerateTest() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::SMDiagnostic problem;
    module = llvm::parseAssemblyString(kModule, problem, context);
    EXPECT_TRUE(module) << problem.getMessage().str();
    llvm::Triple triple(llvm::sys::getProcessTriple());
    std::string message;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, message);
    machine.reset(target->createTargetMachine(
        triple, "", "", {}, llvm::Reloc::PIC_, std::nullopt,
        llvm::CodeGenOptLevel::Aggressive));
    module->setTargetTriple(triple);
    module->setDataLayout(machine->createDataLayout());
  }

  bool isList(llvm::StringRef name) {
    return isListOfCalls(*module->getFunction(name));
  }
  void erase(llvm::StringRef name) {
    module->getFunction(name)->eraseFromParent();
  }
  bool isOptimized(llvm::StringRef name) {
    return !module->getFunction(name)->hasOptNone();
  }
  /// Lets @list have `count` more calls.
  void addCalls(unsigned count) {
    llvm::BasicBlock &block = module->getFunction("list")->front();
    auto first = llvm::find_if(block, llvm::IsaPred<llvm::CallInst>);
    for (unsigned i = 0; i != count; ++i)
      first->clone()->insertBefore(block.getTerminator()->getIterator());
  }
  void generate(bool callsKernels) {
    BackendOptions options;
    options.callsKernels = callsKernels;
    llvm::SmallString<0> object;
    llvm::raw_svector_ostream os(object);
    EXPECT_TRUE(generateCode(*module, *machine, options, os));
    EXPECT_FALSE(object.empty());
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
};

TEST_F(GenerateTest, ListsOfCallsHaveNeitherLoopsNorNumbersToComputeWith) {
  EXPECT_TRUE(isList("list"));
  EXPECT_TRUE(isList("branches"));
  EXPECT_FALSE(isList("loop"));
  EXPECT_FALSE(isList("number"));
  EXPECT_FALSE(isList("vector"));
}

TEST_F(GenerateTest, OnlyListsAmongOtherFunctionsAreLeftAsTheyAre) {
  addCalls(500);
  generate(/*callsKernels=*/true);
  EXPECT_FALSE(isOptimized("list"));
  EXPECT_FALSE(isOptimized("branches"));
  EXPECT_TRUE(isOptimized("loop"));
  EXPECT_TRUE(isOptimized("number"));
  EXPECT_TRUE(isOptimized("vector"));
}

TEST_F(GenerateTest, ShortListsAreOptimized) {
  addCalls(100);
  generate(/*callsKernels=*/true);
  EXPECT_TRUE(isOptimized("list"));
}

TEST_F(GenerateTest, AModuleIsALongListIfItHasNothingElse) {
  addCalls(500);
  EXPECT_FALSE(isLongList(*module));
  for (llvm::StringRef name : {"loop", "number", "vector"})
    erase(name);
  EXPECT_TRUE(isLongList(*module));
}

TEST_F(GenerateTest, AModuleOfFewCallsIsNotALongList) {
  for (llvm::StringRef name : {"loop", "number", "vector"})
    erase(name);
  addCalls(100);
  EXPECT_FALSE(isLongList(*module));
}

TEST_F(GenerateTest, KernelsAreOptimized) {
  addCalls(500);
  generate(/*callsKernels=*/false);
  EXPECT_TRUE(isOptimized("list"));
}

TEST_F(GenerateTest, TheMachineStaysAsItIs) {
  for (llvm::StringRef name : {"loop", "number", "vector"})
    erase(name);
  addCalls(500);
  generate(/*callsKernels=*/true);
  EXPECT_EQ(machine->getOptLevel(), llvm::CodeGenOptLevel::Aggressive);
  EXPECT_FALSE(machine->Options.EnableFastISel);
  EXPECT_FALSE(machine->Options.EnableGlobalISel);
}

} // namespace
