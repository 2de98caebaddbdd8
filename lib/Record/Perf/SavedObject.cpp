//===- SavedObject.cpp - Objects with their program -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/SavedObject.h"
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

llvm::Error record::writeObject(const CompiledModel &model,
                                llvm::raw_ostream &os) {
  if (model.program.levels.empty()) {
    os << model.object;
    return llvm::Error::success();
  }
  Program program = model.program;
  program.fingerprint = fingerprintProgram(program);
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(model.object, "model"));
  if (!object)
    return object.takeError();
  llvm::objcopy::ConfigManager config;
  config.Common.AddSection.emplace_back(
      kProgramSection,
      llvm::MemoryBuffer::getMemBufferCopy(writeProgramSection(program)));
  return llvm::objcopy::executeObjcopyOnBinary(config, **object, os);
}
