//===- Compact.cpp - mlir-prof compact ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Compact.h"
#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using llvm::opt::InputArgList;

/// Prints the parts of each run, and data that a run cannot store.
static void printSummary(const Profile &profile) {
  for (const Run &run : profile.runs) {
    note(llvm::formatv("{0}: {1}, {2}", run.source,
                       formatCount(run.folded.size(), "recording"),
                       formatCount(run.ops.size(), "measured op")));
    for (const Loss &loss : run.losses)
      if (llvm::StringRef(loss.name).starts_with("compacted:"))
        note(llvm::formatv("  {0}: {1}", loss.name, loss.count));
  }
}

static llvm::Error run(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "profile");
  if (!path)
    return path.takeError();
  auto form = getProfileForm(arguments);
  if (!form)
    return form.takeError();
  auto top = getNumber(arguments, OPT_top_EQ, 1);
  if (!top)
    return top.takeError();
  auto profile = openProfile(arguments, *path);
  if (!profile)
    return profile.takeError();
  auto compacted = compactProfile(std::move(*profile), {*top});
  if (!compacted)
    return compacted.takeError();
  if (llvm::Error error = saveProfile(*compacted, *form, getOutput(arguments)))
    return error;
  printSummary(*compacted);
  return llvm::Error::success();
}

Verb verb::Compact() { return {"compact", run, getProfileFormats}; }
