//===- Options.h - Command line of a verb -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_OPTIONS_H
#define MLIR_PROF_TOOLS_OPTIONS_H

#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace mlirprof {

/// Identifiers of the options in Opts.td.
enum OptionId : unsigned {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Opts.inc"
#undef OPTION
};

/// How the file that the value of an option names is accessed; the bits after
/// those of llvm::opt::OptionFlag. Without any, the value is not a file.
enum OptionFileFlag : unsigned {
  ReadsFile = 1 << 4,
  WritesFile = 1 << 5,
  /// Files in the folder, whose names are determined later.
  ReadsFolder = 1 << 6,
  WritesFolder = 1 << 7,
  /// [NAME=]FILE, or a way to generate the array.
  ReadsArray = 1 << 8,
  /// FILE.mlir, or a pipeline.
  ReadsSchedule = 1 << 9,
  /// For the verb optimize only, which also reads it.
  OptimizeWritesFile = 1 << 10,
  DeployWritesFolder = 1 << 11,
};

/// A check requested by the user failed; the tool exits with 3.
class GateError : public llvm::ErrorInfo<GateError> {
public:
  static char ID;
  explicit GateError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::result_out_of_range);
  }

private:
  std::string message;
};
llvm::Error gateError(const llvm::Twine &message);

/// Turns an error about the value of an option into a UsageError.
llvm::Error asUsageError(llvm::Error error);

const llvm::opt::OptTable &getOptTable();

/// Parses the arguments after the verb. Options of other verbs, unknown ones
/// and missing values are UsageErrors.
llvm::Expected<llvm::opt::InputArgList>
parseOptions(llvm::StringRef verb, llvm::ArrayRef<const char *> arguments);

/// Prints the help of a verb, or of the tool when `verb` is empty.
void printHelp(llvm::StringRef verb, llvm::raw_ostream &os);

/// Value of a number option; none if it is absent.
llvm::Expected<std::optional<uint64_t>>
getNumber(const llvm::opt::InputArgList &arguments, OptionId id,
          uint64_t minimum);

/// Value of an option that is a number with decimals, at least 0; none if it is
/// absent.
llvm::Expected<std::optional<double>>
getDecimal(const llvm::opt::InputArgList &arguments, OptionId id);

/// Position of the value of option `id` in `choices`, 0 if it is absent.
llvm::Expected<unsigned> getChoice(const llvm::opt::InputArgList &arguments,
                                   OptionId id,
                                   llvm::ArrayRef<llvm::StringRef> choices);

/// Values of --match, in the order of MatchRule.
inline constexpr llvm::StringRef kMatchRules[] = {"best", "reference"};

/// The only positional argument; `what` describes it for the error.
llvm::Expected<llvm::StringRef>
getOneInput(const llvm::opt::InputArgList &arguments, llvm::StringRef what);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_OPTIONS_H
