//===- Deploy.cpp - mlir-prof deploy --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Deploy.h"
#include "Formats.h"
#include "PackageName.h"
#include "RecordOptions.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Deploy/Targets.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::deploy;
using llvm::opt::InputArgList;

/// Adds each variant to the targets that can have it.
static llvm::Error getVariants(const InputArgList &arguments,
                               const TargetChanges &changes,
                               DeployOptions &options) {
  if (!arguments.hasArg(OPT_variants_EQ))
    return llvm::Error::success();
  if (!changes.cpu.empty())
    return usageError("--variants and --cpu exclude each other");
  for (llvm::StringRef name :
       llvm::split(arguments.getLastArgValue(OPT_variants_EQ), ',')) {
    bool isUsed = false;
    for (DeployTarget &target : options.targets) {
      auto variant = deploy::getVariant(target.name, name, changes);
      if (!variant)
        return variant.takeError();
      if (!*variant)
        continue;
      if (llvm::any_of(target.variants, [&](const Variant &other) {
            return other.name == name;
          }))
        return usageError("'--variants' has '" + name + "' twice");
      isUsed = true;
      target.variants.push_back(std::move(**variant));
    }
    if (!isUsed)
      return usageError(
          "'--variants=" + name +
          "' is neither a processor nor a feature of a target that has "
          "variants, which are those of Linux on x86-64 and AArch64");
  }
  return llvm::Error::success();
}

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
    options.targets.push_back({name.str(), std::move(*target), {}});
  }
  return getVariants(arguments, changes, options);
}

static llvm::Error getContainers(const InputArgList &arguments,
                                 DeployOptions &options) {
  llvm::SmallVector<llvm::StringRef> names;
  arguments
      .getLastArgValue(OPT_container_EQ, deploy::getContainers().front().name)
      .split(names, ',');
  for (llvm::StringRef name : names) {
    const auto *found =
        llvm::find_if(deploy::getContainers(), [&](const Container &container) {
          return container.name == name;
        });
    if (found == deploy::getContainers().end())
      return usageError("'--container=" + name + "' is not one of " +
                        llvm::join(llvm::map_range(deploy::getContainers(),
                                                   [](const Container &known) {
                                                     return known.name;
                                                   }),
                                   ", "));
    options.containers.push_back(*found);
  }
  return llvm::Error::success();
}

static llvm::Error getChecks(const InputArgList &arguments,
                             std::optional<bool> &checks) {
  if (!arguments.hasArg(OPT_checks_EQ))
    return llvm::Error::success();
  auto choice = getChoice(arguments, OPT_checks_EQ, {"on", "off"});
  if (!choice)
    return choice.takeError();
  checks = *choice == 0;
  return llvm::Error::success();
}

static llvm::Error getControl(const InputArgList &arguments, Control &control) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const Control &known : getControls())
    names.push_back(known.name);
  bool isEmitted = arguments.hasArg(OPT_emit_EQ);
  if (isEmitted && arguments.hasArg(OPT_host_control_EQ))
    return usageError("--emit and --control exclude each other");
  auto choice = isEmitted ? getChoice(arguments, OPT_emit_EQ, {"c"})
                          : getChoice(arguments, OPT_host_control_EQ, names);
  if (!choice)
    return choice.takeError();
  const auto *found = &getControls()[*choice];
  if (isEmitted)
    found = llvm::find_if(
        getControls(), [](const Control &known) { return known.name == "c"; });
  control = *found;
  return llvm::Error::success();
}

static llvm::Error getBudget(const InputArgList &arguments,
                             DeployOptions &options) {
  using codegen::CodeGoal;
  llvm::SmallVector<llvm::StringRef> names;
  for (CodeGoal goal : {CodeGoal::Speed, CodeGoal::Balance, CodeGoal::Size})
    names.push_back(deploy::getName(goal));
  auto goal = getChoice(arguments, OPT_optimize_for_EQ, names);
  auto flash = getNumber(arguments, OPT_max_flash_EQ, 1);
  auto ram = getNumber(arguments, OPT_max_ram_EQ, 0);
  if (!goal || !flash || !ram)
    return llvm::joinErrors(
        goal.takeError(), llvm::joinErrors(flash.takeError(), ram.takeError()));
  options.goal = CodeGoal(*goal);
  options.budget = {*flash, *ram};
  return llvm::Error::success();
}

/// "8" or "1..8".
static bool parseSize(llvm::StringRef text, SizeRange &range) {
  auto [least, most] = text.split("..");
  if (least.getAsInteger(10, range.least) || range.least < 1)
    return false;
  range.most = range.least;
  if (!text.contains(".."))
    return true;
  return !most.getAsInteger(10, range.most) && range.most >= range.least;
}

static llvm::Error getShapes(const InputArgList &arguments,
                             std::vector<ArgumentShape> &shapes) {
  for (llvm::StringRef text : arguments.getAllArgValues(OPT_shape_EQ)) {
    ArgumentShape &shape = shapes.emplace_back();
    auto [name, sizes] = text.split('=');
    shape.name = text.contains('=') ? name.str() : "";
    for (llvm::StringRef size :
         llvm::split(text.contains('=') ? sizes : text, 'x'))
      if (!parseSize(size, shape.sizes.emplace_back()))
        return usageError("'--shape=" + text +
                          "' needs sizes or ranges, such as x=1..8x49");
  }
  return llvm::Error::success();
}

static llvm::Error getBitcode(const InputArgList &arguments,
                              DeployOptions &options) {
  options.compile.embedsBitcode = arguments.hasArg(OPT_bitcode);
  if (!options.compile.embedsBitcode ||
      llvm::any_of(options.containers, [](const Container &container) {
        return container.hasObjects;
      }))
    return llvm::Error::success();
  return usageError("--bitcode is for linkers of programs, which read "
                    "--container=static");
}

static llvm::Expected<DeployOptions>
getDeployOptions(const InputArgList &arguments) {
  DeployOptions options;
  if (llvm::Error error = getTargets(arguments, options))
    return std::move(error);
  if (llvm::Error error = getPackageName(arguments, options.name))
    return std::move(error);
  if (llvm::Error error = getContainers(arguments, options))
    return std::move(error);
  if (llvm::Error error = getChecks(arguments, options.checks))
    return std::move(error);
  if (llvm::Error error = getControl(arguments, options.control))
    return std::move(error);
  options.control.yields = arguments.hasArg(OPT_yield);
  if (llvm::Error error = getBudget(arguments, options))
    return std::move(error);
  auto code = getCodeOptions(arguments);
  if (!code)
    return code.takeError();
  options.compile = std::move(*code);
  if (llvm::Error error = getShapes(arguments, options.shapes))
    return std::move(error);
  if (llvm::Error error = getBitcode(arguments, options))
    return std::move(error);
  options.compile.places = arguments.getAllArgValues(OPT_place_EQ);
  return std::move(options);
}

/// One line for each target.
static void print(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os) {
  llvm::StringRef last;
  for (const SizeRow &row : rows) {
    if (row.target == last)
      continue;
    last = row.target;
    os << row.target << ": " << formatCount(row.sizes.code, "byte")
       << " of code, " << formatCount(row.sizes.constants, "byte")
       << " of constants, " << formatCount(row.arenaBytes, "byte")
       << " of memory\n";
  }
}

/// The form of the table, if one is wanted.
static llvm::Expected<const SizeTable *>
getTable(const InputArgList &arguments) {
  if (!arguments.hasArg(OPT_table_EQ))
    return nullptr;
  llvm::SmallVector<llvm::StringRef> names;
  for (const SizeTable &table : getSizeTables())
    names.push_back(table.name);
  auto choice = getChoice(arguments, OPT_table_EQ, names);
  if (!choice)
    return choice.takeError();
  return &getSizeTables()[*choice];
}

static llvm::Error run(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "model");
  if (!path)
    return path.takeError();
  auto table = getTable(arguments);
  if (!table)
    return table.takeError();
  std::optional<llvm::StringRef> folder;
  if (arguments.hasArg(OPT_output))
    folder = arguments.getLastArgValue(OPT_output);
  bool isPrinted = arguments.hasArg(OPT_emit_EQ) && !folder && !*table;
  if (folder ? folder->empty() || *folder == "-" : !*table && !isPrinted)
    return usageError("needs -o FOLDER for the package");
  auto options = getDeployOptions(arguments);
  if (!options)
    return options.takeError();
  std::set<std::string> told;
  // Each target and container has the same sizes.
  options->onNote = [&](llvm::StringRef text) {
    if (told.insert(text.str()).second)
      note(text);
  };
  std::string hostCode;
  llvm::raw_string_ostream hostStream(hostCode);
  if (isPrinted)
    options->hostCode = &hostStream;
  auto rows = deployFile(*path, *options, folder);
  if (!rows)
    return rows.takeError();
  return writeOutput("-", [&](llvm::raw_ostream &os) {
    if (*table)
      (*table)->write(*rows, os);
    else if (isPrinted)
      os << hostCode;
    else
      print(*rows, os);
    return llvm::Error::success();
  });
}

Verb verb::Deploy() { return {"deploy", run}; }
