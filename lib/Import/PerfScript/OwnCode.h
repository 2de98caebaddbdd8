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

/// Finds the op, or the source lines, of the frames of samples. The innermost
/// frame that has some counts: a library works for its caller.
class OwnCode {
public:
  /// `folder`: ImportOptions::objects.
  OwnCode(llvm::StringRef folder, ObjectPlaces places);

  /// Takes perf's lines about processes; false for all other lines.
  bool takeRecord(llvm::StringRef line);

  void beginSample();
  /// Takes the next frame, outward, of a sample with `header`. Gives a frame
  /// without a name the one that a map or a dump has for it. Returns whether
  /// `key` was made; then only findInstance() needs the frames that follow.
  bool find(const Header &header, Frame &frame, profile::OpKey &key);
  /// Takes the next frame of a sample whose `key` was made: the call of a
  /// kernel by its program's host side tells the dispatch.
  void findInstance(const Header &header, Frame &frame, profile::OpKey &key);
  /// Ends a sample for which no key was made, of `timePs`.
  void miss(int64_t timePs);

  /// Fails if an object has changed since it was opened.
  llvm::Error checkObjects() const { return objects.checkUnchanged(); }
  /// Reports the findings, and the samples that could have lines but do not.
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
  /// The sample's frames so far.
  CallChain callChain;
  /// Whether the sample had a frame with its own code.
  bool hasCode = false;
  /// The function of its innermost frame; "kernel" for the kernel.
  std::string innermost;
  /// The program of the sample's key, until the key has a dispatch; null if the
  /// program does not call kernels.
  const profile::Program *callingProgram = nullptr;
  /// The reason why the sample does not have lines, by its innermost frame that
  /// could have some.
  LineResult missed = LineResult::Foreign;

  uint64_t lineSamples = 0;
  uint64_t programSamples = 0;
  /// Samples in programs that call kernels, and those with a known call.
  uint64_t callingSamples = 0;
  uint64_t calledSamples = 0;
  /// Programs in which samples were found, owned by `objects`, by fingerprint.
  std::map<std::string, const profile::Program *> programs;
  /// Number of samples, and their time, by LineResult.
  std::array<std::pair<uint64_t, int64_t>, kResults> unjoined = {};
  std::set<std::string> missingObjects;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OWNCODE_H
