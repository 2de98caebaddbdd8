//===- Recordings.h - Recordings of scopes, as Python objects -----*- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PYTHON_RECORDINGS_H
#define MLIR_PROF_PYTHON_RECORDINGS_H

#include "Scopes.h"
#include "mlir-prof/Scope/Recording.h"

#include <memory>
#include <string_view>
#include <vector>

/// A recording of each process.
using SharedRecordings =
    std::vector<std::shared_ptr<const mlirprof::scope::Recording>>;

/// An object of psc_recording_type, or null with an exception.
PyObject *makeRecording(SharedRecordings recordings);

/// Reads a stream file; null with an exception.
PyObject *readRecording(std::string_view bytes,
                        const mlirprof::scope::Window &window);

/// Restricts a stream file to a part of it.
void writeWindow(char *bytes, size_t size,
                 const mlirprof::scope::Window &window);

#endif // MLIR_PROF_PYTHON_RECORDINGS_H
