//===- TargetRun.h - Running a program on another machine -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_TARGETRUN_H
#define MLIR_PROF_RECORD_TARGETRUN_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Import/ProfRaw.h"

namespace mlirprof::record {

/// A command of the shell that runs a program on a target, and writes what the
/// program prints.
struct TargetCommand {
  std::string text;
  /// The most time that it may take; 0 for any.
  double seconds = 0;
};

/// `text` with `path`, quoted for the shell, in place of each "{NAME}", or else
/// at its end.
std::string addPath(llvm::StringRef text, llvm::StringRef name,
                    llvm::StringRef path);

/// Runs `command` in a process group of its own until it ends, and returns what
/// it wrote to its standard output, or to standard error if that has the last
/// line of the runtime's measurements. Some time after that line the command is
/// ended, as a board does not end.
/// Fails if it takes too long, and if it fails without that line; the error has
/// the end of what it wrote.
llvm::Expected<std::string> runCommand(const TargetCommand &command);

/// The emulator that a command names, if it names one.
struct Emulation {
  enum class Kind : uint8_t { None, User, System };
  Kind kind = Kind::None;
  /// QEMU's -icount shift=N: an instruction takes 2^N ns of the emulator's own
  /// time. Otherwise counters are those of the machine on which it runs.
  std::optional<unsigned> shift;
};
Emulation findEmulation(llvm::StringRef command);

/// The unit of a tick if `emulation` counts it, at `rate` ticks in a second of
/// the emulator's time: "icount instructions", or "emulator host ticks", which
/// do not measure the target. None without an emulator.
std::optional<importer::CountedTicks> countEmulated(const Emulation &emulation,
                                                    uint64_t rate);

/// Measurements of a model on a target.
struct TargetMeasurements {
  /// The runtime's file.
  std::string raw;
  std::string command;
  /// 0 if they are not known.
  uint64_t calls = 0;
  /// As ProfRawOptions::countTicks.
  std::function<std::optional<importer::CountedTicks>(llvm::StringRef,
                                                      llvm::StringRef)>
      countTicks;
};

/// Adds `measured`, which the probes of `model` wrote, to `profile` as one run.
llvm::Error addMeasurements(const compile::CompiledModel &model,
                            const TargetMeasurements &measured,
                            profile::Profile &profile);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_TARGETRUN_H
