//===- Session.h - A profile and its model, opened together -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facade of mlir-prof: tools, bindings and other people's programs open a
// recording or a profile with its model here, and ask a Session for everything
// else. Nothing here prints; what a user should know besides the result goes to
// a NoteHandler.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_SESSION_H
#define MLIR_PROF_SESSION_SESSION_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Report/Report.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>
#include <optional>

namespace mlirprof {

/// Takes a sentence for the user.
using NoteHandler = std::function<void(llvm::StringRef)>;

/// Whether a caller can do without a module.
enum class ModuleUse : uint8_t { Optional, Required };

/// How a profile is opened. Paths are those of files; "" means none.
struct OpenOptions {
  /// Of a recording: its format and which of its events are kept.
  importer::ImportOptions import;
  /// Of profiles of ONNX Runtime: the model that it was given, and the one that
  /// it made of it, which goes with the former only.
  std::string onnx;
  std::string onnxOptimized;
  /// Of profiles of IREE: the module after the stream phase.
  std::string ireeStream;

  /// The module that was run: MLIR text or bytecode. Without one the module
  /// that the profile holds is taken.
  std::string model;
  ModuleUse use = ModuleUse::Optional;
  /// Level of the lowering: "" is "input".
  std::string level;
  match::MatchRule rule = match::MatchRule::Best;
  /// Open a profile of which no time has an owner in the module.
  bool allowUnmatched = false;

  /// Notes are dropped without one.
  NoteHandler onNote;
};

/// A profile and, where there is one, its module and what of it owns which
/// time.
struct Session {
  profile::Profile profile;
  /// Outlives the module.
  std::unique_ptr<mlir::MLIRContext> context;
  /// Null for the level "asm", and for others that the profile has no module
  /// of.
  mlir::OwningOpRef<mlir::Operation *> module;
  /// OpenOptions::level.
  std::string level;
  std::optional<attribution::Ownership> ownership;
  std::optional<attribution::Attribution> attribution;
  /// Fingerprint of the stored module that `module` was loaded from, or "".
  std::string stored;

  /// Of the constants of `module` whose values the profile left out.
  llvm::ArrayRef<profile::ElidedValues> getStoredValues() const;
  /// What reports need of it, which must outlive that.
  report::ReportInput getReportInput() const;
  /// The grouping that says most: "op" with a module, else "measured-op", or
  /// "event" where no op was measured.
  llvm::StringRef getDefaultGrouping() const;

  /// The report `by` ("" is the default grouping) under `query`.
  llvm::Expected<report::Report>
  report(llvm::StringRef by = "", const report::Query &query = {},
         report::RowSelection selection = report::RowSelection::Measured) const;
  /// The rows that an SQL query selects; after `maxSteps` steps of SQLite's
  /// machine it is an error.
  llvm::Expected<report::Report> query(llvm::StringRef sql,
                                       uint64_t maxSteps) const;
};

/// Reads the recording or profile `path`, with the ONNX and IREE companions
/// that `options` name.
llvm::Expected<profile::Profile> openProfile(llvm::StringRef path,
                                             const OpenOptions &options = {});

/// Reads the recording or profile `path` and its module, and matches them.
/// Fails when they do not belong together, unless `options` allow it.
llvm::Expected<Session> openSession(llvm::StringRef path,
                                    const OpenOptions &options = {});

/// Matches a profile that is at hand with OpenOptions::model, or with the
/// module that it holds. `name` names it in errors.
llvm::Expected<Session> matchModule(profile::Profile profile,
                                    llvm::StringRef name,
                                    const OpenOptions &options = {});

/// Form of a profile in a file.
enum class ProfileForm : uint8_t { Binary, Json };

/// Writes a profile whole or not at all; "-" is standard output.
llvm::Error saveProfile(const profile::Profile &profile, ProfileForm form,
                        llvm::StringRef path);

/// Whether `path` is a pipe ("<(command)" in a shell), which is read only once.
bool isPipe(llvm::StringRef path);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_SESSION_H
