//===- Serve.h - The service ------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SERVE_SERVE_H
#define MLIR_PROF_SERVE_SERVE_H

#include "mlir-prof/Session/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlirprof::serve {

/// How a folder of profiles is served.
struct ServeOptions {
  /// The store. Created if it does not exist, in a folder that does.
  std::string folder;
  std::string host = "127.0.0.1";
  /// 0: any free port.
  uint16_t port = 0;
  /// A file whose first line is the token that requests must show; required
  /// for hosts other than those of this machine. "" for none.
  std::string tokenFile;
  /// Further names by which browsers may call the service; its addresses and
  /// the names of this machine always may.
  std::vector<std::string> allowedHosts;
  /// The path of mlir-prof, which reads uploads in a process of its own.
  std::string program;
  /// Most bytes of an upload.
  uint64_t maxUpload = uint64_t(4) << 30;
  /// Most bytes of open profiles that are kept in memory.
  uint64_t cacheBytes = uint64_t(1) << 30;
  NoteHandler onNote;
};

/// Serves the folder until SIGTERM or SIGINT. `onReady` receives the address,
/// "http://127.0.0.1:43210/", once requests are answered.
llvm::Error serve(const ServeOptions &options, const NoteHandler &onReady);

/// Reads the recording or profile `path` with the model `model` ("" for none),
/// and writes into `folder` what a store keeps of it: profile.mlprof,
/// profile.timeline if it has events, and facts.json.
llvm::Error prepareProfile(llvm::StringRef path, llvm::StringRef model,
                           llvm::StringRef folder);

/// Writes the page with the answers about the recording or profile `path` in
/// it, which needs no service. Answers beyond `mostBytes` are left out, and
/// named in the page.
llvm::Error writeHtmlReport(llvm::StringRef path, llvm::StringRef model,
                            uint64_t mostBytes, llvm::raw_ostream &os);

/// The description of the API in OpenAPI 3.1, as JSON.
std::string describeApi();

} // namespace mlirprof::serve

#endif // MLIR_PROF_SERVE_SERVE_H
