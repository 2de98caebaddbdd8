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

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// Linux has the functions of mathematics there.
static constexpr StringLiteral kMathematics = "libm.so.6";

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
  auto library =
      compile::linkLibrary(objects, exported, {kMathematics}, *empty);
  if (!library)
    return library.takeError();
  std::vector<PackageFile> files;
  files.push_back({"lib" + model.name + ".so", std::move(*library)});
  return std::move(files);
}

Container container::Dynamic() {
  return {"dynamic", "a shared library, libNAME.so", pack};
}
