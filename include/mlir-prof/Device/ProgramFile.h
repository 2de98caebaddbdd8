//===- ProgramFile.h - Programs of devices in files -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file begins with 64 bytes: the 8 characters "mlprofdv", the major and the
// minor version as 16 bits each, and zeros. Sections follow, each with a header
// of 64 bytes: four characters that name it, 32 bits of zeros, the length of
// its content and XXH3 of it as 64 bits each, and zeros. The content of a
// section is padded to a multiple of 64 bytes, so that constants are aligned in
// a mapped file. The last section is called "last" and empty. All numbers are
// little endian; a text is its length as 64 bits and its bytes, a list is the
// number of its elements as 64 bits, and the elements.
//
// A reader of version 1 skips sections that it does not know.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_PROGRAMFILE_H
#define MLIR_PROF_DEVICE_PROGRAMFILE_H

#include "mlir-prof/Device/Program.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::device {

/// Whether `bytes` begin as a file with a program does.
bool isProgramFile(llvm::StringRef bytes);

/// Writes `program`, which must be valid.
void writeProgram(const Program &program, llvm::raw_ostream &os);

/// Reads a program, whose constants stay in `buffer`. Fails on a file that is
/// damaged, is of another major version, or has a program that is not valid.
llvm::Expected<Program> readProgram(std::shared_ptr<llvm::MemoryBuffer> buffer);

/// Fails if a step of `program` would use memory that it does not have, or if
/// anything else contradicts the rest. `where` names the program.
llvm::Error checkProgram(const Program &program, llvm::StringRef where);

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_PROGRAMFILE_H
