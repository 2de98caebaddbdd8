//===- Deploy.cpp - mlir-prof deploy --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Deploy.h"
#include "Formats.h"
#include "RecordOptions.h"
#include "Verbs.h"
#include "mlir-prof/Deploy/Targets.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::deploy;
using llvm::opt::InputArgList;

static llvm::Error getTargets(const InputArgList &arguments,
                              DeployOptions &options) {
  TargetChanges changes;
  changes.cpu = arguments.getLastArgValue(OPT_cpu_EQ);
  changes.features = arguments.getLastArgValue(OPT_features_EQ);
  changes.abi = arguments.getLastArgValue(OPT_abi_EQ);
  llvm::SmallVector<llvm::StringRef> names;
  arguments.getLastArgValue(OPT_target_EQ, deploy::getTargets().front().name)
      .split(names, ',');
  for (llvm::StringRef name : names) {
    auto target = deploy::getTarget(name, changes);
    if (!target)
      return target.takeError();
    options.targets.emplace_back(name.str(), std::move(*target));
  }
  return llvm::Error::success();
}

static llvm::Error getName(const InputArgList &arguments, std::string &name) {
  name = arguments.getLastArgValue(OPT_name_EQ, name).str();
  bool isGood =
      !name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isGood ? llvm::Error::success()
                : usageError("'--name=" + name +
                             "' is not an identifier of C, such as kws");
}

static llvm::Expected<DeployOptions>
getDeployOptions(const InputArgList &arguments) {
  DeployOptions options;
  if (llvm::Error error = getTargets(arguments, options))
    return std::move(error);
  if (llvm::Error error = getName(arguments, options.name))
    return std::move(error);
  llvm::SmallVector<llvm::StringRef> names;
  for (const Container &container : getContainers())
    names.push_back(container.name);
  auto container = getChoice(arguments, OPT_container_EQ, names);
  auto code = getCodeOptions(arguments);
  if (!container || !code)
    return llvm::joinErrors(container.takeError(), code.takeError());
  options.container = getContainers()[*container];
  options.compile = std::move(*code);
  return std::move(options);
}

static void print(const DeployedModel &model, llvm::raw_ostream &os) {
  uint64_t code = 0, constants = 0;
  for (const PackageObject &part : model.objects) {
    code += part.codeBytes;
    constants += part.constantBytes;
  }
  os << model.targetName << ": " << formatCount(code, "byte") << " of code, "
     << formatCount(constants, "byte") << " of constants, "
     << formatCount(model.arenaBytes, "byte") << " of memory\n";
}

static llvm::Error run(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "model");
  if (!path)
    return path.takeError();
  llvm::StringRef folder = arguments.getLastArgValue(OPT_output);
  if (folder.empty() || folder == "-")
    return usageError("needs -o FOLDER for the package");
  auto options = getDeployOptions(arguments);
  if (!options)
    return options.takeError();
  auto models = deployFile(*path, *options, folder);
  if (!models)
    return models.takeError();
  return writeOutput("-", [&](llvm::raw_ostream &os) {
    for (const DeployedModel &model : *models)
      print(model, os);
    return llvm::Error::success();
  });
}

Verb verb::Deploy() { return {"deploy", run}; }
