//===- Sessions.h - Open profiles -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_API_SESSIONS_H
#define MLIR_PROF_LIB_SERVE_API_SESSIONS_H

#include "../Timeline/Timeline.h"
#include "mlir-prof/Serve/Store.h"
#include "mlir-prof/Session/Session.h"

#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace mlirprof::serve {

/// A built table; its view holds all rows in the default order.
using BuiltReport = std::shared_ptr<const report::Report>;
/// Rows of a built table.
using BuiltView = std::shared_ptr<const report::View>;

/// A session without the single events of its profile, and the tables that were
/// built from it. May be used by several threads.
class OpenProfile {
public:
  /// Opens the profile of the file `path`; the level "" is the input.
  static llvm::Expected<std::shared_ptr<OpenProfile>>
  open(std::string path, llvm::StringRef level);

  const Session &get() const { return session; }
  /// A further session of the profile, with its events: they may take most of
  /// the memory, so it must not be kept.
  llvm::Expected<Session> openWithEvents() const;

  llvm::Error writeTimeline(llvm::StringRef to) const;

  /// The table `by`; the last few are kept.
  llvm::Expected<BuiltReport> getReport(llvm::StringRef by,
                                        report::RowSelection selection);
  /// The rows of that table that `query` selects, apart from its page. `key`
  /// names table and query.
  llvm::Expected<BuiltView> getView(const std::string &key,
                                    const report::Report &report,
                                    const report::Query &query);
  /// The object `key` of this profile, made by `make` at its first use.
  template <typename T>
  std::shared_ptr<const T>
  getOrMake(const std::string &key,
            llvm::function_ref<std::shared_ptr<const T>()> make) {
    std::lock_guard<std::mutex> guard(partsMutex);
    std::shared_ptr<const void> &part = parts[key];
    if (!part)
      part = make();
    return std::static_pointer_cast<const T>(part);
  }

  /// An estimate of the memory that it takes.
  uint64_t countBytes() const;

private:
  OpenProfile(std::string path, Session session)
      : path(std::move(path)), session(std::move(session)) {}
  llvm::Expected<BuiltReport> build(const report::ReportKind &kind,
                                    report::RowSelection selection) const;

  std::string path;
  Session session;
  std::mutex mutex, partsMutex;
  /// The last used comes first.
  std::list<std::pair<std::string, BuiltReport>> reports;
  std::list<std::pair<std::string, BuiltView>> views;
  std::map<std::string, std::shared_ptr<const void>> parts;
};

/// Open profiles, the last used ones up to a number of bytes.
class SessionCache {
public:
  SessionCache(const Store &store, uint64_t mostBytes)
      : store(store), mostBytes(mostBytes) {}

  /// The profile at `level`, "" for the input.
  llvm::Expected<std::shared_ptr<OpenProfile>> get(const StoredProfile &profile,
                                                   llvm::StringRef level);
  /// Null if the profile does not have events.
  llvm::Expected<std::shared_ptr<const Timeline>>
  getTimeline(const StoredProfile &profile);
  /// Forgets a removed profile.
  void drop(llvm::StringRef id);

private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<OpenProfile> profile;
    std::shared_ptr<const Timeline> timeline;
    bool hasTimeline = false;
    uint64_t bytes = 0;
  };
  /// Writes the timeline of a profile that does not have one of this version.
  llvm::Expected<std::shared_ptr<const Timeline>>
  openTimeline(const StoredProfile &profile);
  std::shared_ptr<Entry> getEntry(const std::string &key);
  void limitBytes();

  const Store &store;
  uint64_t mostBytes;
  std::mutex mutex;
  std::list<std::pair<std::string, std::shared_ptr<Entry>>> entries;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_API_SESSIONS_H
