//===- ProgressLine.cpp - The progress of a search ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgressLine.h"
#include "Options.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Support/Printable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;

llvm::Expected<ProgressLine>
ProgressLine::get(const llvm::opt::InputArgList &arguments) {
  auto choice = getChoice(arguments, OPT_progress_EQ, {"auto", "json", "none"});
  if (!choice)
    return choice.takeError();
  if (*choice == 1)
    return ProgressLine(Form::Json);
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  return ProgressLine(*choice == 0 && isTerminal ? Form::Terminal : Form::None);
}

static int64_t toPs(double seconds) { return int64_t(seconds * 1e12); }

static void printJson(const OptimizerProgress &progress) {
  std::string line;
  llvm::raw_string_ostream os(line);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mlir-prof.progress/1");
    json.attribute("phase", progress.phase);
    report::writeText(json, "what", progress.what);
    json.attribute("used_ps", toPs(progress.usedSeconds));
    json.attribute("budget_ps", toPs(progress.budgetSeconds));
    json.attribute("trials", progress.trials);
    json.attribute("kept", progress.kept);
    json.attribute("ratio_ppm", int64_t(progress.ratio * 1e6));
  });
  // In one piece, so that no other message is inside of it.
  llvm::errs() << line + "\n";
}

void ProgressLine::show(const OptimizerProgress &progress) {
  if (form == Form::Json)
    printJson(progress);
  if (form != Form::Terminal)
    return;
  clear();
  double left = std::max(0.0, progress.budgetSeconds - progress.usedSeconds);
  std::string text =
      llvm::formatv("[{0:f0} s left] {1} tried, {2} kept, time {3:f3}: {4} {5}",
                    left, progress.trials, progress.kept, progress.ratio,
                    progress.phase, progress.what);
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  if (columns > 1 && text.size() >= columns)
    text.resize(columns - 1);
  llvm::errs() << printable(text);
  isShown = true;
}

void ProgressLine::clear() {
  if (isShown)
    llvm::errs() << "\r\x1b[K";
  isShown = false;
}
