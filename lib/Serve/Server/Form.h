//===- Form.h - Forms that upload files -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_FORM_H
#define MLIR_PROF_LIB_SERVE_SERVER_FORM_H

#include "../Api/Api.h"

#include <httplib.h>

namespace mlirprof::serve {

/// Writes the files of a form into a folder as they come, and keeps its fields.
class FormReader {
public:
  FormReader(llvm::StringRef scratch, Request &to) : scratch(scratch), to(to) {}
  FormReader(const FormReader &) = delete;
  FormReader &operator=(const FormReader &) = delete;
  ~FormReader() { closeFile(); }

  /// Begins a part, and adds to it. False if it is too large, if there are too
  /// many, or if its file cannot be written (errno).
  bool begin(const httplib::MultipartFormData &part);
  bool add(const char *data, size_t size);
  bool closeFile();

private:
  llvm::StringRef scratch;
  Request &to;
  int descriptor = -1;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_FORM_H
