//===- ValueCheck.cpp - Checking the values of a profile ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A correct checksum proves that a file is unchanged, not that a correct
// program wrote it. After these checks, sums count everything once, and times
// are possible in a recording.
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Profile/RunTables.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using namespace mlirprof::trace;

namespace {

/// Collects the first problem, with its place in the profile.
class ValueChecker {
public:
  explicit ValueChecker(const Profile &profile) : profile(profile) {}

  std::string run();

private:
  /// An element of a repeated field: "runs[0].steps[3]".
  std::string at(llvm::StringRef field, size_t index) const {
    return (place + field + "[" + llvm::Twine(index) + "]").str();
  }
  template <typename Where>
  void require(bool holds, llvm::StringRef what, Where &&where) {
    if (LLVM_UNLIKELY(!holds) && problem.empty())
      problem = where() + ": " + what.str();
  }
  void checkSummary(const Summary &summary, SummaryRule rule,
                    llvm::function_ref<std::string()> where);
  void checkHash(llvm::StringRef hash, llvm::function_ref<std::string()> where);
  void checkKeys();
  void checkTables();
  void checkElidedValues(const IrModule &module,
                         llvm::function_ref<std::string()> where);
  void checkPrograms();
  void checkHloModules();
  void checkMachine(const Run &run);
  void checkDevices(const Run &run);
  void checkTracks(const Run &run);
  void checkEvents(const Run &run);
  void checkOps(const Run &run);
  void checkBusyTimes(const Run &run);
  void checkSteps(const Run &run);
  void checkKept(const Run &run);
  void checkRest(const Run &run);
  void checkFolded(const Run &run);

  const Profile &profile;
  std::string problem;
  /// The prefix of all places: "runs[0].".
  std::string place;
  /// Hashes of runs, and those of all recordings in them.
  llvm::StringSet<> runs;
  llvm::StringSet<> recordings;
};

} // namespace

void ValueChecker::checkSummary(const Summary &summary, SummaryRule rule,
                                llvm::function_ref<std::string()> where) {
  llvm::StringRef fault = findSummaryFault(summary, rule);
  require(fault.empty(), fault, where);
}

static bool isHash(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

bool schema::isContentHash(llvm::StringRef text) {
  return text.size() == 32 && isHash(text);
}

void ValueChecker::checkHash(llvm::StringRef hash,
                             llvm::function_ref<std::string()> where) {
  require(isContentHash(hash), "hash is not 32 hexadecimal digits", where);
}

/// Keys must be unique. There may be millions, so they are not copied.
void ValueChecker::checkKeys() {
  llvm::ArrayRef<OpKey> keys = profile.opKeys;
  std::vector<uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  OpKeyLess isLess;
  llvm::sort(order,
             [&](uint32_t a, uint32_t b) { return isLess(keys[a], keys[b]); });
  for (size_t i = 1; i < order.size(); ++i)
    require(isLess(keys[order[i - 1]], keys[order[i]]),
            "the same key occurs before it",
            [&] { return at("op_keys", std::max(order[i - 1], order[i])); });
}

void ValueChecker::checkTables() {
  checkKeys();
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> levels;
  for (const auto &[index, module] : llvm::enumerate(profile.irModules)) {
    auto where = [&, i = index] { return at("ir_modules", i); };
    require(module.fingerprint == contentHash(module.bytecode),
            "fingerprint is not that of its bytecode", where);
    require(levels.insert({module.program, module.level}).second,
            "the same level of the same program occurs before it", where);
    checkElidedValues(module, where);
  }
}

void ValueChecker::checkElidedValues(const IrModule &module,
                                     llvm::function_ref<std::string()> where) {
  for (size_t i = 0; i != module.values.size(); ++i)
    require(
        module.values[i].op < module.operations &&
            (i == 0 || module.values[i - 1].op < module.values[i].op),
        "values[" + std::to_string(i) +
            "] does not belong to an op, or not to one after that before it",
        where);
}

void ValueChecker::checkPrograms() {
  std::map<llvm::StringRef, const Program *> programs;
  for (const auto &[index, program] : llvm::enumerate(profile.programs)) {
    auto where = [&, i = index] { return at("programs", i); };
    require(!program.fingerprint.empty(), "fingerprint is empty", where);
    // Newer versions store more of a program than this one can hash.
    require(!isContentHash(program.fingerprint) ||
                profile.minor > Profile::kMinor ||
                !profile.unknownFields.empty() ||
                program.fingerprint == fingerprintProgram(program),
            "fingerprint is not that of its content", where);
    llvm::StringSet<> levels;
    for (const std::string &level : program.levels)
      require(levels.insert(level).second, "one level occurs twice", where);
    programs.emplace(program.fingerprint, &program);
  }
  for (const auto &[index, module] : llvm::enumerate(profile.irModules)) {
    auto known = programs.find(module.program);
    require(known == programs.end() ||
                llvm::is_contained(known->second->levels, module.level),
            "belongs to a level that its program lacks",
            [&, i = index] { return at("ir_modules", i); });
  }
}

void ValueChecker::checkHloModules() {
  std::set<std::pair<llvm::StringRef, int64_t>> modules;
  for (const auto &[index, module] : llvm::enumerate(profile.hloModules)) {
    auto where = [&, i = index] { return at("hlo_modules", i); };
    require(modules.insert({module.name, module.programId}).second,
            "the same module occurs before it", where);
    std::string fault = findHloFault(module);
    if (!fault.empty() && problem.empty())
      problem = where() + "." + fault;
  }
}

void ValueChecker::checkMachine(const Run &run) {
  // More than any machine has, and still a valid divisor of all threads' times.
  constexpr uint32_t kMostThreads = 1 << 20;
  const Machine &machine = run.machine;
  require(machine.threads <= kMostThreads, "are more than a machine can have",
          [&] { return place + "machine.threads"; });
  require(machine.flopsOneThread <= machine.flopsAllThreads &&
              machine.bytesOneThread <= machine.bytesAllThreads,
          "one thread does more than all", [&] { return place + "machine"; });
  require(run.clock.anchorNs >= 0, "is before 1970",
          [&] { return place + "clock.anchor_ns"; });
  require(run.clock.hasAnchor || run.clock.anchorNs == 0,
          "is present without has_anchor",
          [&] { return place + "clock.anchor_ns"; });
}

void ValueChecker::checkDevices(const Run &run) {
  for (const auto &[index, device] : llvm::enumerate(run.devices)) {
    auto where = [&, i = index] { return at("devices", i); };
    require(device.busyPs >= 0 && device.kernelBusyPs >= 0 &&
                device.copyBusyPs >= 0,
            "a busy time is negative", where);
    require(device.kernelBusyPs <= device.busyPs &&
                device.copyBusyPs <= device.busyPs,
            "a part is busy for longer than the device", where);
    checkSummary(device.idle, {}, [&] { return where() + ".idle"; });
    for (const auto &[number, wait] : llvm::enumerate(device.waits)) {
      checkSummary(wait.time, {}, [&, n = number] {
        return where() + ".waits[" + std::to_string(n) + "].time";
      });
      require(number == 0 || device.waits[number - 1].host < wait.host,
              "waits are out of order, or a name occurs twice", where);
    }
  }
}

void ValueChecker::checkTracks(const Run &run) {
  using Key = std::tuple<llvm::StringRef, uint32_t, int64_t, llvm::StringRef,
                         llvm::StringRef>;
  std::set<Key> seen;
  for (const auto &[index, track] : llvm::enumerate(run.tracks)) {
    auto where = [&, i = index] { return at("tracks", i); };
    require(seen.insert(Key(track.plane, track.line, track.id, track.name,
                            track.displayName))
                .second,
            "the same track occurs before it", where);
    require(track.partialOverlaps <= track.events,
            "partial_overlaps is larger than events", where);
    require(track.busyPs >= 0, "busy_ps is negative", where);
    require(track.device != kNone || track.busyPs == 0,
            "busy_ps without a device", where);
  }
}

void ValueChecker::checkEvents(const Run &run) {
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (const auto &[index, event] : llvm::enumerate(run.events)) {
    auto where = [&, i = index] { return at("events", i); };
    require(seen.insert({event.track, event.name}).second,
            "the same name on the same track occurs before it", where);
    checkSummary(event.total, {}, [&] { return where() + ".total"; });
    checkSummary(event.self, {/*mayBeNegative=*/true},
                 [&] { return where() + ".self"; });
  }
}

void ValueChecker::checkOps(const Run &run) {
  std::vector<bool> seen(profile.opKeys.size());
  for (const auto &[index, op] : llvm::enumerate(run.ops)) {
    auto where = [&, i = index] { return at("ops", i); };
    require(!seen[op.op], "the same op occurs before it", where);
    seen[op.op] = true;
    for (const auto &[number, measured] : llvm::enumerate(op.measurements)) {
      // Events nested in an op may outlast it; quantities of newer versions may
      // have any value.
      SummaryRule rule;
      rule.mayBeNegative = measured.quantity == Quantity::Self ||
                           measured.quantity >= Quantity::RawSelf;
      rule.hasOwnSum = measured.quantity == Quantity::RawExecute;
      checkSummary(measured.summary, rule, [&, n = number] {
        return where() + ".measurements[" + std::to_string(n) + "].summary";
      });
    }
  }
}

/// The larger of two sums of an op, at least one of which was measured.
static int64_t getLongest(const OpSummary &op, Quantity a, Quantity b) {
  int64_t longest = 0;
  for (Quantity quantity : {a, b})
    if (const Summary *summary = op.find(quantity))
      longest = std::max(longest, summary->saturated
                                      ? std::numeric_limits<int64_t>::max()
                                      : summary->sum);
  return longest;
}

BusyLimits schema::getBusyLimits(const Run &run) {
  BusyLimits limits;
  for (const OpSummary &op : run.ops)
    limits.busyPs = saturatingAdd(
        limits.busyPs, getLongest(op, Quantity::Execute, Quantity::RawExecute));
  limits.inflightPs = limits.busyPs;
  for (const OpSummary &op : run.ops)
    limits.inflightPs =
        saturatingAdd(limits.inflightPs,
                      getLongest(op, Quantity::Complete, Quantity::Bounded));
  return limits;
}

/// Whether [begin, begin + duration) is valid.
static bool isInterval(int64_t begin, int64_t duration) {
  int64_t end;
  return duration >= 0 && !__builtin_add_overflow(begin, duration, &end);
}

/// Whether a part is not longer than the whole, except for the rounding of
/// begins and ends to the nanoseconds of a clock. Neither is negative.
static bool isWithin(int64_t part, int64_t whole) {
  constexpr int64_t kPsPerNs = 1000;
  return part <= whole || part - whole < kPsPerNs;
}

void ValueChecker::checkBusyTimes(const Run &run) {
  BusyLimits limits = getBusyLimits(run);
  require(run.opBusyPs <= limits.busyPs, "is longer than its ops took",
          [&] { return place + "op_busy_ps"; });
  require(run.opInflightPs <= limits.inflightPs, "is longer than its ops took",
          [&] { return place + "op_inflight_ps"; });
}

void ValueChecker::checkSteps(const Run &run) {
  require(run.opBusyPs >= 0, "is negative",
          [&] { return place + "op_busy_ps"; });
  require(run.opInflightPs >= 0, "is negative",
          [&] { return place + "op_inflight_ps"; });
  std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
  for (const auto &[index, step] : llvm::enumerate(run.steps)) {
    auto where = [&, i = index] { return at("steps", i); };
    require(isInterval(step.beginPs, step.durationPs),
            "duration_ps is negative or ends beyond 64 bits", where);
    require(step.opBusyPs >= 0 && step.opInflightPs >= 0,
            "op_busy_ps or op_inflight_ps is negative", where);
    require(isWithin(step.opBusyPs, step.durationPs) &&
                isWithin(step.opInflightPs, step.durationPs),
            "op_busy_ps or op_inflight_ps is longer than the step", where);
    require(
        step.opBusyPs <= run.opBusyPs && step.opInflightPs <= run.opInflightPs,
        "op_busy_ps or op_inflight_ps is longer than that of the run", where);
    require(seen.insert({step.number, step.beginPs, step.durationPs}).second,
            "the same step occurs before it", where);
  }
  checkBusyTimes(run);
  require(run.samplePeriodPs >= 0, "is negative",
          [&] { return place + "sample_period_ps"; });
  checkSummary(run.iterations, {}, [&] { return place + "iterations"; });
}

void ValueChecker::checkKept(const Run &run) {
  const EventColumns &kept = run.kept;
  for (size_t i = 0; i != kept.size(); ++i) {
    auto where = [&] { return at("kept events", i); };
    require(isInterval(kept.beginPs[i], kept.durationPs[i]),
            "duration_ps is negative or ends beyond 64 bits", where);
    require(i == 0 || kept.beginPs[i] >= kept.beginPs[i - 1],
            "begin_delta_ps is out of order or passes 64 bits", where);
  }
  if (!problem.empty())
    return;
  std::string fault = findKeptFault(run);
  if (!fault.empty())
    problem = place + fault;
}

void ValueChecker::checkRest(const Run &run) {
  llvm::StringSet<> names;
  for (const auto &[index, loss] : llvm::enumerate(run.losses)) {
    auto where = [&, i = index] { return at("losses", i); };
    require(loss.timePs >= 0, "time_ps is negative", where);
    require(loss.count != 0 || loss.timePs == 0, "has a time without a count",
            where);
    require(names.insert(loss.name).second, "the same name occurs before it",
            where);
  }
  for (const auto &[index, table] : llvm::enumerate(run.values)) {
    std::set<llvm::ArrayRef<int64_t>,
             bool (*)(llvm::ArrayRef<int64_t>, llvm::ArrayRef<int64_t>)>
        tuples([](llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
          return std::lexicographical_compare(a.begin(), a.end(), b.begin(),
                                              b.end());
        });
    for (const ValueCount &entry : table.entries)
      require(tuples.insert(entry.tuple).second, "one tuple has two counts",
              [&, i = index] { return at("values", i); });
  }
  std::set<std::pair<llvm::StringRef, uint32_t>> nodes;
  for (const auto &[index, work] : llvm::enumerate(run.work))
    require(nodes.insert({work.program, work.node}).second,
            "the same node occurs before it",
            [&, i = index] { return at("work", i); });
}

void ValueChecker::checkFolded(const Run &run) {
  auto where = [&] { return place + "folded"; };
  checkHash(run.hash, [&] { return place + "hash"; });
  require(runs.insert(run.hash).second,
          "the same run occurs before it: its times would count twice",
          [&] { return place + "hash"; });
  for (size_t i = 0; i != run.folded.size(); ++i) {
    require(!run.folded[i].empty() && run.folded[i].size() <= 32 &&
                isHash(run.folded[i]),
            "a hash does not consist of hexadecimal digits", where);
    require(i == 0 || run.folded[i - 1] < run.folded[i],
            "the hashes are out of order, or one occurs twice", where);
  }
  llvm::ArrayRef<std::string> hashes = run.folded;
  if (hashes.empty())
    hashes = run.hash;
  for (const std::string &hash : hashes)
    require(recordings.insert(hash).second,
            "recording " + hash +
                " is in an earlier run: its times would count twice",
            where);
}

std::string ValueChecker::run() {
  checkTables();
  checkPrograms();
  checkHloModules();
  for (const auto &[index, run] : llvm::enumerate(profile.runs)) {
    if (!problem.empty())
      break;
    place = at("runs", index) + ".";
    checkFolded(run);
    checkMachine(run);
    checkDevices(run);
    checkTracks(run);
    checkEvents(run);
    checkOps(run);
    checkSteps(run);
    checkKept(run);
    checkRest(run);
    place.clear();
  }
  return std::move(problem);
}

std::string schema::checkValues(const Profile &profile) {
  return ValueChecker(profile).run();
}
