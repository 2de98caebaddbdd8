//===- Static.cpp - A library that is linked into a program ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Containers.h"
#include "llvm/Object/ArchiveWriter.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// The same bytes on every machine: without times and owners.
static Expected<std::vector<PackageFile>> pack(const DeployedModel &model) {
  std::vector<NewArchiveMember> members;
  std::vector<std::string> names;
  names.reserve(model.objects.size());
  for (const PackageObject &part : model.objects) {
    const std::string &name = names.emplace_back(part.name + ".o");
    members.emplace_back(MemoryBufferRef(part.object, name));
  }
  auto archive = writeArchiveToBuffer(members, SymtabWritingMode::NormalSymtab,
                                      object::Archive::K_GNU,
                                      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  std::vector<PackageFile> files;
  files.push_back({model.name + ".a", (*archive)->getBuffer().str()});
  return std::move(files);
}

Container container::Static() {
  return {"static", "a static library, NAME.a", pack, /*isLoaded=*/false,
          /*hasObjects=*/true};
}
