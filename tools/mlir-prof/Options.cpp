//===- Options.cpp - Command line of a verb -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Formats.h"
#include "Stop.h"
#include "Suggestions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlirprof;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "Opts.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Opts.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

#define OPTTABLE_SUBCOMMAND_IDS_TABLE_CODE
#include "Opts.inc"
#undef OPTTABLE_SUBCOMMAND_IDS_TABLE_CODE

#define OPTTABLE_SUBCOMMANDS_CODE
#include "Opts.inc"
#undef OPTTABLE_SUBCOMMANDS_CODE

static constexpr OptTable::Info kInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Opts.inc"
#undef OPTION
};

namespace {
class ToolOptTable : public GenericOptTable {
public:
  ToolOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, kInfos,
                        /*IgnoreCase=*/false, OptionSubCommands,
                        OptionSubCommandIDsTable) {
    setDashDashParsing(true);
  }
};
} // namespace

const OptTable &mlirprof::getOptTable() {
  static const ToolOptTable table;
  return table;
}

char GateError::ID = 0;
char StopError::ID = 0;

llvm::Error mlirprof::gateError(const llvm::Twine &message) {
  return llvm::make_error<GateError>(message.str());
}

llvm::Error mlirprof::asStopError(llvm::Error error) {
  return llvm::make_error<StopError>(llvm::toString(std::move(error)));
}

llvm::Error mlirprof::asUsageError(llvm::Error error) {
  return usageError(llvm::toString(std::move(error)));
}

llvm::Expected<InputArgList>
mlirprof::parseOptions(llvm::StringRef verb,
                       llvm::ArrayRef<const char *> arguments) {
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList parsed =
      getOptTable().ParseArgs(arguments, missingIndex, missingCount);
  if (missingCount)
    return usageError(llvm::Twine("option '") +
                      parsed.getArgString(missingIndex) + "' needs a value");
  for (const Arg *argument : parsed) {
    const Option &option = argument->getOption();
    if (option.getID() == OPT_INPUT)
      continue;
    std::string text = argument->getAsString(parsed);
    if (option.getID() == OPT_UNKNOWN || !option.isRegisteredSC(verb))
      return unknownOption(verb, text);
  }
  return std::move(parsed);
}

static void printVerbHelp(const OptTable::SubCommand &command,
                          llvm::raw_ostream &os) {
  std::string help;
  llvm::raw_string_ostream text(help);
  llvm::StringRef verb = command.Name;
  getOptTable().printHelp(
      text, command.Usage, ("mlir-prof " + verb).str().c_str(),
      /*ShowHidden=*/false, /*ShowAllAliases=*/false, Visibility(), verb);
  os << fillPlaceholders(help, verb);
}

void mlirprof::printHelp(llvm::StringRef verb, llvm::raw_ostream &os) {
  if (!verb.empty()) {
    for (const OptTable::SubCommand &command : OptionSubCommands)
      if (verb == command.Name)
        printVerbHelp(command, os);
    return;
  }
  os << "OVERVIEW: pins measured time to the MLIR ops that caused it.\n\n"
        "USAGE: mlir-prof VERB [arguments]\n\nVERBS:\n";
  for (const OptTable::SubCommand &command : OptionSubCommands)
    os << llvm::formatv("  {0,-10} {1}\n", command.Name, command.HelpText);
  os << "\n'mlir-prof VERB --help' prints the options of a verb; 'mlir-prof "
        "--version' prints "
        "the "
        "version;\n'mlir-prof --self-profile=FILE VERB' profiles mlir-prof "
        "itself.\nEXIT: 0 done, 1 bad input, 2 bad usage, 3 a check failed,\n"
        "      130 stopped by Ctrl-C or SIGTERM; what was measured is kept.\n";
}

llvm::Expected<std::optional<uint64_t>>
mlirprof::getNumber(const InputArgList &arguments, OptionId id,
                    uint64_t minimum) {
  const Arg *argument = arguments.getLastArg(id);
  if (!argument)
    return std::nullopt;
  uint64_t value = 0;
  if (llvm::StringRef(argument->getValue()).getAsInteger(10, value) ||
      value < minimum)
    return usageError("'" + argument->getAsString(arguments) +
                      "' needs a whole number of at least " +
                      llvm::Twine(minimum));
  return value;
}

llvm::Expected<std::optional<double>>
mlirprof::getDecimal(const InputArgList &arguments, OptionId id) {
  const Arg *argument = arguments.getLastArg(id);
  if (!argument)
    return std::nullopt;
  double value = 0;
  if (llvm::StringRef(argument->getValue()).getAsDouble(value) ||
      !std::isfinite(value) || value < 0)
    return usageError("'" + argument->getAsString(arguments) +
                      "' needs a number of at least 0");
  return value;
}

llvm::Expected<unsigned>
mlirprof::getChoice(const InputArgList &arguments, OptionId id,
                    llvm::ArrayRef<llvm::StringRef> choices) {
  const Arg *argument = arguments.getLastArg(id);
  if (!argument)
    return 0;
  const auto *it = llvm::find(choices, argument->getValue());
  if (it == choices.end())
    return usageError("'" + argument->getAsString(arguments) +
                      "' must be one of " + llvm::join(choices, ", "));
  return it - choices.begin();
}

llvm::Expected<llvm::StringRef>
mlirprof::getOneInput(const InputArgList &arguments, llvm::StringRef what) {
  std::vector<std::string> inputs = arguments.getAllArgValues(OPT_INPUT);
  if (inputs.size() != 1)
    return usageError(
        llvm::formatv("needs exactly one {0}, got {1}", what, inputs.size())
            .str());
  return llvm::StringRef(arguments.getLastArg(OPT_INPUT)->getValue());
}
