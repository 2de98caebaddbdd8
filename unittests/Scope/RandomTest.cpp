//===- RandomTest.cpp - Random programs against a model -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads run random operations, one at a time, under a simulated clock. The
// model keeps parents as pointers and covers times nanosecond by nanosecond, so
// it shares neither data structures nor algorithms with what it checks.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// A thread that runs what it is given, and waits for it.
class Worker {
public:
  Worker() : thread([this] { loop(); }) {}
  ~Worker() {
    run(nullptr);
    thread.join();
  }
  void run(std::function<void()> work) {
    std::unique_lock<std::mutex> lock(mutex);
    task = std::move(work);
    hasTask = true;
    changed.notify_all();
    changed.wait(lock, [this] { return !hasTask; });
  }

private:
  void loop() {
    std::unique_lock<std::mutex> lock(mutex);
    for (bool isLast = false; !isLast;) {
      changed.wait(lock, [this] { return hasTask; });
      isLast = !task;
      // Tasks run others on other threads.
      lock.unlock();
      if (!isLast)
        task();
      lock.lock();
      hasTask = false;
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task;
  bool hasTask = false;
  std::thread thread;
};

struct ModelScope;

/// Something on the stack of a thread: a part of a scope, or a context.
struct Part {
  /// Null for a context.
  ModelScope *scope = nullptr;
  /// The scope for which a context stands.
  ModelScope *target = nullptr;
  int thread = 0;
  int64_t begin = 0;
  int64_t end = 0;
  bool isOpen = true;
  bool isSuspended = false;
  /// The innermost one at its begin.
  Part *around = nullptr;
};

struct ModelScope {
  std::string name;
  std::vector<Part *> parts;
  bool hasEnded = false;

  bool isSuspended() const { return !hasEnded && parts.back()->isSuspended; }
};

/// The scope around a part, whether a context told it, and the scope whose time
/// it takes.
struct Around {
  Part *part = nullptr;
  bool isLinked = false;
  Part *local = nullptr;
};

static Around findAround(const Part &part) {
  ModelScope *target = nullptr;
  Part *at = part.around;
  for (; at && !at->scope; at = at->around)
    if (!target)
      target = at->target;
  if (!target || target == part.scope || (at && at->scope == target))
    return {at, false, at};
  return {target->parts.front(), true, at};
}

class Program {
public:
  Program(unsigned seed, std::vector<std::unique_ptr<Worker>> &workers)
      : random(seed), workers(workers), stacks(workers.size()) {}
  void run();

private:
  static constexpr int kOps = 40;
  int pick(size_t below) { return int(random() % below); }
  void step();
  void begin();
  void end();
  void endAgain();
  void suspend();
  void resume();
  void enter();
  void leave();
  Part *push(ModelScope *scope);
  void pop(Part *part, bool isSuspended);
  int choose(std::function<bool(const ModelScope &)> wanted);
  void tick(int least) { simulatedNs += least + pick(3); }
  void finish();
  void check(const Recording &recording);
  void checkEvents(const Recording &recording);
  void checkTable(const Recording &recording);
  void
  checkRows(const std::map<std::string, const TableRow *> &rows,
            const std::function<std::string(const ModelScope &)> &makeName);
  void checkStatistics(const Recording &recording);
  int64_t computeSelf(const Part &part) const;

  std::mt19937 random;
  std::vector<std::unique_ptr<Worker>> &workers;
  int thread = 0;
  std::vector<std::vector<Part *>> stacks;
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<std::unique_ptr<ModelScope>> scopes;
  std::vector<prof_scope_token> tokens;
  std::vector<std::pair<Part *, prof_scope_token>> contexts;
  uint64_t lostEnds = 0;
  uint64_t lostResumes = 0;
  bool hasStatistics = false;
};

} // namespace

#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
static constexpr unsigned kPrograms = 1000;
#else
static constexpr unsigned kPrograms = 10000;
#endif

static constexpr std::string_view kLostEnd = "end of a scope that was not open";
static constexpr std::string_view kLostResume =
    "suspended or resumed scope that was not to be";

static prof_scope_site sites[] = {PROF_SCOPE_SITE("first", 7, 1, 0),
                                  PROF_SCOPE_SITE("second", 0, 1, 0),
                                  PROF_SCOPE_SITE("third", 14, 1, 0)};

Part *Program::push(ModelScope *scope) {
  Part *part = parts.emplace_back(std::make_unique<Part>()).get();
  part->scope = scope;
  part->thread = thread;
  part->begin = simulatedNs;
  part->around = stacks[thread].empty() ? nullptr : stacks[thread].back();
  stacks[thread].push_back(part);
  if (scope)
    scope->parts.push_back(part);
  return part;
}

void Program::pop(Part *part, bool isSuspended) {
  part->end = simulatedNs;
  part->isOpen = false;
  part->isSuspended = isSuspended;
  llvm::erase(stacks[part->thread], part);
}

/// A random scope that is wanted, preferably one that began late; -1 without
/// one.
int Program::choose(std::function<bool(const ModelScope &)> wanted) {
  std::vector<int> found;
  for (size_t index = 0; index != scopes.size(); ++index)
    if (wanted(*scopes[index]))
      found.push_back(int(index));
  if (found.empty())
    return -1;
  return pick(2) ? found.back() : found[pick(found.size())];
}

void Program::begin() {
  tick(1);
  auto scope = std::make_unique<ModelScope>();
  int index = pick(6);
  prof_scope_token token;
  if (index < 3) {
    scope->name = sites[index].name;
    token = prof_scope_begin(&sites[index]);
  } else {
    scope->name = "name " + std::to_string(index) + std::string(index * 5, 'x');
    token =
        prof_scope_begin_name(scope->name.data(), scope->name.size(), 7, 1, 0);
  }
  push(scope.get());
  scopes.push_back(std::move(scope));
  tokens.push_back(token);
}

void Program::end() {
  int mine = thread;
  bool isOwn = pick(4) != 0;
  int index = choose([&](const ModelScope &scope) {
    return !scope.hasEnded && (!isOwn || scope.parts.back()->thread == mine);
  });
  if (index < 0)
    return;
  ModelScope &scope = *scopes[index];
  tick(0);
  if (scope.isSuspended()) {
    // It goes on for no time.
    tick(1);
    pop(push(&scope), false);
  } else {
    pop(scope.parts.back(), false);
  }
  scope.hasEnded = true;
  prof_scope_end(tokens[index]);
}

void Program::endAgain() {
  int index = choose([](const ModelScope &scope) { return scope.hasEnded; });
  if (index < 0 || reinterpret_cast<uintptr_t>(tokens[index].thread) == 1)
    return;
  ++lostEnds;
  prof_scope_end(tokens[index]);
}

void Program::suspend() {
  int index = choose([](const ModelScope &scope) { return !scope.hasEnded; });
  if (index < 0)
    return;
  ModelScope &scope = *scopes[index];
  tick(0);
  if (scope.isSuspended())
    ++lostResumes;
  else
    pop(scope.parts.back(), true);
  prof_scope_suspend(&tokens[index]);
}

void Program::resume() {
  int index = choose([](const ModelScope &scope) { return !scope.hasEnded; });
  if (index < 0)
    return;
  ModelScope &scope = *scopes[index];
  tick(1);
  if (scope.isSuspended())
    push(&scope);
  else
    ++lostResumes;
  prof_scope_resume(&tokens[index]);
}

void Program::enter() {
  // Taken on another thread, or on this one.
  int from = pick(stacks.size());
  Part *top = stacks[from].empty() ? nullptr : stacks[from].back();
  prof_scope_context context = {};
  auto take = [&] { context = prof_scope_here(); };
  if (from == thread)
    take();
  else
    workers[from]->run(take);
  EXPECT_EQ(context.id != 0, top != nullptr);
  tick(1);
  prof_scope_token token = prof_scope_enter(context);
  if (!top)
    return;
  Part *part = push(nullptr);
  part->target = top->scope ? top->scope : top->target;
  contexts.emplace_back(part, token);
}

void Program::leave() {
  if (contexts.empty())
    return;
  size_t index = pick(contexts.size());
  tick(0);
  pop(contexts[index].first, false);
  prof_scope_end(contexts[index].second);
  contexts.erase(contexts.begin() + index);
}

void Program::step() {
  switch (pick(20)) {
  case 0:
    return suspend();
  case 1:
    return resume();
  case 2:
    return enter();
  case 3:
    return leave();
  case 4:
    return endAgain();
  case 5:
  case 6:
  case 7:
  case 8:
  case 9:
  case 10:
  case 11:
    return end();
  default:
    return begin();
  }
}

int64_t Program::computeSelf(const Part &part) const {
  std::vector<bool> covered(part.end - part.begin);
  for (const auto &child : parts) {
    Around around = child->scope ? findAround(*child) : Around();
    if (around.local != &part)
      continue;
    for (int64_t at = std::max(child->begin, part.begin);
         at < std::min(child->end, part.end); ++at)
      covered[at - part.begin] = true;
  }
  return std::count(covered.begin(), covered.end(), false);
}

void Program::checkEvents(const Recording &recording) {
  std::map<int64_t, const ScopeEvent *> byBegin;
  int64_t anchor = recording.clock.toPs(0);
  for (const ScopeEvent &event : recording.events)
    byBegin[event.beginPs - anchor] = &event;
  EXPECT_EQ(byBegin.size(), recording.events.size());
  std::map<int, uint32_t> threads;
  size_t count = 0;
  for (const auto &part : parts) {
    if (!part->scope)
      continue;
    ++count;
    auto found = byBegin.find(part->begin * 1000);
    ASSERT_NE(found, byBegin.end()) << "begin " << part->begin;
    const ScopeEvent &event = *found->second;
    EXPECT_EQ(recording.sites[event.site].name, part->scope->name);
    EXPECT_EQ(event.endPs - anchor, part->end * 1000);
    auto thread = threads.try_emplace(part->thread, event.thread).first;
    EXPECT_EQ(event.thread, thread->second);
    EXPECT_EQ(event.end, part->isOpen        ? EventEnd::Open
                         : part->isSuspended ? EventEnd::Suspended
                                             : EventEnd::Ended);
    EXPECT_EQ(recording.events[event.first].beginPs - anchor,
              part->scope->parts.front()->begin * 1000);
    Around around = findAround(*part);
    EXPECT_EQ(event.isLinked, around.isLinked);
    ASSERT_EQ(event.parent == kNoScope, !around.part)
        << part->scope->name << " of " << part->begin;
    if (around.part) {
      EXPECT_EQ(recording.events[event.parent].beginPs - anchor,
                around.part->begin * 1000)
          << part->scope->name << " of " << part->begin;
    }
    EXPECT_EQ(event.selfPs, computeSelf(*part) * 1000)
        << part->scope->name << " of " << part->begin;
  }
  EXPECT_EQ(recording.events.size(), count);
}

namespace {
struct Sum {
  uint64_t calls = 0;
  int64_t total = 0;
  int64_t self = 0;
  int64_t min = INT64_MAX;
  int64_t max = 0;
  bool operator==(const Sum &other) const {
    return std::tie(calls, total, self, min, max) ==
           std::tie(other.calls, other.total, other.self, other.min, other.max);
  }
  friend std::ostream &operator<<(std::ostream &os, const Sum &sum) {
    return os << sum.calls << " calls, " << sum.total << " total, " << sum.self
              << " self, " << sum.min << " to " << sum.max;
  }
};
} // namespace

/// The names of a scope and of those around it.
static std::string makeScopePath(const ModelScope &scope) {
  Part *around = findAround(*scope.parts.front()).part;
  return (around ? makeScopePath(*around->scope) : "") + "/" + scope.name;
}

/// Whether a scope of the same name is around it on its thread.
static bool isRecursive(const ModelScope &scope) {
  Around around = findAround(*scope.parts.front());
  while (around.part && !around.isLinked) {
    if (around.part->scope->name == scope.name)
      return true;
    around = findAround(*around.part);
  }
  return false;
}

static int64_t computeDuration(const ModelScope &scope) {
  int64_t duration = 0;
  for (const Part *part : scope.parts)
    duration += (part->end - part->begin) * 1000;
  return duration;
}

/// Compares rows with sums of what the model calls by `makeName`.
void Program::checkRows(
    const std::map<std::string, const TableRow *> &rows,
    const std::function<std::string(const ModelScope &)> &makeName) {
  std::map<std::string, Sum> sums, found;
  std::map<std::string, std::vector<int64_t>> durations;
  std::map<std::string, std::pair<uint64_t, int64_t>> linked;
  for (const auto &scope : scopes) {
    int64_t duration = computeDuration(*scope);
    Around around = findAround(*scope->parts.front());
    if (around.isLinked) {
      auto &[count, time] = linked[makeName(*around.part->scope)];
      ++count;
      time += duration;
    }
    if (!scope->hasEnded)
      continue;
    Sum &sum = sums[makeName(*scope)];
    for (const Part *part : scope->parts)
      sum.self += computeSelf(*part) * 1000;
    ++sum.calls;
    // By path, the scope around it is of another row.
    if (makeName(*scope) != scope->name || !isRecursive(*scope))
      sum.total += duration;
    sum.min = std::min(sum.min, duration);
    sum.max = std::max(sum.max, duration);
    durations[makeName(*scope)].push_back(duration);
  }
  for (const auto &[name, row] : rows) {
    EXPECT_EQ(row->linked, linked[name].first) << name;
    EXPECT_EQ(row->linkedPs, linked[name].second) << name;
    if (!row->calls)
      continue;
    found[name] = {row->calls, row->totalPs, row->selfPs, row->minPs,
                   row->maxPs};
    // Half of them are not above the median, and fewer than half below it.
    const std::vector<int64_t> &of = durations[name];
    auto countUpTo = [&](int64_t ps) {
      return 2 * std::count_if(of.begin(), of.end(),
                               [ps](int64_t other) { return other <= ps; });
    };
    EXPECT_GE(countUpTo(row->p50Ps), std::ptrdiff_t(of.size())) << name;
    EXPECT_LT(countUpTo(row->p50Ps - 1), std::ptrdiff_t(of.size())) << name;
  }
  EXPECT_EQ(found, sums);
}

void Program::checkTable(const Recording &recording) {
  std::vector<TableRow> table = makeTable(recording);
  std::map<std::string, const TableRow *> rows;
  for (const TableRow &row : table)
    EXPECT_TRUE(rows.emplace(row.name, &row).second);
  checkRows(rows, [](const ModelScope &scope) { return scope.name; });

  TableOptions options;
  options.key = RowKey::Path;
  table = makeTable(recording, options);
  rows.clear();
  std::vector<std::string> paths;
  for (const TableRow &row : table) {
    paths.push_back((row.parent == kNoScope ? "" : paths[row.parent]) + "/" +
                    row.name);
    EXPECT_TRUE(rows.emplace(paths.back(), &row).second);
  }
  checkRows(rows, makeScopePath);
}

/// Sums by name and thread, of events or statistics.
static std::map<std::pair<std::string, uint32_t>, Sum>
makeSums(const std::vector<TableRow> &rows) {
  std::map<std::pair<std::string, uint32_t>, Sum> sums;
  for (const TableRow &row : rows)
    if (row.calls)
      // Statistics add the time of recursive calls.
      sums[{row.name, row.thread}] = {row.calls, row.totalPs + row.recursivePs,
                                      row.selfPs, row.minPs, row.maxPs};
  return sums;
}

/// They are what the events tell, which equal the model.
void Program::checkStatistics(const Recording &recording) {
  for (bool mergesThreads : {true, false}) {
    TableOptions options;
    options.mergesThreads = mergesThreads;
    EXPECT_EQ(makeSums(makeStatisticsTable(recording, options)),
              makeSums(makeTable(recording, options)));
  }
}

void Program::check(const Recording &recording) {
  checkEvents(recording);
  checkTable(recording);
  if (hasStatistics)
    checkStatistics(recording);
  EXPECT_EQ(getLoss(recording, kLostEnd), lostEnds);
  EXPECT_EQ(getLoss(recording, kLostResume), lostResumes);
  for (const Loss &loss : recording.losses)
    EXPECT_TRUE(loss.name == kLostEnd || loss.name == kLostResume)
        << loss.name << ": " << loss.count;
}

/// Ends what is open, so that the next program does not find it.
void Program::finish() {
  while (!contexts.empty())
    leave();
  for (size_t index = 0; index != scopes.size(); ++index)
    if (!scopes[index]->hasEnded)
      prof_scope_end(tokens[index]);
}

void Program::run() {
  hasStatistics = pick(2);
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | (hasStatistics ? 2 : 0);
  options.ring_records = pick(2) ? 1024 : 0;
  std::string path;
  if (pick(50) == 0)
    options.path = (path = makePath("random")).c_str();
  tick(1);
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  for (int op = 0; op < kOps;) {
    thread = pick(workers.size());
    workers[thread]->run([&] {
      for (int more = 1 + pick(6); more && op < kOps; --more, ++op)
        step();
    });
  }
  tick(1);
  for (const auto &part : parts)
    if (part->isOpen)
      part->end = simulatedNs;
  std::vector<char> bytes = copyScopes();
  prof_scope_stop(nullptr);
  check(readScopes(bytes));
  if (!path.empty()) {
    check(readScopeFile(path));
    llvm::sys::fs::remove(path);
  }
  finish();
}

TEST(RandomScopes, EqualTheModel) {
  SimulatedClock clock;
  std::vector<std::unique_ptr<Worker>> workers;
  for (int count = 0; count < 3; ++count)
    workers.push_back(std::make_unique<Worker>());
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program(seed, workers).run();
    if (testing::Test::HasFailure())
      return;
  }
}
