//===- Import.cpp - Reading uploads in a process of its own ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Process.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::serve;

/// Most bytes of messages that are kept.
static constexpr size_t kMostText = 64 << 10;

[[noreturn]] static void runChild(int socket, const ImportLimits &limits,
                                  const std::string &folder,
                                  const std::vector<char *> &arguments) {
  // Paths below it are the same for each upload of a file, so that what is
  // stored is the same, too.
  if (::chdir(folder.c_str()) != 0)
    ::_exit(127);
  ::dup2(socket, STDOUT_FILENO);
  ::dup2(socket, STDERR_FILENO);
  limitResource(RLIMIT_AS, limits.memoryBytes);
  limitResource(RLIMIT_FSIZE, limits.outputBytes);
  limitResource(RLIMIT_CPU, uint64_t(limits.seconds));
  limitResource(RLIMIT_CORE, 0);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

/// The text that the process writes until its end; none if it takes too long.
static std::optional<std::string> readAll(int socket, double seconds) {
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::string text;
  char buffer[4096];
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    if (left.count() <= 0)
      return std::nullopt;
    struct pollfd readable = {socket, POLLIN, 0};
    int ready =
        ::poll(&readable, 1, int(std::min<int64_t>(left.count(), 1000)));
    if (ready <= 0)
      continue;
    ssize_t count = ::read(socket, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return text;
    if (text.size() < kMostText)
      text.append(buffer, size_t(count));
  }
}

/// The error in a tool's output, "mlir-prof: error: ..." with its hint.
static llvm::Error parseError(llvm::StringRef text, llvm::StringRef how) {
  size_t at = text.find("error: ");
  if (at == llvm::StringRef::npos)
    return inputError("upload", "could not be read: the reader " + how);
  auto [what, hint] = text.drop_front(at + 7).split("\n  hint: ");
  // Not a fault of the upload.
  for (std::errc code :
       {std::errc::no_space_on_device, std::errc::file_too_large}) {
    std::error_code full = std::make_error_code(code);
    if (what.contains(full.message()))
      return llvm::errorCodeToError(full);
  }
  return inputError("upload", what.rtrim(), hint.rtrim());
}

/// A path as its folder and its name.
static std::pair<std::string, std::string> split(llvm::StringRef path) {
  return {llvm::sys::path::parent_path(path).str(),
          llvm::sys::path::filename(path).str()};
}

llvm::Error serve::importFile(const std::string &program,
                              const std::string &path, const std::string &model,
                              const std::string &folder,
                              const ImportLimits &limits) {
  auto [base, file] = split(path);
  std::vector<std::string> texts = {program, "serve", file,
                                    "--prepare=" + folder};
  if (!model.empty()) {
    auto [modelBase, modelFile] = split(model);
    texts.push_back("--model=../" + llvm::sys::path::filename(modelBase).str() +
                    "/" + modelFile);
  }
  std::vector<char *> arguments;
  for (std::string &text : texts)
    arguments.push_back(text.data());
  arguments.push_back(nullptr);
  auto process = Process::start("the reader of uploads", ProcessGroup::Own,
                                [&, base = base](int socket) {
                                  runChild(socket, limits, base, arguments);
                                });
  if (!process)
    return process.takeError();
  auto text = readAll(process->getSocket(), limits.seconds);
  if (!text) {
    process->kill();
    return inputError("upload", "took longer to read than " +
                                    llvm::Twine(int64_t(limits.seconds)) +
                                    " s");
  }
  auto status = process->wait();
  if (status && status->getCode() == 0)
    return llvm::Error::success();
  return parseError(*text, status ? status->describe() : "ended");
}
