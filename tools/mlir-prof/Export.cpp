//===- Export.cpp - mlir-prof export --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Verbs.h"
#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using llvm::opt::InputArgList;

llvm::Error mlirprof::runExport(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "profile");
  if (!path)
    return path.takeError();
  llvm::StringRef format = arguments.getLastArgValue(OPT_format_EQ);
  if (format.empty())
    return usageError("needs --format=FORMAT (see mlir-prof info)");
  auto exporter = findExporter(format);
  if (!exporter)
    return asUsageError(exporter.takeError());
  auto profile = loadProfile(arguments, *path);
  if (!profile)
    return profile.takeError();
  // Both formats are of probes where there are some.
  auto counted = llvm::count_if(profile->programs, [](const Program &program) {
    return !program.probes.empty();
  });
  if (counted != 0 && size_t(counted) != profile->programs.size())
    note(*path + ": its sampled recordings are left out, since others counted");
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    return (*exporter)->write(*profile, os);
  });
}
