//===- JsonText.h - Names in JSON -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_JSONTEXT_H
#define MLIR_PROF_REPORT_JSONTEXT_H

#include "llvm/Support/JSON.h"

namespace mlirprof::report {

/// Names come from recordings, in any encoding; JSON has only UTF-8.
inline std::string toJsonText(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

inline void writeText(llvm::json::OStream &json, llvm::StringRef key,
                      llvm::StringRef text) {
  if (llvm::json::isUTF8(text))
    json.attribute(key, text);
  else
    json.attribute(key, llvm::json::fixUTF8(text));
}

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_JSONTEXT_H
