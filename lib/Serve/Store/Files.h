//===- Files.h - Files of a store -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_STORE_FILES_H
#define MLIR_PROF_LIB_SERVE_STORE_FILES_H

#include "mlir-prof/Serve/Store.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::serve {

std::string joinPath(llvm::StringRef folder, const llvm::Twine &name);
/// An llvm::ECError if the disk is full.
llvm::Error fileError(llvm::StringRef path, std::error_code error);
/// Moves a file within a file system. It is on disk when this returns, under
/// one of its two names whenever the process ends.
llvm::Error moveFile(const std::string &from, const std::string &to);
/// Modification time of `path`, ns since the epoch; none without a file.
std::optional<int64_t> getModified(llvm::StringRef path);
/// Completes the facts of a profile that come with its file.
llvm::Error readFileFacts(const std::string &path, StoredProfile &profile);
/// The names of the files in `folder`, in order.
std::vector<std::string> listFiles(llvm::StringRef folder);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_STORE_FILES_H
