//===- Dynamic.cpp - A library that the system loads ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Containers.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// The library with the functions of mathematics.
static StringRef getMathematics(const codegen::TargetModel &target) {
  return Triple(target.triple).isAndroid() ? "libm.so" : "libm.so.6";
}

/// Adds the names of the symbols of `object`, by whether it defines them.
static Error addSymbols(StringRef object, StringSet<> &defined,
                        StringSet<> &needed) {
  auto file =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(object, ""));
  if (!file)
    return file.takeError();
  for (object::SymbolRef symbol : (*file)->symbols()) {
    auto name = symbol.getName();
    auto flags = symbol.getFlags();
    if (!name || !flags)
      return joinErrors(name.takeError(), flags.takeError());
    bool isNeeded = *flags & object::SymbolRef::SF_Undefined;
    if (!name->empty())
      (isNeeded ? needed : defined).insert(*name);
  }
  return Error::success();
}

/// The libraries with what `model` does not have itself. Every process has the
/// functions of memory.
static Expected<std::vector<StringRef>>
getLibraries(const DeployedModel &model) {
  StringSet<> defined, needed;
  defined.insert_range(ArrayRef<StringRef>{"memcpy", "memmove", "memset"});
  for (const PackageObject &part : model.objects)
    if (Error error = addSymbols(part.object, defined, needed))
      return std::move(error);
  bool isWhole = all_of(needed, [&](const auto &entry) {
    return defined.contains(entry.getKey());
  });
  return isWhole ? std::vector<StringRef>()
                 : std::vector<StringRef>{getMathematics(model.target)};
}

static Expected<std::vector<PackageFile>> pack(const DeployedModel &model) {
  if (codegen::isBareMetal(model.target))
    return usageError("'--container=dynamic' needs a target with an operating "
                      "system, which " +
                      model.targetName + " does not have");
  if (model.needsInterpreter)
    return usageError("'--container=dynamic' does not go with '--control=" +
                      model.controlName +
                      "', whose interpreter it does not have");
  std::vector<StringRef> objects;
  for (const PackageObject &part : model.objects)
    objects.push_back(part.object);
  compile::BackendOptions backend;
  backend.target = model.target;
  auto empty = compile::emitData({}, backend);
  if (!empty)
    return empty.takeError();
  std::vector<StringRef> exported(model.exported.begin(), model.exported.end());
  auto needed = getLibraries(model);
  if (!needed)
    return needed.takeError();
  auto library = compile::linkLibrary(objects, exported, *needed, *empty);
  if (!library)
    return library.takeError();
  std::vector<PackageFile> files;
  files.push_back({"lib" + model.name + ".so", std::move(*library)});
  return std::move(files);
}

Container container::Dynamic() {
  return {"dynamic", "a shared library, libNAME.so", pack};
}
