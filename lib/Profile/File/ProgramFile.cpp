//===- ProgramFile.cpp - Programs as bytes --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proto.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

std::string profile::serializeProgram(const Program &program) {
  return writeProto(program);
}

llvm::Expected<Program> profile::parseProgram(llvm::StringRef bytes) {
  Program program;
  MemoryBudget budget(kMinMemory, bytes.size());
  std::string problem = readProto(bytes, program, budget);
  if (problem.empty())
    problem = checkProgram(program);
  if (!problem.empty())
    return inputError("program", "not a valid program: " + problem,
                      "Compile the model again.");
  return std::move(program);
}

std::string profile::fingerprintProgram(const Program &program) {
  std::string bytes = writeProto(program);
  // It is the first field: a tag, a length of one or more bytes, the text.
  if (program.fingerprint.empty())
    return contentHash(bytes);
  Program none;
  none.fingerprint = program.fingerprint;
  return contentHash(
      llvm::StringRef(bytes).drop_front(writeProto(none).size()));
}
