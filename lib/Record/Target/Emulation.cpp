//===- Emulation.cpp - Units of an emulator's counters --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/TargetRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <numeric>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::record;

/// The N of "shift=N" or "N"; none for "auto", which follows the host's time.
static std::optional<unsigned> getShift(StringRef option) {
  constexpr unsigned kMost = 32;
  for (StringRef part : split(option, ',')) {
    part.consume_front("shift=");
    unsigned shift;
    if (!part.getAsInteger(10, shift) && shift < kMost)
      return shift;
  }
  return std::nullopt;
}

Emulation record::findEmulation(StringRef command) {
  Emulation result;
  SmallVector<StringRef> words;
  SplitString(command, words);
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef name = sys::path::filename(words[i].trim("'\""));
    if (name.starts_with("qemu-system-"))
      result.kind = Emulation::Kind::System;
    else if (name.starts_with("qemu-") && result.kind == Emulation::Kind::None)
      result.kind = Emulation::Kind::User;
    if ((words[i] == "-icount" || words[i] == "--icount") &&
        i + 1 < words.size())
      result.shift = getShift(words[i + 1]);
  }
  return result;
}

std::optional<importer::CountedTicks>
record::countEmulated(const Emulation &emulation, uint64_t rate) {
  if (emulation.kind == Emulation::Kind::None)
    return std::nullopt;
  if (emulation.kind == Emulation::Kind::User || !emulation.shift)
    return importer::CountedTicks{"emulator host ticks"};
  constexpr uint64_t kNanoseconds = 1000000000;
  uint64_t common = std::gcd(kNanoseconds, rate << *emulation.shift);
  return importer::CountedTicks{"icount instructions", kNanoseconds / common,
                                (rate << *emulation.shift) / common};
}
