//===- EmbedProgram.cpp - The program in the object -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

static LLVM::GlobalOp createConstant(OpBuilder &builder, SymbolTable &symbols,
                                     Location location, StringRef bytes) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(
      builder, location, type, /*isConstant=*/true, LLVM::Linkage::Internal,
      "__mlirprof_program", builder.getStringAttr(bytes), /*alignment=*/1);
  global.setSection(kProgramSection);
  // Renames the global if the symbol exists already.
  symbols.insert(global);
  return global;
}

/// The values that `used` already lists, as the first ones of the longer array
/// `type`. The initializer is left without a terminator.
static Value getUsed(OpBuilder &builder, LLVM::GlobalOp used, Type type) {
  Block &block = used.getInitializerRegion().front();
  auto end = cast<LLVM::ReturnOp>(block.getTerminator());
  Value before = end.getArg();
  end.erase();
  builder.setInsertionPointToEnd(&block);
  Value all = LLVM::ZeroOp::create(builder, used.getLoc(), type);
  auto count = cast<LLVM::LLVMArrayType>(before.getType()).getNumElements();
  for (uint64_t i = 0; i != count; ++i) {
    Value one = LLVM::ExtractValueOp::create(builder, used.getLoc(), before,
                                             int64_t(i));
    all = LLVM::InsertValueOp::create(builder, used.getLoc(), all, one,
                                      int64_t(i));
  }
  return all;
}

/// Makes compilers and linkers keep `global`, which is not referenced.
static void keep(OpBuilder &builder, SymbolTable &symbols,
                 LLVM::GlobalOp global) {
  constexpr StringLiteral kName = "llvm.used";
  Location location = global.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto used = symbols.lookup<LLVM::GlobalOp>(kName);
  auto before =
      used ? dyn_cast<LLVM::LLVMArrayType>(used.getGlobalType()) : nullptr;
  uint64_t count = before ? before.getNumElements() : 0;
  auto type = LLVM::LLVMArrayType::get(pointer, count + 1);
  OpBuilder::InsertionGuard guard(builder);
  Value all;
  if (used) {
    all = getUsed(builder, used, type);
    used.setGlobalType(type);
  } else {
    used = LLVM::GlobalOp::create(builder, location, type, /*isConstant=*/false,
                                  LLVM::Linkage::Appending, kName, {});
    used.setSection("llvm.metadata");
    symbols.insert(used);
    builder.createBlock(&used.getInitializerRegion());
    all = LLVM::ZeroOp::create(builder, location, type);
  }
  Value address = LLVM::AddressOfOp::create(builder, location, global);
  all = LLVM::InsertValueOp::create(builder, location, all, address,
                                    int64_t(count));
  LLVM::ReturnOp::create(builder, location, all);
}

void transforms::embedProgram(ModuleOp module, const Program &program) {
  OpBuilder builder(module.getContext());
  SymbolTable symbols(module);
  LLVM::GlobalOp global =
      createConstant(builder, symbols, UnknownLoc::get(module.getContext()),
                     writeProgramSection(program));
  keep(builder, symbols, global);
}
