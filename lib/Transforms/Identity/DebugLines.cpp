//===- DebugLines.cpp - Identities as debug lines -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// Dialects that are translated to LLVM IR together with its own.
static bool isTranslated(StringRef dialect) {
  constexpr StringLiteral kOthers[] = {"llvm", "omp",   "acc",  "amx",
                                       "nvvm", "rocdl", "vcix", "xevm"};
  return llvm::is_contained(kOthers, dialect) || dialect.starts_with("arm_") ||
         dialect.starts_with("x86");
}

/// Emits an error at the first op in a function that is not lowered.
static LogicalResult checkLowered(ModuleOp module) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([](Operation *op) {
    bool isForeign =
        isa<FunctionOpInterface>(op)
            ? !isa<LLVM::LLVMFuncOp>(op)
            : prof::needsIdentity(op) &&
                  !isTranslated(op->getName().getDialectNamespace());
    if (!isForeign)
      return WalkResult::advance();
    InFlightDiagnostic error = op->emitError()
                               << "'" << op->getName()
                               << "' is not of the LLVM dialect";
    error.attachNote() << "hint: debug lines are set at the end of a pipeline, "
                          "after convert-to-llvm and "
                          "reconcile-unrealized-casts";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {

class LineWriter {
public:
  LineWriter(MLIRContext *context, StringRef folder)
      : context(context), name(StringAttr::get(context, kLinesFile)),
        file(LLVM::DIFileAttr::get(context, kLinesFile, folder)),
        unit(LLVM::DICompileUnitAttr::get(
            DistinctAttr::create(UnitAttr::get(context)),
            llvm::dwarf::DW_LANG_C, file, StringAttr::get(context, "mlir-prof"),
            /*isOptimized=*/true, LLVM::DIEmissionKind::LineTablesOnly)),
        type(LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal,
                                             {})) {}

  void write(LLVM::LLVMFuncOp function);

private:
  uint32_t getLine(Location location) {
    prof::Identities identities = table.get(location);
    return identities.owners.empty() ? 0 : identities.owners.front() + 1;
  }
  /// Line 0 means compiler-generated code. Calls must have some line.
  Location makeLine(uint32_t line) {
    return FileLineColLoc::get(name, line, /*column=*/0);
  }
  Location makeScope(LLVM::LLVMFuncOp function, uint32_t line);

  MLIRContext *context;
  StringAttr name;
  LLVM::DIFileAttr file;
  LLVM::DICompileUnitAttr unit;
  LLVM::DISubroutineTypeAttr type;
  prof::IdentityTable table;
};

} // namespace

Location LineWriter::makeScope(LLVM::LLVMFuncOp function, uint32_t line) {
  auto flags =
      LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized;
  StringAttr symbol = function.getSymNameAttr();
  auto scope = LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit, file, symbol,
      symbol, file, line, line, flags, type, /*retainedNodes=*/{},
      /*annotations=*/{});
  return FusedLoc::get(context, {makeLine(line)}, scope);
}

void LineWriter::write(LLVM::LLVMFuncOp function) {
  SmallVector<Operation *> records;
  function->walk([&](Operation *op) {
    // They refer to variables of scopes that are about to be removed.
    if (isa<LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp>(op))
      records.push_back(op);
    if (op != function)
      op->setLoc(makeLine(getLine(op->getLoc())));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(UnknownLoc::get(context));
  });
  for (Operation *record : records)
    record->erase();
  function->setLoc(function.isExternal()
                       ? Location(UnknownLoc::get(context))
                       : makeScope(function, getLine(function.getLoc())));
}

LogicalResult transforms::setDebugLines(ModuleOp module,
                                        StringRef fingerprint) {
  if (failed(checkLowered(module)))
    return failure();
  LineWriter writer(module.getContext(), fingerprint);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
      writer.write(function);
    else
      // Attributes that other producers leave here would stop the translation.
      op.walk([](Operation *inner) {
        inner->setLoc(UnknownLoc::get(inner->getContext()));
      });
  }
  return success();
}
