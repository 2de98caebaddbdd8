//===- OptimizeOptions.cpp - Options of mlir-prof optimize ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeOptions.h"
#include "SessionOptions.h"
#include "mlir-prof/Optimize/Technique.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using llvm::opt::InputArgList;

static llvm::Expected<std::vector<std::string>>
getTechniqueNames(const InputArgList &arguments) {
  std::vector<std::string> names;
  for (llvm::StringRef text : arguments.getAllArgValues(OPT_technique_EQ)) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, ',');
    for (llvm::StringRef part : parts) {
      if (!findTechnique(part.trim())) {
        std::string known;
        for (const Technique &technique : getTechniques())
          known += (known.empty() ? "" : ", ") + technique.name.str();
        return usageError("there is no technique '" + part.trim() +
                          "'; there are " + known);
      }
      names.push_back(part.trim().str());
    }
  }
  return std::move(names);
}

/// "120s", "2m" and plain seconds.
static llvm::Expected<double> getBudget(const InputArgList &arguments,
                                        double otherwise) {
  llvm::StringRef text = arguments.getLastArgValue(OPT_budget_EQ);
  if (!arguments.hasArg(OPT_budget_EQ))
    return otherwise;
  double number = 0, unit = 1;
  llvm::StringRef digits = text;
  if (digits.consume_back("ms"))
    unit = 1e-3;
  else if (digits.consume_back("s"))
    unit = 1;
  else if (digits.consume_back("m") || digits.consume_back("min"))
    unit = 60;
  if (digits.trim().getAsDouble(number) || !(number >= 0) || number > 1e6)
    return usageError("'--budget=" + text +
                      "' is not a time: give seconds, as in 120s or 2m");
  return number * unit;
}

/// Chooses where candidates are tried.
static llvm::Error setTrials(const InputArgList &arguments,
                             OptimizerOptions &search) {
  auto mode = getChoice(arguments, OPT_trials_EQ, {"local", "whole"});
  if (!mode)
    return mode.takeError();
  search.trials = *mode == 0 ? TrialMode::Local : TrialMode::Whole;
  return llvm::Error::success();
}

llvm::Expected<OptimizeOptions>
mlirprof::getOptimizeOptions(const InputArgList &arguments) {
  OptimizeOptions options;
  auto model = getOneInput(arguments, "model");
  if (!model)
    return model.takeError();
  options.model = model->str();
  auto compile = getCompileOptions(arguments);
  if (!compile)
    return compile.takeError();
  options.search.compile = std::move(*compile);
  if (llvm::Error error = setTrials(arguments, options.search))
    return std::move(error);
  auto budget = getBudget(arguments, options.search.budgetSeconds);
  auto tolerance = getDecimal(arguments, OPT_tolerance_EQ);
  auto memory = getNumber(arguments, OPT_max_build_EQ, 1);
  auto techniques = getTechniqueNames(arguments);
  auto effort = getChoice(arguments, OPT_effort_EQ, {"hot", "all"});
  if (!budget || !tolerance || !memory || !techniques || !effort)
    return llvm::joinErrors(
        llvm::joinErrors(budget.takeError(), tolerance.takeError()),
        llvm::joinErrors(
            llvm::joinErrors(memory.takeError(), techniques.takeError()),
            effort.takeError()));
  options.effort = *effort == 0 ? Effort::Hot : Effort::All;
  options.search.budgetSeconds = *budget;
  options.search.tolerance = tolerance->value_or(options.search.tolerance);
  if (*memory)
    options.search.memory = **memory << 20;
  options.search.techniques = std::move(*techniques);
  options.search.isRepeated = arguments.hasArg(OPT_again);
  if (llvm::Error error =
          getArgumentSpecs(arguments, options.inputs, options.shapes))
    return std::move(error);
  options.profile = arguments.getLastArgValue(OPT_profile_EQ).str();
  auto open = getOpenOptions(arguments);
  if (!open)
    return open.takeError();
  options.open = std::move(*open);
  options.onNote = options.open.onNote;
  options.output = arguments.getLastArgValue(OPT_output).str();
  options.script = arguments.getLastArgValue(OPT_script_EQ).str();
  options.receipts = arguments.getLastArgValue(OPT_receipts_EQ).str();
  options.explain = arguments.getLastArgValue(OPT_explain_EQ).str();
  // An explanation of an op includes its time and its bound.
  options.alwaysMeasure = !options.explain.empty();
  options.decisions = arguments.getLastArgValue(OPT_decisions_EQ).str();
  if (options.output.empty() && options.explain.empty() &&
      options.decisions.empty())
    return usageError("needs -o FILE for the optimized model (or --decisions "
                      "or --explain)");
  if (!options.script.empty() &&
      (options.output.empty() || options.output == "-"))
    return usageError("'--script' needs -o FILE: the script is for that file");
  return std::move(options);
}
