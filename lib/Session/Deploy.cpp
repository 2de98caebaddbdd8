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

static Error writeFile(StringRef path, const PackageFile &file) {
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

/// Adds a row for what variants share, and for what each has beyond that.
static void addVariantRows(const DeployedModel &model,
                           const Container &container,
                           std::vector<SizeRow> &rows) {
  if (model.variants.empty())
    return;
  std::string name = container.name.str() + "/";
  rows.push_back({model.targetName, name + "shared", addSizes(model, "")});
  for (const DeployedVariant &variant : model.variants)
    rows.push_back({model.targetName, name + variant.name,
                    addSizes(model, variant.name), variant.arenaBytes});
}

/// Adds the files of the containers of `model`, and their sizes.
static Error addContainers(const DeployedModel &model,
                           ArrayRef<Container> containers, Package &package,
                           std::vector<SizeRow> &rows) {
  for (const Container &container : containers) {
    auto files = container.pack(model);
    if (!files)
      return files.takeError();
    SizeRow row{model.targetName, container.name.str(), addSizes(model),
                model.arenaBytes, model.firstState.size()};
    for (const PackageFile &file : *files)
      row.fileBytes += file.bytes.size();
    rows.push_back(std::move(row));
    addVariantRows(model, container, rows);
    llvm::move(*files, std::back_inserter(package.files));
  }
  return Error::success();
}

namespace {
/// Packages a model for one target.
class Packer {
public:
  Packer(BuiltModel &built, StringRef path, const DeployOptions &options,
         const DeployTarget &target, std::vector<SizeRow> &rows)
      : built(built), path(path), options(options), target(target), rows(rows) {
  }

  Expected<Package> pack();

private:
  Expected<DeployedModel> compile(bool isLoaded, codegen::CodeGoal goal);
  Expected<DeployedModel> compileWithinBudget(bool isLoaded);
  Error addCode(bool isLoaded);

  BuiltModel &built;
  StringRef path;
  const DeployOptions &options;
  const DeployTarget &target;
  std::vector<SizeRow> &rows;
  Package package;
  /// The code that is linked, the code that is loaded, or one for both.
  std::vector<DeployedModel> models;
};
} // namespace

Expected<DeployedModel> Packer::compile(bool isLoaded, codegen::CodeGoal goal) {
  compile::CompileOptions own = options.compile;
  own.target = target.target;
  own.target.isMovable = isLoaded;
  own.target.goal = goal;
  return deployInput(built, path, options.name, target.name, own,
                     options.control,
                     {target.variants, options.shapes, options.onNote});
}

/// The fastest code that the machine has memory for.
Expected<DeployedModel> Packer::compileWithinBudget(bool isLoaded) {
  for (codegen::CodeGoal goal = options.goal;;
       goal = codegen::CodeGoal(int(goal) + 1)) {
    auto model = compile(isLoaded, goal);
    if (!model)
      return model.takeError();
    Error error = checkBudget(*model, options.budget);
    if (!error)
      return std::move(*model);
    if (goal == codegen::CodeGoal::Size)
      return std::move(error);
    consumeError(std::move(error));
  }
}

/// Adds the containers that are loaded, or those that are not. Code that runs
/// at any address differs from other code for targets without a system only.
Error Packer::addCode(bool isLoaded) {
  std::vector<Container> containers;
  copy_if(options.containers, std::back_inserter(containers),
          [&](const Container &container) {
            return container.isLoaded == isLoaded;
          });
  if (containers.empty())
    return Error::success();
  if (models.empty() || codegen::isBareMetal(target.target)) {
    auto compiled = compileWithinBudget(isLoaded);
    if (!compiled)
      return compiled.takeError();
    models.push_back(std::move(*compiled));
  }
  return addContainers(models.back(), containers, package, rows);
}

Expected<Package> Packer::pack() {
  package.targetName = target.name;
  for (bool isLoaded : {false, true})
    if (Error error = addCode(isLoaded))
      return std::move(error);
  DeployedModel &model = models.front();
  model.hasChecks = options.checks.value_or(model.hasChecks);
  auto isLoaded = [](const Container &container) { return container.isLoaded; };
  model.isLoaded = any_of(options.containers, isLoaded);
  model.isLinked = !all_of(options.containers, isLoaded);
  append_range(package.files, model.files);
  if (options.hostCode)
    for (const PackageFile &file : model.files)
      *options.hostCode << file.bytes;
  package.files.push_back({model.name + ".h", writeHeader(model)});
  if (model.isLinked && !model.regions.empty())
    package.files.push_back({model.name + ".ld", writeRegionScript(model)});
  package.files.push_back({"sizes.json", writeSizes(model)});
  return std::move(package);
}

/// The end of the name of a file that is a package.
static constexpr StringLiteral kModelFile = ".mpm";

static bool isModelFile(StringRef output) {
  return output.ends_with(kModelFile);
}

/// One file is one container for one target.
static Error checkModelFile(const DeployOptions &options, StringRef output) {
  bool isOne = options.targets.size() == 1 && options.containers.size() == 1 &&
               options.containers.front().isLoaded;
  if (!isModelFile(output) || isOne)
    return Error::success();
  return usageError("'-o " + output +
                    "' names a file, which needs --container=embedded alone "
                    "and one target");
}

Error mlirprof::writePackage(ArrayRef<PackageFile> files, StringRef folder) {
  if (std::error_code error = sys::fs::create_directories(folder))
    return inputError(folder, "cannot be created: " + error.message());
  for (const PackageFile &file : files) {
    SmallString<128> path(folder);
    sys::path::append(path, file.name);
    if (Error error = writeFile(path, file))
      return error;
  }
  return Error::success();
}

static Error writePackages(ArrayRef<Package> packages, StringRef output) {
  if (isModelFile(output))
    return writeFile(output, packages.front().files.front());
  for (const Package &package : packages) {
    SmallString<128> folder(output);
    if (packages.size() > 1)
      sys::path::append(folder, package.targetName);
    if (Error error = writePackage(package.files, folder))
      return error;
  }
  return Error::success();
}

Expected<std::vector<SizeRow>>
mlirprof::deployFile(StringRef path, const DeployOptions &options,
                     std::optional<StringRef> output) {
  if (output)
    if (Error error = checkModelFile(options, *output))
      return std::move(error);
  auto built = readInput(path);
  if (!built)
    return built.takeError();
  std::vector<SizeRow> rows;
  std::vector<Package> packages;
  for (const DeployTarget &target : options.targets) {
    auto package = Packer(*built, path, options, target, rows).pack();
    if (!package)
      return package.takeError();
    packages.push_back(std::move(*package));
  }
  if (output)
    if (Error error = writePackages(packages, *output))
      return std::move(error);
  return std::move(rows);
}
