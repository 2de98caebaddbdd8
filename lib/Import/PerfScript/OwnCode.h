//===- OwnCode.h - Samples in code that came from MLIR ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OWNCODE_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OWNCODE_H

#include "CallChain.h"
#include "JitCode.h"
#include "Lines.h"
#include "Mappings.h"
#include "Objects.h"
#include "mlir-prof/Profile/ProfileBuilder.h"

#include <array>
#include <map>
#include <set>

namespace mlirprof::importer::perfscript {

/// Finds the op, or the source lines, that the frames of samples come from. The
/// innermost frame that has some counts: a library works for what called it.
class OwnCode {
public:
  /// `folder`: ImportOptions::objects.
  OwnCode(llvm::StringRef folder, ObjectPlaces places);

  /// Takes what perf prints of processes beside their samples; false for all
  /// other lines.
  bool takeRecord(llvm::StringRef line);

  void beginSample();
  /// Takes the next frame outwards of a sample with `header`. Gives a frame
  /// without a name the one that a map or a dump has for it. Whether `key` was
  /// made; then this sample needs no further calls.
  bool find(const Header &header, Frame &frame, profile::OpKey &key);
  /// Ends a sample for which no key was made, of `timePs`.
  void miss(int64_t timePs);

  /// Fails when an object has changed since it was opened.
  llvm::Error checkObjects() const { return objects.checkUnchanged(); }
  /// Says what was found, and which samples could have lines and have none.
  void describe(profile::ProfileBuilder &builder) const;

private:
  void addJitFile(llvm::StringRef path);
  void nameJitCode(const Header &header, Frame &frame, AddressUse use,
                   profile::SourcePosition &line);
  bool findLines(const Header &header, const Frame &frame, AddressUse use,
                 profile::OpKey &key);

  static constexpr size_t kResults = size_t(LineResult::NoLine) + 1;

  Mappings mappings;
  ObjectPlaces places;
  Objects objects;
  JitCode jitCode;
  /// Of the sample's frames so far.
  CallChain callChain;
  /// Whether the sample had a frame that has code of its own.
  bool hasCode = false;
  /// The function that its innermost frame is in; "kernel" for one of the
  /// kernel's.
  std::string innermost;
  /// Why the sample has no lines, by its innermost frame that could have some.
  LineResult missed = LineResult::Foreign;

  uint64_t lineSamples = 0;
  uint64_t programSamples = 0;
  /// Those that samples were found in, which `objects` has, by fingerprint.
  std::map<std::string, const profile::Program *> programs;
  /// By LineResult: how many, and their time.
  std::array<std::pair<uint64_t, int64_t>, kResults> unjoined = {};
  std::set<std::string> missingObjects;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OWNCODE_H
