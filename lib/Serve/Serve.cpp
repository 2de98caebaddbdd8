//===- Serve.cpp - The service --------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Serve/Serve.h"
#include "Api/Sessions.h"
#include "Server/Loop.h"
#include "Store/Import.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/SignalGuard.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/FileSystem.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

/// The writing end of the pipe that ends the service.
static volatile int stopDescriptor = -1;

static void stop(int) {
  int before = errno;
  char byte = 0;
  if (::write(stopDescriptor, &byte, 1) < 0) {
    // The pipe is full of such bytes.
  }
  errno = before;
}

/// Registers the profiles that users put into the folder.
static llvm::Error registerFiles(Api &api) {
  auto files = api.store.findUnlisted();
  if (!files)
    return files.takeError();
  for (const std::string &file : *files) {
    auto scratch = api.store.makeScratch();
    if (!scratch)
      return scratch.takeError();
    StoredProfile profile;
    profile.file = file;
    llvm::Error error =
        importFile(api.options.program, api.store.getPath(profile), "",
                   scratch->getPath());
    if (!error)
      error = api.store.addInPlace(file, scratch->getPath(), profile);
    if (!error)
      continue;
    if (api.options.onNote)
      api.options.onNote(file +
                         " is left out: " + llvm::toString(std::move(error)));
    else
      llvm::consumeError(std::move(error));
    if (llvm::Error failed = api.store.drop(file))
      return failed;
  }
  return llvm::Error::success();
}

static std::string formatAddress(const ServeOptions &options, uint16_t port) {
  bool isSix = options.host.find(':') != std::string::npos;
  return "http://" + (isSix ? "[" + options.host + "]" : options.host) + ":" +
         std::to_string(port) + "/";
}

/// Makes the folder, and says so: a name with a mistake would show an empty
/// store. Folders around it are not made.
static llvm::Error makeFolder(const ServeOptions &options) {
  if (llvm::sys::fs::exists(options.folder))
    return llvm::Error::success();
  if (std::error_code error = llvm::sys::fs::create_directory(options.folder))
    return inputError(options.folder, error.message(),
                      "Name a folder of profiles, or a new one in a folder "
                      "that exists.");
  if (options.onNote)
    options.onNote(options.folder + " is new: it holds no profiles yet");
  return llvm::Error::success();
}

llvm::Error serve::serve(const ServeOptions &options,
                         const NoteHandler &onReady) {
  auto access = Access::make(options);
  if (!access)
    return access.takeError();
  if (llvm::Error error = makeFolder(options))
    return error;
  auto store = Store::open(options.folder);
  if (!store)
    return store.takeError();
  SessionCache sessions(**store, options.cacheBytes);
  Api api{**store, sessions, options};
  Handler handler(api, *access);
  Loop loop(handler);
  auto port = loop.listen(options.host, options.port);
  if (!port)
    return port.takeError();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return inputError("the service", std::generic_category().message(errno));
  stopDescriptor = ends[1];
  SignalGuard guard({SIGTERM, SIGINT}, stop);
  // Where a limit on the size of files is reached, writing fails instead.
  ::signal(SIGXFSZ, SIG_IGN);
  llvm::Error error = registerFiles(api);
  if (!error) {
    onReady(formatAddress(options, *port));
    error = loop.run(ends[0]);
  }
  stopDescriptor = -1;
  ::close(ends[0]);
  ::close(ends[1]);
  return error;
}
