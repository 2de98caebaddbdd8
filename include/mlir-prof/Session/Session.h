//===- Session.h - A profile and its module, matched ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_SESSION_H
#define MLIR_PROF_TOOLS_SESSION_H

#include "Options.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/Ownership.h"
#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Report/Writer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>

namespace mlirprof {

/// What verbs work on: a profile and, where there is one, its module and what
/// of it owns which time.
struct Session {
  Profile profile;
  /// Outlives the module.
  std::unique_ptr<mlir::MLIRContext> context;
  /// Null for the level "asm", and for others that the profile has no module
  /// of.
  mlir::OwningOpRef<mlir::Operation *> module;
  /// What --level says, or "".
  std::string level;
  std::optional<Ownership> ownership;
  std::optional<Attribution> attribution;
  /// Fingerprint of the stored module that `module` was loaded from, or "".
  std::string stored;

  /// Of the constants of `module` whose values the profile left out.
  llvm::ArrayRef<ElidedValues> getStoredValues() const {
    for (const IrModule &other : profile.irModules)
      if (!stored.empty() && other.fingerprint == stored)
        return other.values;
    return {};
  }

  /// What reports need of it, which must outlive that.
  ReportInput getReportInput() const {
    return {profile, ownership ? &*ownership : nullptr,
            attribution ? &*attribution : nullptr, level};
  }
};

/// Whether a verb can do without a module.
enum class ModuleUse : uint8_t { Optional, Required };

/// Reads the profile `path`. Of a recording, `keep` says which events are kept
/// when --keep-events does not.
llvm::Expected<Profile>
loadProfile(const llvm::opt::InputArgList &arguments, llvm::StringRef path,
            KeepEvents::Mode keep = KeepEvents::Mode::None);

/// Reads the profile `profilePath` and a module: `modelPath`, else the one that
/// the profile holds of the level --level, by default "input". Fails when they
/// do not belong together, unless --allow-unmatched is given.
llvm::Expected<Session>
openSession(const llvm::opt::InputArgList &arguments,
            llvm::StringRef profilePath, llvm::StringRef modelPath,
            ModuleUse use, KeepEvents::Mode keep = KeepEvents::Mode::None);

/// As openSession, for a profile that is at hand; `profileName` names it in
/// errors.
llvm::Expected<Session> matchModule(const llvm::opt::InputArgList &arguments,
                                    Profile profile,
                                    llvm::StringRef profileName,
                                    llvm::StringRef modelPath);

/// Form of a profile in a file.
enum class ProfileForm : uint8_t { Binary, Json };

/// Writes a profile whole or not at all.
llvm::Error saveProfile(const Profile &profile, ProfileForm form,
                        llvm::StringRef path);

/// The form that --format asks for. Fails where a binary profile would go to a
/// terminal.
llvm::Expected<ProfileForm>
getProfileForm(const llvm::opt::InputArgList &arguments);

/// Whether --mix-machines is given.
MachineRule getMachineRule(const llvm::opt::InputArgList &arguments);

/// Whether `path` is a pipe ("<(command)" in a shell), which is read only once.
bool isPipe(llvm::StringRef path);

/// Value of -o, "-" by default.
llvm::StringRef getOutput(const llvm::opt::InputArgList &arguments);

/// How text goes to the output of the verb: colours as --color and NO_COLOR
/// say, cut to the width of the terminal.
llvm::Expected<WriteOptions>
getWriteOptions(const llvm::opt::InputArgList &arguments);

/// Prints a note to stderr.
void note(const llvm::Twine &text);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_SESSION_H
