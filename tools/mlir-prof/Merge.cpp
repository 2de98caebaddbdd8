//===- Merge.cpp - mlir-prof merge ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Merge.h"
#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using llvm::opt::InputArgList;

llvm::Expected<ProfileForm>
mlirprof::getProfileForm(const InputArgList &arguments) {
  auto json = getFormat(arguments, "merge");
  if (!json)
    return json.takeError();
  if (*json == 0 && getOutput(arguments) == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return usageError("a profile is binary; name a file with -o, or choose "
                      "--format=json");
  return *json ? ProfileForm::Json : ProfileForm::Binary;
}

MachineRule mlirprof::getMachineRule(const InputArgList &arguments) {
  return arguments.hasArg(OPT_mix_machines) ? MachineRule::Mixed
                                            : MachineRule::Same;
}

static llvm::Error run(const InputArgList &arguments) {
  std::vector<std::string> inputs = arguments.getAllArgValues(OPT_INPUT);
  if (inputs.empty())
    return usageError("needs profiles to merge");
  auto form = getProfileForm(arguments);
  if (!form)
    return form.takeError();
  ProfileMerger merger(getMachineRule(arguments));
  size_t runsRead = 0;
  for (const std::string &path : inputs) {
    auto profile = openProfile(arguments, path);
    if (!profile)
      return profile.takeError();
    runsRead += profile->runs.size();
    if (llvm::Error error = merger.add(std::move(*profile), path))
      return error;
  }
  auto merged = merger.finish();
  if (!merged)
    return merged.takeError();
  if (llvm::Error error = saveProfile(*merged, *form, getOutput(arguments)))
    return error;
  note(llvm::formatv("{0}, {1}, {2} of them different",
                     formatCount(inputs.size(), "file"),
                     formatCount(runsRead, "run"), merged->runs.size()));
  return llvm::Error::success();
}

Verb verb::Merge() {
  return {"merge", run, getProfileFormats, Positionals::FilesInPlace};
}
