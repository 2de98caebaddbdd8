//===- SessionOptions.h - Options of verbs that open a profile --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_SESSIONOPTIONS_H
#define MLIR_PROF_TOOLS_SESSIONOPTIONS_H

#include "Options.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Report/Writer.h"
#include "mlir-prof/Session/Session.h"

using namespace mlirprof::profile;
using namespace mlirprof::report;

namespace mlirprof {

/// The options for opening a profile, with notes to stderr. For a recording,
/// `keep` specifies the kept events if --keep-events does not.
llvm::Expected<OpenOptions>
getOpenOptions(const llvm::opt::InputArgList &arguments,
               ModuleUse use = ModuleUse::Optional,
               KeepEvents::Mode keep = KeepEvents::Mode::None);

/// Opens the profile `path` by getOpenOptions().
llvm::Expected<Profile>
openProfile(const llvm::opt::InputArgList &arguments, llvm::StringRef path,
            KeepEvents::Mode keep = KeepEvents::Mode::None);

/// Opens the profile `path` with the module `model` by getOpenOptions().
llvm::Expected<Session>
openSession(const llvm::opt::InputArgList &arguments, llvm::StringRef path,
            llvm::StringRef model, ModuleUse use,
            KeepEvents::Mode keep = KeepEvents::Mode::None);

/// The form given by --format. Fails if a binary profile would go to a
/// terminal.
llvm::Expected<ProfileForm>
getProfileForm(const llvm::opt::InputArgList &arguments);

/// Whether --mix-machines is given.
MachineRule getMachineRule(const llvm::opt::InputArgList &arguments);

/// Value of -o, "-" by default.
llvm::StringRef getOutput(const llvm::opt::InputArgList &arguments);

/// How text is written to the output of the verb: colored according to --color
/// and NO_COLOR, cut to the width of the terminal.
llvm::Expected<WriteOptions>
getWriteOptions(const llvm::opt::InputArgList &arguments);

/// Prints a note to stderr.
void note(const llvm::Twine &text);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_SESSIONOPTIONS_H
