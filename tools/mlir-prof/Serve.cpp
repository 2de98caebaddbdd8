//===- Serve.cpp - mlir-prof serve ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Serve/Serve.h"
#include "Options.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/FileSystem.h"

using namespace mlirprof;
using namespace mlirprof::serve;
using llvm::opt::InputArgList;

/// The value of an option in MB, as bytes.
static llvm::Expected<uint64_t> getBytes(const InputArgList &arguments,
                                         OptionId id, uint64_t otherwise) {
  auto number = getNumber(arguments, id, 1);
  if (!number)
    return number.takeError();
  return *number ? **number * 1000000 : otherwise;
}

static llvm::Expected<ServeOptions> getOptions(const InputArgList &arguments,
                                               llvm::StringRef folder) {
  ServeOptions options;
  options.folder = folder.str();
  options.host = arguments.getLastArgValue(OPT_host_EQ, options.host).str();
  options.tokenFile = arguments.getLastArgValue(OPT_token_file_EQ).str();
  options.allowedHosts = arguments.getAllArgValues(OPT_allow_host_EQ);
  auto port = getNumber(arguments, OPT_port_EQ, 0);
  if (!port)
    return port.takeError();
  if (port->value_or(0) > 65535)
    return usageError("'--port' needs a number up to 65535");
  options.port = uint16_t(port->value_or(0));
  auto cache = getBytes(arguments, OPT_cache_EQ, options.cacheBytes);
  if (!cache)
    return cache.takeError();
  options.cacheBytes = *cache;
  auto upload = getBytes(arguments, OPT_max_upload_EQ, options.maxUpload);
  if (!upload)
    return upload.takeError();
  options.maxUpload = *upload;
  // Any address in the program finds it.
  options.program = llvm::sys::fs::getMainExecutable(
      "mlir-prof", reinterpret_cast<void *>(&getOptions));
  options.onNote = [](llvm::StringRef text) { note(text); };
  return std::move(options);
}

static llvm::Error run(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "folder");
  if (!path)
    return path.takeError();
  if (llvm::StringRef folder = arguments.getLastArgValue(OPT_prepare_EQ);
      !folder.empty())
    return prepareProfile(*path, arguments.getLastArgValue(OPT_model_EQ),
                          folder);
  auto options = getOptions(arguments, *path);
  if (!options)
    return options.takeError();
  return serve::serve(*options, [](llvm::StringRef address) {
    llvm::outs() << address << '\n';
    llvm::outs().flush();
  });
}

Verb verb::Serve() { return {"serve", run, nullptr, Positionals::FirstIsFile}; }
