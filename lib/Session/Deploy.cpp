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

namespace {
/// The package of one target.
struct Package {
  std::string targetName;
  std::vector<PackageFile> files;
};
} // namespace

static Expected<Package> pack(const DeployedModel &model,
                              ArrayRef<Container> containers,
                              std::vector<SizeRow> &rows) {
  Package package{model.targetName, {}};
  for (const Container &container : containers) {
    auto files = container.pack(model);
    if (!files)
      return files.takeError();
    SizeRow row{model.targetName, container.name.str(), addSizes(model),
                model.arenaBytes};
    for (const PackageFile &file : *files)
      row.fileBytes += file.bytes.size();
    rows.push_back(std::move(row));
    llvm::move(*files, std::back_inserter(package.files));
  }
  append_range(package.files, model.files);
  package.files.push_back({model.name + ".h", writeHeader(model)});
  package.files.push_back({"sizes.json", writeSizes(model)});
  return std::move(package);
}

static Error writePackages(ArrayRef<Package> packages, StringRef folder) {
  for (const Package &package : packages) {
    SmallString<128> place(folder);
    if (packages.size() > 1)
      sys::path::append(place, package.targetName);
    for (const PackageFile &file : package.files)
      if (Error error = writeFile(place, file))
        return error;
  }
  return Error::success();
}

Expected<std::vector<SizeRow>>
mlirprof::deployFile(StringRef path, const DeployOptions &options,
                     std::optional<StringRef> folder) {
  auto built = readInput(path);
  if (!built)
    return built.takeError();
  std::vector<SizeRow> rows;
  std::vector<Package> packages;
  for (const auto &[name, target] : options.targets) {
    compile::CompileOptions compile = options.compile;
    compile.target = target;
    auto model =
        deployInput(*built, path, options.name, name, compile, options.control);
    if (!model)
      return model.takeError();
    model->hasChecks = options.checks.value_or(model->hasChecks);
    auto package = pack(*model, options.containers, rows);
    if (!package)
      return package.takeError();
    packages.push_back(std::move(*package));
  }
  if (folder)
    if (Error error = writePackages(packages, *folder))
      return std::move(error);
  return std::move(rows);
}
