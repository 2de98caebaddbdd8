//===- Sessions.cpp - Open profiles ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sessions.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Session/WithoutEvents.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <malloc.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static constexpr size_t kMostReports = 6;
static constexpr size_t kMostViews = 24;

/// The value of `key`, which becomes the first; null if there is none.
template <typename T>
static T findRecent(std::list<std::pair<std::string, T>> &recent,
                    const std::string &key) {
  auto it = llvm::find_if(
      recent, [&](const auto &entry) { return entry.first == key; });
  if (it == recent.end())
    return nullptr;
  recent.splice(recent.begin(), recent, it);
  return it->second;
}

template <typename T>
static void addRecent(std::list<std::pair<std::string, T>> &recent,
                      const std::string &key, T value, size_t most) {
  recent.emplace_front(key, std::move(value));
  if (recent.size() > most)
    recent.pop_back();
}

/// Returns freed memory to the system: the allocator would keep that of events
/// for good.
static void returnMemory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

static OpenOptions getOptions(llvm::StringRef level) {
  OpenOptions options;
  options.level = level.str();
  options.allowUnmatched = true;
  options.takesCounts = true;
  return options;
}

llvm::Expected<std::shared_ptr<OpenProfile>>
OpenProfile::open(std::string path, llvm::StringRef level) {
  auto session = openWithoutEvents(path, getOptions(level));
  if (!session)
    return session.takeError();
  return std::shared_ptr<OpenProfile>(
      new OpenProfile(std::move(path), std::move(*session)));
}

llvm::Expected<Session> OpenProfile::openWithEvents() const {
  return openSession(path, getOptions(session.level));
}

llvm::Error OpenProfile::writeTimeline(llvm::StringRef to) const {
  llvm::Error error = llvm::Error::success();
  if (leavesOutEvents(session.profile)) {
    auto whole = openProfile(path);
    error = whole ? serve::writeTimeline(*whole, to) : whole.takeError();
  } else {
    error = serve::writeTimeline(session.profile, to);
  }
  returnMemory();
  return error;
}

namespace {
/// A table and the session that it may refer to.
struct TableOfEvents {
  Session session;
  Report report;
};
} // namespace

llvm::Expected<BuiltReport> OpenProfile::build(const ReportKind &kind,
                                               RowSelection selection) const {
  if (!kind.usesEvents || !leavesOutEvents(session.profile)) {
    auto built = session.report(kind.name, {}, selection);
    if (!built)
      return built.takeError();
    return std::make_shared<const Report>(std::move(*built));
  }
  auto whole = openWithEvents();
  if (!whole)
    return whole.takeError();
  auto owner = std::make_shared<TableOfEvents>();
  owner->session = std::move(*whole);
  auto built = owner->session.report(kind.name, {}, selection);
  if (!built)
    return built.takeError();
  owner->report = std::move(*built);
  dropEvents(owner->session.profile);
  returnMemory();
  return BuiltReport(owner, &owner->report);
}

llvm::Expected<BuiltReport> OpenProfile::getReport(llvm::StringRef by,
                                                   RowSelection selection) {
  std::string key = by.str() + (selection == RowSelection::All ? " all" : "");
  std::lock_guard<std::mutex> guard(mutex);
  if (BuiltReport found = findRecent(reports, key))
    return found;
  auto kind = findReport(by);
  if (!kind)
    return kind.takeError();
  auto report = build(**kind, selection);
  if (report)
    addRecent<BuiltReport>(reports, key, *report, kMostReports);
  return report;
}

llvm::Expected<BuiltView> OpenProfile::getView(const std::string &key,
                                               const Report &report,
                                               const Query &query) {
  std::lock_guard<std::mutex> guard(mutex);
  if (BuiltView found = findRecent(views, key))
    return found;
  auto applied = applyQuery(report.table, query);
  if (!applied)
    return applied.takeError();
  auto view = std::make_shared<const View>(std::move(*applied));
  addRecent<BuiltView>(views, key, view, kMostViews);
  return view;
}

uint64_t OpenProfile::countBytes() const {
  constexpr uint64_t kOfOp = 512;
  uint64_t bytes = 1 << 20;
  const Profile &profile = session.profile;
  for (const std::string &text : profile.strings)
    bytes += sizeof(text) + text.size();
  bytes += profile.opKeys.size() * kOfOp;
  for (const IrModule &module : profile.irModules)
    bytes += 2 * module.bytecode.size();
  for (const Program &program : profile.programs)
    bytes += program.nodes.size() * 200 + program.instructions.size() * 24;
  for (const Run &run : profile.runs)
    bytes += (run.ops.size() + run.events.size()) * kOfOp;
  if (session.ownership)
    bytes += session.ownership->ops.size() * kOfOp;
  return bytes;
}

std::shared_ptr<SessionCache::Entry>
SessionCache::getEntry(const std::string &key) {
  std::lock_guard<std::mutex> guard(mutex);
  if (auto found = findRecent(entries, key))
    return found;
  auto entry = std::make_shared<Entry>();
  entries.emplace_front(key, entry);
  return entry;
}

void SessionCache::limitBytes() {
  std::lock_guard<std::mutex> guard(mutex);
  uint64_t bytes = 0;
  for (auto it = entries.begin(); it != entries.end();) {
    bytes += it->second->bytes;
    // The one in use stays, however large.
    bool goes = bytes > mostBytes && it != entries.begin();
    it = goes ? entries.erase(it) : std::next(it);
  }
}

llvm::Expected<std::shared_ptr<OpenProfile>>
SessionCache::get(const StoredProfile &profile, llvm::StringRef level) {
  if (level == "input")
    level = "";
  std::shared_ptr<Entry> entry = getEntry(profile.id + "/" + level.str());
  {
    std::lock_guard<std::mutex> guard(entry->mutex);
    if (entry->profile)
      return entry->profile;
    auto opened = OpenProfile::open(store.getPath(profile), level);
    if (!opened)
      return opened.takeError();
    entry->profile = std::move(*opened);
    entry->bytes = entry->profile->countBytes();
  }
  limitBytes();
  return entry->profile;
}

llvm::Expected<std::shared_ptr<const Timeline>>
SessionCache::getTimeline(const StoredProfile &profile) {
  std::shared_ptr<Entry> entry = getEntry(profile.id + " timeline");
  std::lock_guard<std::mutex> guard(entry->mutex);
  if (entry->hasTimeline)
    return entry->timeline;
  auto timeline = openTimeline(profile);
  if (!timeline)
    return timeline.takeError();
  entry->timeline = std::move(*timeline);
  entry->hasTimeline = true;
  return entry->timeline;
}

llvm::Expected<std::shared_ptr<const Timeline>>
SessionCache::openTimeline(const StoredProfile &profile) {
  std::string path = store.getTimelinePath(profile.id);
  if (llvm::sys::fs::exists(path)) {
    auto timeline = Timeline::open(path);
    if (timeline)
      return std::shared_ptr<const Timeline>(std::move(*timeline));
    // Another version wrote it: it is made of the profile again.
    llvm::consumeError(timeline.takeError());
  }
  auto opened = get(profile, "");
  if (!opened)
    return opened.takeError();
  if (!hasKeptEvents((*opened)->get().profile))
    return nullptr;
  if (llvm::Error error = (*opened)->writeTimeline(path))
    return std::move(error);
  auto timeline = Timeline::open(path);
  if (!timeline)
    return timeline.takeError();
  return std::shared_ptr<const Timeline>(std::move(*timeline));
}

void SessionCache::drop(llvm::StringRef id) {
  std::lock_guard<std::mutex> guard(mutex);
  entries.remove_if([&](const auto &entry) {
    return llvm::StringRef(entry.first).starts_with(id);
  });
}
