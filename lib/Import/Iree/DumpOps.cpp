//===- DumpOps.cpp - Ops of IREE's modules of the stream phase ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using llvm::StringRef;

std::optional<OpOfInterest> iree::getOpOfInterest(StringRef name) {
  return llvm::StringSwitch<std::optional<OpOfInterest>>(name)
      .Cases({"stream.executable", "hal.executable"}, OpOfInterest::Executable)
      .Cases({"stream.executable.export", "hal.executable.export"},
             OpOfInterest::Export)
      .Case("func.func", OpOfInterest::Function)
      .Case("stream.cmd.execute", OpOfInterest::Execute)
      .Case("stream.cmd.dispatch", OpOfInterest::Dispatch)
      .Cases({"stream.cmd.copy", "stream.cmd.fill"}, OpOfInterest::Transfer)
      .Case("stream.cmd.serial", OpOfInterest::Serial)
      .Case("stream.cmd.concurrent", OpOfInterest::Concurrent)
      .Default(std::nullopt);
}

bool iree::isWork(StringRef op) {
  static constexpr llvm::StringLiteral plumbing[] = {
      "affine", "arith",  "cf",   "flow",           "func",
      "hal",    "stream", "util", "iree_tensor_ext"};
  auto [dialect, name] = op.split('.');
  return !name.empty() && op != "tensor.empty" &&
         !llvm::is_contained(plumbing, dialect);
}

bool iree::isLayoutChange(StringRef op) {
  return op.starts_with("iree_encoding.") || op.ends_with(".pack") ||
         op.ends_with(".unpack");
}
