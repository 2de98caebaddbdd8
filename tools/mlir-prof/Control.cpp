//===- Control.cpp - mlir-prof control ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts and stops the recording of a program that has a mlir_prof.Capture. It
// listens at PID.sock in $XDG_RUNTIME_DIR/mlir-prof or, without that, in the
// folder `control` of the cache (python/mlir_prof/control/_server.py); a
// request and its answer are a line of JSON each.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Printable.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <csignal>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

using namespace mlirprof;
using llvm::opt::InputArgList;

/// The program starts its recorders before it answers, which takes seconds.
static constexpr int kPatienceSeconds = 90;
static constexpr size_t kLongestAnswer = 1 << 20;

static std::string getSystemError() { return std::strerror(errno); }

//===----------------------------------------------------------------------===//
// The socket
//===----------------------------------------------------------------------===//

/// The folder of sockets.
static std::string getSocketFolder() {
  auto get = [](llvm::StringRef name) {
    return llvm::sys::Process::GetEnv(name).value_or("");
  };
  llvm::SmallString<128> folder(get("XDG_RUNTIME_DIR"));
  if (!folder.empty()) {
    llvm::sys::path::append(folder, "mlir-prof");
    return std::string(folder);
  }
  folder = get("MLIR_PROF_CACHE");
  if (folder.empty() || folder == "off") {
    folder.clear();
    llvm::sys::path::cache_directory(folder);
    llvm::sys::path::append(folder, "mlir-prof");
  }
  llvm::sys::path::append(folder, "control");
  return std::string(folder);
}

/// Whether only this user can have made what is at `path`.
static llvm::Error checkOwner(const std::string &path, mode_t type) {
  struct stat found;
  if (::lstat(path.c_str(), &found))
    return inputError(path, getSystemError());
  if ((found.st_mode & S_IFMT) == type && found.st_uid == ::geteuid() &&
      !(found.st_mode & 077))
    return llvm::Error::success();
  return inputError(path, "is open to other users",
                    "Remove it, and start the program again.");
}

static llvm::Error notListening(pid_t pid) {
  return inputError(
      "process " + llvm::Twine(pid), "does not listen",
      "Make a mlir_prof.Capture in it, and use the same XDG_RUNTIME_DIR here.");
}

/// Opens a connection to the process, which must be this user's.
static llvm::Expected<int> connectTo(pid_t pid) {
  if (::kill(pid, 0) && errno == ESRCH)
    return inputError("process " + llvm::Twine(pid), "does not exist",
                      "Give the number that the program prints as its "
                      "os.getpid().");
  std::string folder = getSocketFolder();
  std::string path = folder + "/" + std::to_string(pid) + ".sock";
  if (::access(path.c_str(), F_OK))
    return notListening(pid);
  if (llvm::Error error = checkOwner(folder, S_IFDIR))
    return std::move(error);
  if (llvm::Error error = checkOwner(path, S_IFSOCK))
    return std::move(error);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return inputError(path, "is too long for a socket",
                      "Set XDG_RUNTIME_DIR to a shorter folder.");
  std::memcpy(address.sun_path, path.data(), path.size());
  int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0)
    return inputError(path, getSystemError());
  if (!::connect(connection, reinterpret_cast<sockaddr *>(&address),
                 sizeof address))
    return connection;
  bool isRefused = errno == ECONNREFUSED;
  llvm::Error error =
      isRefused ? notListening(pid) : inputError(path, getSystemError());
  ::close(connection);
  return std::move(error);
}

static llvm::Error sendLine(int connection, std::string line) {
  line += '\n';
  for (llvm::StringRef rest = line; !rest.empty();) {
    ssize_t sent = ::send(connection, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR)
      return inputError("the program", getSystemError());
    rest = rest.drop_front(std::max<ssize_t>(sent, 0));
  }
  return llvm::Error::success();
}

static llvm::Expected<std::string> receiveLine(int connection) {
  timeval patience = {kPatienceSeconds, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string line;
  char part[4096];
  while (!llvm::StringRef(line).contains('\n')) {
    ssize_t received = ::recv(connection, part, sizeof part, 0);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0 || line.size() > kLongestAnswer)
      return inputError("the program", "does not answer",
                        "It may be busy; try again.");
    line.append(part, size_t(received));
  }
  return line.substr(0, line.find('\n'));
}

//===----------------------------------------------------------------------===//
// The verb
//===----------------------------------------------------------------------===//

/// Sends `request` to the process; returns its status.
static llvm::Expected<llvm::json::Object> ask(pid_t pid,
                                              llvm::StringRef request) {
  llvm::Expected<int> connection = connectTo(pid);
  if (!connection)
    return connection.takeError();
  llvm::scope_exit close([&] { ::close(*connection); });
  llvm::json::Value message = llvm::json::Object{{"verb", request}};
  if (llvm::Error error =
          sendLine(*connection, llvm::formatv("{0}", message).str()))
    return std::move(error);
  llvm::Expected<std::string> line = receiveLine(*connection);
  if (!line)
    return line.takeError();
  llvm::Expected<llvm::json::Value> answer = llvm::json::parse(*line);
  if (!answer || !answer->getAsObject()) {
    llvm::consumeError(answer.takeError());
    return inputError("the program", "answers in an unknown form",
                      "Use the mlir-prof of the same version.");
  }
  llvm::json::Object status = std::move(*answer->getAsObject());
  if (auto error = status.getString("error"))
    return inputError("process " + llvm::Twine(pid), printable(*error),
                      printable(status.getString("hint").value_or("")));
  return std::move(status);
}

/// One line: what the process does, and where the recording is.
static void printStatus(const llvm::json::Object &status,
                        llvm::raw_ostream &os) {
  os << printable(status.getString("state").value_or("unknown"));
  if (auto step = status.getInteger("step"))
    os << ", step " << *step;
  if (const llvm::json::Array *names = status.getArray("frameworks")) {
    llvm::ListSeparator separator(" ");
    if (!names->empty())
      os << ", ";
    for (const llvm::json::Value &name : *names)
      os << separator << printable(name.getAsString().value_or(""));
  }
  if (auto folder = status.getString("folder"))
    os << ", " << printable(*folder);
  os << '\n';
}

static llvm::Error run(const InputArgList &arguments) {
  auto format = getFormat(arguments, "control");
  if (!format)
    return format.takeError();
  std::vector<std::string> inputs = arguments.getAllArgValues(OPT_INPUT);
  if (inputs.size() != 2)
    return usageError("control needs a process and one of start, stop, status");
  pid_t pid = 0;
  if (llvm::StringRef(inputs[0]).getAsInteger(10, pid) || pid <= 0)
    return usageError("'" + inputs[0] + "' is not the number of a process");
  if (!llvm::is_contained({"start", "stop", "status"},
                          llvm::StringRef(inputs[1])))
    return usageError("'" + inputs[1] + "' is not one of start, stop, status");
  auto status = ask(pid, inputs[1]);
  if (!status)
    return status.takeError();
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    if (getDocumentFormats()[*format].name == "json")
      os << llvm::json::Value(std::move(*status)) << '\n';
    else
      printStatus(*status, os);
    return llvm::Error::success();
  });
}

Verb verb::Control() {
  return {"control", run, getDocumentFormats, Positionals::None};
}
