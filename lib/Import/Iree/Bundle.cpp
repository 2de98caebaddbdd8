//===- Bundle.cpp - Profiles of IREE that were not exported ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle (*.ireeprof) does not have a published layout, and iree-profile,
// which comes with the runtime that writes it, exports all useful parts of it.
// So bundles are recognized, and the error names the command.
//
//===----------------------------------------------------------------------===//

#include "../Importers.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using llvm::StringRef;

static bool detect(StringRef bytes) { return bytes.starts_with("IRPF"); }

static llvm::Error read(const ImportInput &input, ProfileBuilder &) {
  StringRef stem = input.where;
  stem.consume_back(".ireeprof");
  return inputError(
      input.where,
      "is a bundle of IREE's profiler, which must be exported by iree-profile",
      "Run: iree-profile export --format=ireeperf-jsonl "
      "--output=" +
          stem + ".jsonl " + input.where);
}

Importer importer::IreeBundle() {
  return {"ireeprof", "IREE's profiles as written, to be exported first",
          detect, read};
}
