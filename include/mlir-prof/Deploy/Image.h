//===- Image.h - A program that runs a model in an emulator -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEPLOY_IMAGE_H
#define MLIR_PROF_DEPLOY_IMAGE_H

#include "mlir-prof/Deploy/Deploy.h"
#include "mlir-prof/Support/HostTensor.h"

namespace mlirprof::deploy {

/// A machine of QEMU, on which images of a target run. To add one, add a row in
/// lib/Deploy/Boards/Boards.cpp.
struct Board {
  /// The begin of the triple, and the processor; an empty one is any.
  llvm::StringRef triple, cpu;
  /// The emulator with its options, separated by spaces.
  llvm::StringRef emulator;
  /// The option for a processor with vectors, if that needs one.
  llvm::StringRef vectors;
  /// Code of the machine's assembler at `image_start`, which calls
  /// `image_main`, and ends the program with the status 0; a fault ends it with
  /// another one.
  llvm::StringRef start;
  /// The linker's script; empty for its own.
  llvm::StringRef script;
  /// The address of its serial port; 0 if it does not have one.
  uint64_t serialPort = 0;
  /// The rate of its processor, where QEMU counts its cycles by time.
  uint64_t processorHz = 0;
};

/// The board for `target`, if there is one.
const Board *findBoard(const codegen::TargetModel &target);

/// The board for `target`; an error that names all if there is none.
llvm::Expected<const Board *> getBoard(const codegen::TargetModel &target);

/// The words of the command that runs an image of `target` on `board`, without
/// the image.
std::vector<std::string> getEmulator(const Board &board,
                                     const codegen::TargetModel &target);

/// A function of an image.
struct ImageFunction {
  std::string name;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// A counter that probes of a target can read. To add one, add a row in
/// lib/Deploy/Boards/Counters.cpp, and the counter in
/// runtime/target/Counters.c.
struct Counter {
  /// The name for --counter, and prof_counter_NAME.
  llvm::StringRef name;
  /// The begin of the triple; the first counter of a triple is the usual one.
  llvm::StringRef triple;
  /// The counter to use on a machine without this one; may be empty.
  llvm::StringRef other;
};

/// The counter `name` of `target`; if empty, the usual one. A usage error that
/// names those of the target.
llvm::Expected<const Counter *> getCounter(const codegen::TargetModel &target,
                                           llvm::StringRef name);

/// Ticks in a second of the emulator's own time of the counter that files call
/// `name`, where QEMU derives it from that time: 10^9, or the processor's rate.
uint64_t getEmulatedRate(const Board *board, llvm::StringRef name);

/// A place to which a program prints. To add one, add it to
/// lib/Deploy/Boards/Counters.cpp and to runtime/target/Consoles.c.
struct Console {
  /// The name for --console, and prof_console_NAME.
  llvm::StringRef name;
  llvm::StringRef triple;
  bool usesSerialPort = false;
};

/// As getCounter().
llvm::Expected<const Console *> getConsole(const codegen::TargetModel &target,
                                           llvm::StringRef name);

/// How an image whose model has probes measures.
struct ImageProbes {
  const Counter *counter = nullptr;
  const Console *console = nullptr;
  /// Calls before the measured ones.
  uint64_t warmUp = 0;
  /// Words of the model's slots and cells, for the runtime's memory.
  uint64_t probes = 0;
};

/// Bytes for the runtime's memory: measured are some hundred bytes a probe, and
/// a file that has less.
uint64_t countRuntimeBytes(const ImageProbes &probes);

struct Image {
  /// An executable file.
  std::string elf;
  /// The address of the first byte of the model's code, the origin of the
  /// offsets in its program.
  uint64_t codeBegin = 0;
  /// All functions, by address.
  std::vector<ImageFunction> functions;
};

/// A program that calls `model`, which was compiled for `target` without a
/// heap, `calls` times on `arguments`, and ends. With `probes`, which the model
/// then has, it prints what they measured before. Fails if the model needs a
/// function that is neither its own nor one of memory.
llvm::Expected<Image> makeImage(const compile::CompiledModel &model,
                                const codegen::TargetModel &target,
                                const Board &board, const Arguments &arguments,
                                uint64_t calls,
                                const ImageProbes *probes = nullptr);

/// The files of a package of `compiled`, which was compiled for `target` with
/// `probes` and without a heap, as `name`: a static library with the runtime of
/// probes, and a header with functions that begin to measure and that print.
llvm::Expected<std::vector<PackageFile>>
makeProbedPackage(const compile::CompiledModel &compiled,
                  const codegen::TargetModel &target, llvm::StringRef name,
                  const ImageProbes &probes);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_DEPLOY_IMAGE_H
