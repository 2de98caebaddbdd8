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
#include "mlir-prof/Transforms/Instrument.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

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

/// Where an object with probes in its kernels describes them to the runtime, as
/// an offset in `object`; none if it does not.
static llvm::Expected<std::optional<uint64_t>>
findDescription(const llvm::object::ObjectFile &object) {
  for (const llvm::object::SymbolRef &symbol : object.symbols()) {
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if (*name != transforms::kDescriptionSymbol)
      continue;
    auto section = symbol.getSection();
    auto value = symbol.getValue();
    if (!section || !value)
      return llvm::joinErrors(section.takeError(), value.takeError());
    if (*section == object.section_end())
      return std::nullopt;
    return llvm::object::ELFSectionRef(**section).getOffset() + *value;
  }
  return std::nullopt;
}

/// Puts `program` into the section that `bytes`, an object, reserves for it:
/// what the runtime writes can be imported without the profile of the build.
static llvm::Error describeProbes(const llvm::object::ObjectFile &object,
                                  const Program &program, std::string &bytes,
                                  llvm::objcopy::CommonConfig &config) {
  bool hasSection = llvm::any_of(
      object.sections(), [](const llvm::object::SectionRef &section) {
        auto name = section.getName();
        if (name)
          return *name == transforms::kMetadataSection;
        llvm::consumeError(name.takeError());
        return false;
      });
  if (!hasSection)
    return llvm::Error::success();
  auto description = findDescription(object);
  if (!description)
    return description.takeError();
  if (!*description)
    return llvm::Error::success();
  std::string text = serializeProgram(program);
  uint64_t place = **description + transforms::kMetadataSizeOffset;
  if (place > bytes.size() || bytes.size() - place < sizeof(uint64_t))
    return llvm::Error::success();
  llvm::support::endian::write64le(&bytes[place], text.size());
  config.UpdateSection.emplace_back(transforms::kMetadataSection,
                                    llvm::MemoryBuffer::getMemBufferCopy(text));
  return llvm::Error::success();
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
    if (llvm::Error error =
            describeProbes(**object, program, *bytes, config.Common))
      return error;
  }
  return llvm::objcopy::executeObjcopyOnBinary(config, **object, os);
}
