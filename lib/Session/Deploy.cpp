//===- Deploy.cpp - Packaging a model for targets -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Deploy.h"
#include "mlir-prof/Session/Model.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

static Error writeFile(StringRef folder, const PackageFile &file) {
  if (std::error_code error = sys::fs::create_directories(folder))
    return inputError(folder, "cannot be created: " + error.message());
  SmallString<128> path(folder);
  sys::path::append(path, file.name);
  return writeOutput(path, [&](raw_ostream &os) {
    os << file.bytes;
    return Error::success();
  });
}

static Expected<std::vector<PackageFile>> pack(const DeployedModel &model,
                                               const Container &container) {
  auto files = container.pack(model);
  if (!files)
    return files.takeError();
  files->push_back({model.name + ".h", writeHeader(model)});
  files->push_back({"sizes.json", writeSizes(model)});
  return files;
}

Expected<std::vector<DeployedModel>>
mlirprof::deployFile(StringRef path, const DeployOptions &options,
                     StringRef folder) {
  auto built = readInput(path);
  if (!built)
    return built.takeError();
  std::vector<DeployedModel> models;
  std::vector<std::vector<PackageFile>> packages;
  for (const auto &[name, target] : options.targets) {
    compile::CompileOptions compile = options.compile;
    compile.target = target;
    auto model = deployInput(*built, path, options.name, name, compile);
    if (!model)
      return model.takeError();
    auto files = pack(*model, options.container);
    if (!files)
      return files.takeError();
    models.push_back(std::move(*model));
    packages.push_back(std::move(*files));
  }
  for (auto [model, files] : zip_equal(models, packages)) {
    SmallString<128> place(folder);
    if (models.size() > 1)
      sys::path::append(place, model.targetName);
    for (const PackageFile &file : files)
      if (Error error = writeFile(place, file))
        return std::move(error);
  }
  return std::move(models);
}
