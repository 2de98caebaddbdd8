//===- SelfProfile.cpp - A profile of the tool itself ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelfProfile.h"
#include "SessionOptions.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Session/Session.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::profile;

static constexpr llvm::StringLiteral kSuffix = ".scopes";

/// Processes whose scopes are elsewhere.
static std::set<uint64_t> &getLeftOut() {
  static std::set<uint64_t> processes;
  return processes;
}

void SelfProfile::leaveOut(uint64_t process) { getLeftOut().insert(process); }

static bool isLeftOut(const Profile &profile) {
  return llvm::any_of(profile.runs, [](const Run &run) {
    return run.scopes && getLeftOut().count(run.scopes->process);
  });
}

SelfProfile::SelfProfile(llvm::StringRef path)
    : path(path),
      stream(path.ends_with(kSuffix) ? path.str() : path.str() + kSuffix.str()),
      process(getpid()) {}

llvm::Expected<std::unique_ptr<SelfProfile>>
SelfProfile::start(llvm::StringRef path) {
  if (path == "-")
    return usageError("--self-profile needs the name of a file");
  if (llvm::Error error = checkOutput(path))
    return std::move(error);
  // In paths of the runtime %p is a process.
  if (path.contains("%p"))
    return usageError("--self-profile: the name of the file contains %p");
  std::unique_ptr<SelfProfile> profile(new SelfProfile(path));
  if (llvm::Error error = profile->removeStaleStreams())
    return std::move(error);
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = profile->stream.c_str();
  if (int error = prof_scope_start(&options, nullptr)) {
    prof_scope_stop(nullptr);
    profile->isRunning = false;
    return inputError(profile->stream,
                      "cannot be written: " +
                          std::generic_category().message(error));
  }
  return std::move(profile);
}

/// Whether the file is a recording of scopes, as opposed to one of the user's
/// whose name is alike.
static bool isStream(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFileSlice(path, PROF_SCOPE_PAGE, 0);
  return file && scope::isRecording((*file)->getBuffer());
}

/// Those of an earlier process would be taken for children of this one.
llvm::Error SelfProfile::removeStaleStreams() const {
  for (const std::string &stale : findStreams()) {
    if (!isStream(stale)) {
      // The user has named it, or it is not in the way.
      if (stale != stream || stream == path)
        continue;
      return inputError(stale,
                        "is not a recording of scopes and would be "
                        "replaced",
                        "Give --self-profile another name.");
    }
    if (std::error_code error = llvm::sys::fs::remove(stale))
      return inputError(stale, "cannot be removed: " + error.message());
  }
  return llvm::Error::success();
}

SelfProfile::~SelfProfile() {
  if (isRunning && process == getpid())
    prof_scope_stop(nullptr);
}

/// The files of this process and of its children.
std::vector<std::string> SelfProfile::findStreams() const {
  std::vector<std::string> found;
  llvm::StringRef folder = llvm::sys::path::parent_path(stream);
  llvm::StringRef name = llvm::sys::path::filename(stream);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           it(folder.empty() ? "." : folder, error),
       end;
       !error && it != end; it.increment(error)) {
    llvm::StringRef other = llvm::sys::path::filename(it->path());
    uint64_t number;
    if (other == name ||
        (other.consume_front(name) && other.consume_front(".") &&
         !other.getAsInteger(10, number)))
      found.push_back(it->path());
  }
  // This process first.
  llvm::sort(found, [](const std::string &a, const std::string &b) {
    return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
  });
  return found;
}

llvm::Error SelfProfile::finish() {
  if (process != getpid() || !isRunning)
    return llvm::Error::success();
  isRunning = false;
  prof_scope_stop(nullptr);
  if (path == stream)
    return llvm::Error::success();
  ProfileMerger merger(MachineRule::Same);
  std::vector<std::string> streams = findStreams();
  for (const std::string &of : streams) {
    if (of != stream && !isStream(of)) {
      note(of + " is not a recording of scopes, and is left as it is");
      continue;
    }
    importer::ImportOptions options;
    options.inputFormat = "scopes";
    options.keep.mode = KeepEvents::Mode::All;
    auto profile = importer::importProfile(of, options);
    if (!profile && of != stream) {
      // A process may have ended before it had written anything.
      note(llvm::toString(profile.takeError()));
      continue;
    }
    if (!profile)
      return profile.takeError();
    if (of != stream && isLeftOut(*profile))
      continue;
    if (llvm::Error error = merger.add(std::move(*profile), of))
      return error;
  }
  auto merged = merger.finish();
  if (!merged)
    return merged.takeError();
  if (llvm::Error error = saveProfile(*merged, ProfileForm::Binary, path))
    return error;
  for (const std::string &of : streams)
    if (std::error_code error =
            isStream(of) ? llvm::sys::fs::remove(of) : std::error_code())
      return inputError(of, "cannot be removed: " + error.message());
  return llvm::Error::success();
}
