//===- Counters.cpp - Counters and consoles of targets --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Image.h"
#include "mlir-prof/Support/Error.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

static const Counter kCounters[] = {
    {"dwt", "thumb", "systick"},
    {"systick", "thumb", ""},
    {"mcycle", "riscv32-unknown-elf", ""},
    {"minstret", "riscv32-unknown-elf", ""},
    {"mcycle", "riscv64-unknown-elf", ""},
    {"minstret", "riscv64-unknown-elf", ""},
    {"cycle", "riscv64-unknown-linux", ""},
    {"instret", "riscv64-unknown-linux", ""},
    {"cntvct", "aarch64", ""},
    {"tsc", "x86_64", ""},
};

static const Console kConsoles[] = {
    {"semihosting", "thumb"},
    {"uart", "thumb", /*usesSerialPort=*/true},
    {"uart", "riscv32-unknown-elf", /*usesSerialPort=*/true},
    {"semihosting", "riscv32-unknown-elf"},
    {"uart", "riscv64-unknown-elf", /*usesSerialPort=*/true},
    {"semihosting", "riscv64-unknown-elf"},
    {"stdout", "riscv64-unknown-linux"},
    {"stdout", "aarch64"},
    {"stdout", "x86_64"},
};

/// The first row of `rows` that `target` has and that is called `name`, if
/// there is a name.
template <typename Row, size_t N>
static Expected<const Row *> getRow(const Row (&rows)[N], StringRef option,
                                    const codegen::TargetModel &target,
                                    StringRef name) {
  std::string known;
  for (const Row &row : rows) {
    if (!StringRef(target.triple).starts_with(row.triple))
      continue;
    if (name.empty() || row.name == name)
      return &row;
    known += (known.empty() ? "" : ", ") + row.name.str();
  }
  if (known.empty())
    return usageError("there is no '" + option + "' for " + target.triple);
  return usageError("'" + option + "=" + name + "' must be one of " + known +
                    " for " + target.triple);
}

Expected<const Counter *> deploy::getCounter(const codegen::TargetModel &target,
                                             StringRef name) {
  return getRow(kCounters, "--counter", target, name);
}

Expected<const Console *> deploy::getConsole(const codegen::TargetModel &target,
                                             StringRef name) {
  return getRow(kConsoles, "--console", target, name);
}

uint64_t deploy::getEmulatedRate(const Board *board, StringRef name) {
  if (name == "systick" && board)
    return board->processorHz;
  constexpr uint64_t kNanoseconds = 1000000000;
  return kNanoseconds;
}
