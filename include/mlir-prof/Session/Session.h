//===- Session.h - A profile and its model, opened together -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facade of mlir-prof: tools, bindings and other programs open a recording
// or a profile with its model here, and use a Session for everything else.
// Nothing here prints; further information for the user goes to a NoteHandler.
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

/// Receives a sentence for the user.
using NoteHandler = std::function<void(llvm::StringRef)>;

/// Whether a caller requires a module.
enum class ModuleUse : uint8_t { Optional, Required };

/// How a profile is opened. Paths refer to files; "" means none.
struct OpenOptions {
  /// For a recording: its format and the events to keep.
  importer::ImportOptions import;
  /// For profiles of ONNX Runtime: the model passed to it, and the optimized
  /// model that it wrote, which requires the former.
  std::string onnx;
  std::string onnxOptimized;
  /// For profiles of IREE: the module after the stream phase.
  std::string ireeStream;

  /// The module that was run: MLIR text or bytecode. Without one, the module
  /// stored in the profile is used.
  std::string model;
  ModuleUse use = ModuleUse::Optional;
  /// Level of the lowering: "" is "input".
  std::string level;
  match::MatchRule rule = match::MatchRule::Best;
  /// Accept a profile of which no time has an owner in the module.
  bool allowUnmatched = false;
  /// Whether the caller asks for the unit of the numbers
  /// (mlir-prof/Profile/CountedUnit.h). For others, a profile that counted
  /// something in place of time is an error.
  bool takesCounts = false;

  /// If not set, notes are dropped.
  NoteHandler onNote;
};

/// A profile and, if there is one, its module with the ownership and
/// attribution of times.
struct Session {
  profile::Profile profile;
  /// Outlives the module.
  std::unique_ptr<mlir::MLIRContext> context;
  /// Null for the level "asm", and for other levels without a module in the
  /// profile.
  mlir::OwningOpRef<mlir::Operation *> module;
  /// OpenOptions::level.
  std::string level;
  std::optional<attribution::Ownership> ownership;
  std::optional<attribution::Attribution> attribution;
  /// For the report of phases of steps.
  report::StepOps stepOps;
  /// Fingerprint of the stored module that `module` was loaded from, or "".
  std::string stored;

  /// The constants of `module` whose values the profile left out.
  llvm::ArrayRef<profile::ElidedValues> getStoredValues() const;
  /// The input of reports, which must not outlive this session.
  report::ReportInput getReportInput() const;
  /// The most informative grouping: "op" with a module, else "measured-op", or
  /// "event" if no op was measured.
  llvm::StringRef getDefaultGrouping() const;

  /// The report `by` ("" is the default grouping) under `query`.
  llvm::Expected<report::Report>
  report(llvm::StringRef by = "", const report::Query &query = {},
         report::RowSelection selection = report::RowSelection::Measured) const;
  /// The rows that an SQL query selects. Exceeding `maxSteps` steps of SQLite's
  /// virtual machine is an error.
  llvm::Expected<report::Report> query(llvm::StringRef sql,
                                       uint64_t maxSteps) const;
};

/// Reads the recording or profile `path`, with the ONNX and IREE companions
/// that `options` name.
llvm::Expected<profile::Profile> openProfile(llvm::StringRef path,
                                             const OpenOptions &options = {});

/// Reads the recording or profile `path` and its module, and matches them.
/// Fails if they do not belong together, unless `options` allow it.
llvm::Expected<Session> openSession(llvm::StringRef path,
                                    const OpenOptions &options = {});

/// Matches an in-memory profile with OpenOptions::model, or with the module
/// that it contains. `name` identifies it in errors.
llvm::Expected<Session> matchModule(profile::Profile profile,
                                    llvm::StringRef name,
                                    const OpenOptions &options = {});

/// File format of a profile.
enum class ProfileForm : uint8_t { Binary, Json };

/// Writes a profile completely or not at all; "-" is standard output.
llvm::Error saveProfile(const profile::Profile &profile, ProfileForm form,
                        llvm::StringRef path);

/// Whether `path` is a pipe ("<(command)" in a shell), which can be read only
/// once.
bool isPipe(llvm::StringRef path);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_SESSION_H
