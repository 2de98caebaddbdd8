//===- Page.h - The page ----------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_PAGE_H
#define MLIR_PROF_LIB_SERVE_SERVER_PAGE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::serve {

/// lib/Serve/Page/page.html.
llvm::StringRef getPage();

/// The content policy of `page`: only the scripts and styles that it has, by
/// their hashes, and requests to its own origin.
std::string makeContentPolicy(llvm::StringRef page);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_PAGE_H
