//===- RunLoader.cpp - Loading a compiled model ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLoader.h"
#include "RunPool.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Record/Runner.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>
#include <dlfcn.h>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

/// Opens a library that the loader finds under the name, in the folders of this
/// program first, or one of LLVM's installation. Null if it does not exist.
static void *openLibrary(StringRef name) {
  int flags = RTLD_NOW | RTLD_GLOBAL;
  if (void *library = dlopen(name.str().c_str(), flags))
    return library;
  return dlopen((MLIRPROF_LLVM_LIBRARY_DIR "/" + name).str().c_str(), flags);
}

/// The variable in which the code of the loaded model stores the dispatch that
/// it runs.
static const volatile uint32_t *instanceSlot = nullptr;

uint32_t record::readInstanceSlot() {
  return instanceSlot ? *instanceSlot : kNoInstance;
}

namespace {
class Loader {
public:
  Loader(const CompiledModel &model,
         ArrayRef<std::pair<std::string, void *>> overrides)
      : model(model) {
    runpool::forEachFunction(
        [this](StringRef name, void *address) { known[name] = address; });
    for (const auto &[name, address] : overrides)
      known[name] = address;
  }

  Expected<LoadedModel> load();

private:
  Error readSymbols();
  Error openLibraries();
  void *find(StringRef name);
  void *placeConstant(const ExternalConstant &constant);
  Error bind();
  Expected<std::unique_ptr<orc::LLJIT>> createLinker();
  Error reset();
  Error findExecutorVariables();
  Error link();
  Error checkText();

  const CompiledModel &model;
  StringMap<void *> known;
  std::vector<std::string> undefined;
  /// Functions of the model that can be looked up, and their offsets.
  std::vector<std::pair<std::string, uint64_t>> functions;
  std::vector<void *> libraries;
  orc::SymbolMap symbols;
  std::unique_ptr<orc::LLJIT> jit;
  LoadedModel loaded;
};
} // namespace

Error Loader::readSymbols() {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(model.object, "the object"));
  if (!file)
    return file.takeError();
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint32_t> flags = symbol.getFlags();
    if (!name)
      return name.takeError();
    if (!flags)
      return flags.takeError();
    if (name->empty())
      continue;
    if (*flags & object::SymbolRef::SF_Undefined)
      undefined.push_back(name->str());
    else if ((*flags & object::SymbolRef::SF_Global) &&
             object::ELFSymbolRef(symbol).getELFType() == ELF::STT_FUNC)
      functions.emplace_back(name->str(), cantFail(symbol.getValue()));
  }
  return Error::success();
}

Error Loader::openLibraries() {
  if (model.usesOpenMP) {
    void *runtime = openLibrary("libomp.so");
    if (!runtime)
      return inputError("libomp.so", dlerror(),
                        "The model uses OpenMP: install LLVM's libomp, or "
                        "record with --threads=1.");
    libraries.push_back(runtime);
  }
  // Optional: only models that copy arrays need it.
  if (void *runner = openLibrary("libmlir_c_runner_utils.so"))
    libraries.push_back(runner);
  return Error::success();
}

void *Loader::find(StringRef name) {
  auto it = known.find(name);
  if (it != known.end())
    return it->second;
  for (void *library : libraries)
    if (void *address = dlsym(library, name.str().c_str()))
      return address;
  return dlsym(RTLD_DEFAULT, name.str().c_str());
}

/// Copies constants whose bytes are not aligned as the code expects.
void *Loader::placeConstant(const ExternalConstant &constant) {
  const char *bytes = constant.bytes.data();
  if (reinterpret_cast<uintptr_t>(bytes) % constant.alignment == 0)
    return const_cast<char *>(bytes);
  void *copy = runpool::allocate(constant.bytes.size(), constant.alignment);
  return std::memcpy(copy, bytes, constant.bytes.size());
}

Error Loader::bind() {
  StringMap<const ExternalConstant *> constants;
  for (const ExternalConstant &constant : model.constants)
    constants[constant.name] = &constant;
  for (const std::string &name : undefined) {
    void *address = nullptr;
    JITSymbolFlags flags = JITSymbolFlags::Exported;
    auto constant = constants.find(name);
    // The linker's symbol for the tables that it generates.
    if (name == "_GLOBAL_OFFSET_TABLE_")
      continue;
    if (constant != constants.end()) {
      address = placeConstant(*constant->second);
    } else {
      address = find(name);
      if (!address)
        return inputError("symbol " + name,
                          "the model calls it, and no loaded library has it",
                          "Declare functions of the model with a body, or "
                          "preload the library that has it (LD_PRELOAD).");
      flags |= JITSymbolFlags::Callable;
      loaded.bindings.emplace_back(name, address);
    }
    symbols[jit->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(static_cast<char *>(address)), flags};
  }
  return Error::success();
}

Expected<std::unique_ptr<orc::LLJIT>> Loader::createLinker() {
  InitializeNativeTarget();
  return orc::LLJITBuilder()
      // Without constructors, and without symbols other than those of bind().
      .setPlatformSetUp(orc::setUpInactivePlatform)
      .setLinkProcessSymbolsByDefault(false)
      .setObjectLinkingLayerCreator([](orc::ExecutionSession &session) {
        return std::make_unique<orc::ObjectLinkingLayer>(session);
      })
      .create();
}

/// The first values of the model's variables.
Error Loader::reset() {
  if (model.resetSymbol.empty())
    return Error::success();
  auto function = jit->lookup(model.resetSymbol);
  if (!function)
    return function.takeError();
  loaded.reset = function->toPtr<void (*)()>();
  loaded.reset();
  return Error::success();
}

Error Loader::findExecutorVariables() {
  auto variable = jit->lookup(codegen::kExecutorVariable);
  if (!variable)
    return variable.takeError();
  loaded.executorVariable = variable->toPtr<void **>();
  auto status = jit->lookup(codegen::kStatusVariable);
  if (!status)
    return status.takeError();
  loaded.status = status->toPtr<const int32_t *>();
  return Error::success();
}

Error Loader::link() {
  orc::JITDylib &library = jit->getMainJITDylib();
  if (!symbols.empty())
    if (Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
      return error;
  // A copy: the object's buffer must end with a null byte, and outlive this.
  auto buffer = MemoryBuffer::getMemBufferCopy(model.object, "the model");
  if (Error error = jit->addObjectFile(std::move(buffer)))
    return error;
  auto entry = jit->lookup(model.entrySymbol);
  if (!entry)
    return entry.takeError();
  loaded.entry = entry->toPtr<void (*)(void **)>();
  if (Error error = reset())
    return error;
  if (model.usesExecutor)
    return findExecutorVariables();
  if (model.program.instances.empty())
    return Error::success();
  auto slot = jit->lookup(codegen::kInstanceSlot);
  if (slot)
    instanceSlot = slot->toPtr<const uint32_t *>();
  else
    consumeError(slot.takeError());
  return Error::success();
}

/// Checks that the text in memory equals that in the object, on which the
/// recorder relies.
Error Loader::checkText() {
  bool isFirst = true;
  for (const auto &[name, offset] : functions) {
    auto address = jit->lookup(name);
    if (!address)
      return address.takeError();
    uint64_t begin = address->getValue() - offset;
    if (!isFirst && begin != loaded.textBegin)
      return inputError(name, "the linker has moved it within the code");
    loaded.textBegin = begin;
    isFirst = false;
  }
  return Error::success();
}

Expected<LoadedModel> Loader::load() {
  auto linker = createLinker();
  if (!linker)
    return linker.takeError();
  jit = std::move(*linker);
  if (Error error = openLibraries())
    return std::move(error);
  if (Error error = readSymbols())
    return std::move(error);
  if (Error error = bind())
    return std::move(error);
  if (Error error = link())
    return std::move(error);
  if (Error error = checkText())
    return std::move(error);
  loaded.linker = std::move(jit);
  return std::move(loaded);
}

Expected<LoadedModel>
record::loadModel(const CompiledModel &model,
                  ArrayRef<std::pair<std::string, void *>> overrides) {
  return Loader(model, overrides).load();
}
