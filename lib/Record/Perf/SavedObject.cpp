//===- SavedObject.cpp - Objects with their program -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/SavedObject.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Compile/ConstantObject.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ObjectFile.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;

/// Leaves only what callers need, so that a program can link several objects
/// with equal kernels or constants.
static void hideOthers(const CompiledModel &model,
                       llvm::objcopy::CommonConfig &config) {
  auto keep = [&](llvm::StringRef name) {
    llvm::cantFail(config.SymbolsToKeepGlobal.addMatcher(
        llvm::objcopy::NameOrPattern::create(
            name, llvm::objcopy::MatchStyle::Literal,
            [](llvm::Error error) { return error; })));
  };
  keep(model.entrySymbol);
  if (model.usesExecutor) {
    keep(codegen::kExecutorVariable);
    keep(codegen::kStatusVariable);
  }
  if (model.resetSymbol.empty())
    return;
  keep(model.resetSymbol);
  keep(codegen::kStateSymbol);
}

llvm::Error record::writeObject(const CompiledModel &model,
                                llvm::raw_ostream &os) {
  auto bytes = addConstants(model);
  if (!bytes)
    return bytes.takeError();
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(*bytes, "model"));
  if (!object)
    return object.takeError();
  llvm::objcopy::ConfigManager config;
  hideOthers(model, config.Common);
  if (!model.program.levels.empty()) {
    Program program = model.program;
    program.fingerprint = fingerprintProgram(program);
    config.Common.AddSection.emplace_back(
        kProgramSection,
        llvm::MemoryBuffer::getMemBufferCopy(writeProgramSection(program)));
  }
  return llvm::objcopy::executeObjcopyOnBinary(config, **object, os);
}
