//===- ProfRaw.cpp - Converting the runtime's file to a profile -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfRaw.h"
#include "../Importers.h"
#include "RawFile.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::profraw;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

int64_t saturate(__int128 value) {
  if (value > std::numeric_limits<int64_t>::max())
    return std::numeric_limits<int64_t>::max();
  if (value < std::numeric_limits<int64_t>::min())
    return std::numeric_limits<int64_t>::min();
  return int64_t(value);
}

/// Ticks to picoseconds, as a fraction.
struct TickRate {
  uint64_t picoseconds = 1000;
  uint64_t ticks = 1;
  bool isKnown = false;

  int64_t toPs(__int128 count) const {
    // Both factors have at most 64 bits.
    return saturate(__int128(saturate(count)) * __int128(picoseconds) /
                    __int128(ticks));
  }
};

TickRate getRate(const prof_raw_clock &clock) {
  constexpr uint64_t kMost = uint64_t(1) << 62;
  uint64_t ticks = clock.end_ticks - clock.start_ticks;
  uint64_t nanoseconds = clock.end_ns - clock.start_ns;
  TickRate rate;
  rate.isKnown = true;
  if (ticks > 0 && ticks < kMost && nanoseconds > 0 &&
      nanoseconds < kMost / 1000) {
    rate.picoseconds = nanoseconds * 1000;
    rate.ticks = ticks;
  } else if (clock.ticks_per_second > 0 && clock.ticks_per_second < kMost) {
    rate.picoseconds = 1000000000000;
    rate.ticks = clock.ticks_per_second;
  } else {
    rate.isKnown = false;
  }
  return rate;
}

/// Adds `value` to `summary` `times` times.
void addMany(Summary &summary, int64_t value, uint64_t times) {
  if (times == 0)
    return;
  summary.count += times;
  summary.min = std::min(summary.min, value);
  summary.max = std::max(summary.max, value);
  summary.histogram.add(value, times);
  unsigned __int128 squares =
      (unsigned __int128)((__int128)value * (__int128)value);
  if (__builtin_mul_overflow(squares, (unsigned __int128)times, &squares) ||
      __builtin_add_overflow(summary.sumSquares, squares,
                             &summary.sumSquares)) {
    summary.sumSquares = ~(unsigned __int128)0;
    summary.saturated = true;
  }
}

/// `count` values, fewer than 2^63, that differ by at most one and add up to
/// `sum`.
Summary makeEven(uint64_t count, int64_t sum) {
  Summary summary;
  if (count == 0)
    return summary;
  int64_t each = sum / int64_t(count) - (sum % int64_t(count) < 0);
  uint64_t more = uint64_t(sum) - uint64_t(each) * count;
  addMany(summary, each, count - more);
  // The largest value does not have a successor, and then there are no more.
  if (more != 0)
    addMany(summary, each + 1, more);
  summary.sum = sum;
  return summary;
}

/// The distribution of the executions of a probe.
struct Spread {
  Summary all;
  /// Without stalls; empty if only the sum is known.
  Summary steady;
};

class Converter {
public:
  Converter(const RawFile &file, ProfileBuilder &builder,
            const ProfRawOptions &options)
      : file(file), builder(builder), rate(getRate(file.clock)) {
    if (!file.counter.empty() && !rate.isKnown)
      counted = CountedTicks{file.unit};
    if (options.countTicks)
      if (auto chosen = options.countTicks(file.counter, file.unit))
        counted = std::move(chosen);
    if (counted)
      rate = {counted->count, counted->ticks, /*isKnown=*/true};
  }

  void convert();

private:
  void describeRun();
  void addProgram(const Program &program);
  void addProbes(const RawModule &module);
  void countRecords(const RawModule &module);
  void addRow(const RawModule &module, uint32_t row);
  void addValues(const RawModule &module);
  void collectInstances(const RawModule &module);
  void addInstances();
  void addLosses();
  uint32_t getTrack(uint64_t thread);
  /// For a probe with all executions recorded, their true distribution; for
  /// others `unrecorded`.
  Summary getRawExecute(const prof_raw_slot &slot, uint32_t row,
                        Summary unrecorded) const;
  /// Self times of the executions of a probe that add up to `sum` ps, each of
  /// which took `shift` ticks less than the runtime measured; uniform if their
  /// distribution is unknown.
  Spread makeSpread(const RawRow &row, int64_t sum, int64_t shift) const;
  /// The measured ticks minus the cost of the probes; 0 if the cost is larger.
  int64_t subtract(int64_t ticks, __int128 cost);

  const RawFile &file;
  ProfileBuilder &builder;
  /// Set if the run counted something in place of time: "picoseconds" are then
  /// units of that.
  std::optional<CountedTicks> counted;
  TickRate rate;
  /// Op keys of the rows of the current module.
  std::vector<uint32_t> ops;
  /// Recorded instances of each of them.
  std::vector<Summary> recorded;
  /// Records created within each of them, and directly within. For all probes
  /// of the module.
  uint64_t executions = 0;
  std::vector<uint64_t> records;
  std::vector<uint64_t> directRecords;
  std::vector<Event> instances;
  std::map<uint64_t, uint32_t> tracks;
  uint64_t overCorrected = 0;
  __int128 overCorrectedTicks = 0;
};

std::string getProbeName(const Program &program, uint32_t probe) {
  uint32_t node = program.probes[probe].node;
  if (node >= program.nodes.size())
    return "probe " + std::to_string(probe);
  const ProgramNode &info = program.nodes[node];
  const std::string &name = program.strings[info.name];
  return name.empty() ? program.strings[info.op] : name;
}

} // namespace

void Converter::describeRun() {
  Run &run = builder.getRun();
  const prof_raw_clock &clock = file.clock;
  run.clock.name = "ticks";
  if (clock.epoch_ns && rate.isKnown && !counted &&
      clock.epoch_ns < uint64_t(1) << 63) {
    run.clock.hasAnchor = true;
    run.clock.anchorNs =
        int64_t(clock.epoch_ns - (clock.end_ns - clock.start_ns));
  }
  if (!rate.isKnown)
    builder.loss("ticks of unknown length, treated as nanoseconds", 1, 0);
  auto addFact = [&](llvm::StringRef name, uint64_t value) {
    run.facts.emplace_back(name.str(), std::to_string(value));
  };
  std::string unit = counted ? counted->unit : "ps";
  auto addCost = [&](llvm::StringRef name, uint64_t cost) {
    addFact((name + " in " + unit).str(),
            uint64_t(rate.toPs(cost / PROF_RAW_COST_SCALE)));
  };
  if (!file.counter.empty())
    run.facts.emplace_back("counter", file.counter);
  if (counted) {
    setCountedUnit(run, counted->unit);
  } else {
    // Allows exporters to restore ticks.
    addFact("clock ticks", rate.ticks);
    addFact("clock ticks took ps", rate.picoseconds);
  }
  addFact("process", clock.process);
  addCost("inline probe, its window", clock.inline_window);
  addCost("inline probe, its cost", clock.inline_pair);
  if (llvm::any_of(file.modules,
                   [](const RawModule &m) { return m.facts.called; })) {
    addCost("called probe, its window", clock.call_window);
    addCost("called probe, its cost", clock.call_pair);
  }
}

void Converter::addProgram(const Program &program) {
  Profile &profile = builder.getProfile();
  if (!profile.findProgram(program.fingerprint))
    profile.programs.push_back(program);
}

int64_t Converter::subtract(int64_t ticks, __int128 cost) {
  __int128 left = __int128(ticks) - cost / PROF_RAW_COST_SCALE;
  if (left >= 0)
    return saturate(left);
  if (cost > 0) {
    ++overCorrected;
    overCorrectedTicks -= left;
  }
  return 0;
}

Summary Converter::getRawExecute(const prof_raw_slot &slot, uint32_t row,
                                 Summary unrecorded) const {
  if (recorded[row].count != slot.count)
    return unrecorded;
  Summary summary = recorded[row];
  // Each value was rounded separately.
  summary.sum = unrecorded.sum;
  return summary;
}

Spread Converter::makeSpread(const RawRow &row, int64_t sum,
                             int64_t shift) const {
  uint64_t total = 0;
  Spread result;
  result.all = makeEven(row.slot.count, sum);
  const RawSpread &spread = row.spread;
  Summary all;
  llvm::SmallVector<std::pair<int64_t, uint64_t>> values;
  auto toTime = [&](int64_t ticks, uint64_t count) {
    __int128 left = __int128(ticks) - __int128(shift) * count;
    return rate.toPs(std::max<__int128>(0, left)) / int64_t(count);
  };
  for (const RawSpread::Bucket &bucket : spread.buckets) {
    values.emplace_back(toTime(bucket.ticks, bucket.count), bucket.count);
    addMany(all, values.back().first, bucket.count);
    total = llvm::SaturatingAdd(total, bucket.count);
  }
  // Some executions came after the last mark, or exceed the 32 bits of a count.
  if (total == 0 || total != result.all.count)
    return result;
  all.min = std::min(all.min, toTime(spread.min, 1));
  all.max = std::max(all.max, toTime(spread.max, 1));
  all.sum = sum;
  if (__int128(all.min) * total > sum || __int128(all.max) * total < sum)
    return result;
  unsigned stalls = findStalls(all);
  for (auto [value, count] : values)
    if (Histogram::bucketOf(value) < stalls) {
      addMany(result.steady, value, count);
      result.steady.sum = saturate(result.steady.sum + __int128(value) * count);
    }
  result.all = std::move(all);
  return result;
}

void Converter::addRow(const RawModule &module, uint32_t row) {
  const RawPlace &place = module.rows[row].place;
  const prof_raw_slot &slot = module.rows[row].slot;
  ops.push_back(
      builder.addOpKey(OpKey(getProbeName(module.program, place.number), "",
                             ProbeKey{module.program.fingerprint, place.number,
                                      /*isShown=*/true, place.instance})));
  if (slot.count == 0)
    return;
  const prof_raw_clock &clock = file.clock;
  bool called = module.facts.called;
  // The part of a probe's cost within its own reading cannot exceed the total
  // cost.
  __int128 pair = called ? clock.call_pair : clock.inline_pair;
  __int128 own = std::min<__int128>(
      called ? clock.call_window : clock.inline_window, pair);
  __int128 ownCost = own * slot.count;
  __int128 record = clock.instance;
  // In a recursion each execution counts its nested executions; the time is
  // that of the outermost ones, in which no execution can count more often than
  // it happened.
  uint64_t inside = std::min(slot.inside_executions, executions - slot.count);
  int64_t inclusive =
      subtract(slot.ticks, ownCost + pair * inside + record * records[row]);
  int64_t rawSelf =
      saturate(__int128(slot.ticks) - __int128(slot.inside_ticks));
  // The probes inside include `own` of their cost in their own readings.
  int64_t self =
      subtract(rawSelf, ownCost + (pair - own) * slot.direct_executions +
                            record * directRecords[row]);
  self = std::min(self, inclusive);
  auto spread = [&](int64_t ticks, int64_t measured) {
    int64_t shift =
        saturate((__int128(measured) - ticks) / __int128(slot.count));
    return makeSpread(module.rows[row], rate.toPs(ticks), shift);
  };
  auto set = [&](Quantity quantity, Summary summary) {
    builder.setMeasurement(ops.back(), quantity, std::move(summary));
  };
  Spread ofSelf = spread(self, rawSelf), raw = spread(rawSelf, rawSelf);
  // Without nested executions, all of its time is its own self time.
  bool isOwn = slot.inside_executions == 0 && slot.inside_ticks == 0;
  set(Quantity::Execute,
      isOwn ? ofSelf.all : makeEven(slot.count, rate.toPs(inclusive)));
  set(Quantity::Self, std::move(ofSelf.all));
  if (ofSelf.steady.count != 0)
    set(Quantity::SteadySelf, std::move(ofSelf.steady));
  // A count is one thing only, which may not be cycles.
  if (!counted)
    set(Quantity::Cycles, makeEven(slot.count, inclusive));
  set(Quantity::RawExecute,
      getRawExecute(slot, row,
                    isOwn ? raw.all
                          : makeEven(slot.count, rate.toPs(slot.ticks))));
  set(Quantity::RawSelf, std::move(raw.all));
}

/// A record is created after its probe, within the probes around it. Records by
/// called functions cannot be assigned.
void Converter::countRecords(const RawModule &module) {
  records.assign(module.rows.size(), 0);
  directRecords.assign(module.rows.size(), 0);
  // Nested probes have larger numbers, and are in the same dispatch.
  std::vector<uint32_t> order(module.rows.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return module.rows[b].place < module.rows[a].place;
  });
  for (uint32_t row : order) {
    RawPlace place = module.rows[row].place;
    uint32_t probe =
        std::exchange(place.number, module.program.probes[place.number].parent);
    if (place.number >= probe)
      continue;
    uint32_t parent = module.findRow(place);
    if (parent == kNone)
      parent = place.number;
    uint64_t own =
        std::min<uint64_t>(module.rows[row].slot.count, recorded[row].count);
    directRecords[parent] += own;
    records[parent] += own + records[row];
  }
}

void Converter::addProbes(const RawModule &module) {
  ops.clear();
  recorded.assign(module.rows.size(), Summary());
  for (const prof_raw_instance &record : module.instances)
    recorded[module.findRow(decodePlace(record.probe))].add(
        rate.toPs(__int128(record.end_ticks) - record.begin_ticks));
  countRecords(module);
  executions = 0;
  for (const RawRow &row : module.rows)
    executions += row.slot.count;
  for (uint32_t row = 0; row < module.rows.size(); ++row)
    addRow(module, row);
}

void Converter::addValues(const RawModule &module) {
  for (const RawValues &values : module.values) {
    RawPlace place = decodePlace(values.header.table);
    const ValueSite &site = module.program.sites[place.number];
    ValueTable table;
    table.kind = site.kind;
    table.program = module.program.fingerprint;
    table.node = site.node;
    table.instance = place.instance;
    table.names = site.names;
    table.other = values.header.other;
    size_t each = 1 + size_t(values.header.length);
    for (size_t at = 0; at < values.words.size(); at += each) {
      ValueCount entry;
      entry.count = values.words[at];
      entry.tuple.assign(values.words.begin() + at + 1,
                         values.words.begin() + at + each);
      table.entries.push_back(std::move(entry));
    }
    // Most frequent first; the runtime's order is that of its hash table.
    llvm::sort(table.entries, [](const ValueCount &a, const ValueCount &b) {
      return std::tie(b.count, a.tuple) < std::tie(a.count, b.tuple);
    });
    if (!table.entries.empty() || table.other)
      builder.getRun().values.push_back(std::move(table));
  }
}

uint32_t Converter::getTrack(uint64_t thread) {
  auto [it, isNew] = tracks.try_emplace(thread, 0);
  if (!isNew)
    return it->second;
  Track track;
  track.plane = "threads";
  track.line = uint32_t(tracks.size() - 1);
  track.id = int64_t(thread);
  track.name = "thread " + std::to_string(thread);
  it->second = builder.addTrack(std::move(track));
  return it->second;
}

/// Offset of a code address; 0 if it or the module's address is unknown.
/// Unsigned, so that any values may be subtracted.
static int64_t getOffset(const RawModule &module, uint64_t address) {
  bool isKnown = module.facts.code != 0 && address != 0;
  return isKnown ? int64_t(address - module.facts.code) : 0;
}

void Converter::collectInstances(const RawModule &module) {
  for (const prof_raw_instance &record : module.instances) {
    Event event;
    event.track = getTrack(record.thread);
    RawPlace place = decodePlace(record.probe);
    event.op = ops[module.findRow(place)];
    event.name = builder.addName(getProbeName(module.program, place.number));
    __int128 start = int64_t(file.clock.start_ticks);
    event.beginPs = rate.toPs(__int128(record.begin_ticks) - start);
    event.endPs =
        std::max(event.beginPs, rate.toPs(__int128(record.end_ticks) - start));
    event.beginCode = getOffset(module, record.begin_address);
    event.endCode = getOffset(module, record.end_address);
    instances.push_back(event);
  }
}

void Converter::addInstances() {
  if (instances.empty())
    return;
  builder.keepAllEvents();
  llvm::sort(instances, [](const Event &a, const Event &b) {
    return std::tie(a.beginPs, b.endPs, a.track, a.op, a.beginCode) <
           std::tie(b.beginPs, a.endPs, b.track, b.op, b.beginCode);
  });
  for (const Event &event : instances)
    builder.event(event);
}

void Converter::addLosses() {
  static constexpr llvm::StringLiteral names[PROF_RAW_LOSS_KINDS] = {
      "unknown loss of the runtime",
      "thread without memory for its probes",
      "instance of a probe without memory for it",
      "observed value that could not be stored",
      "call of the handler without a matching probe, or without memory",
      "instrumented module that the runtime could not register",
      "mark of an iteration without memory for it"};
  for (const prof_raw_loss &loss : file.losses)
    builder.loss(names[loss.kind < PROF_RAW_LOSS_KINDS ? loss.kind : 0],
                 loss.count, 0);
  if (file.unknownSections)
    builder.loss("section of a newer runtime", file.unknownSections, 0);
  if (overCorrected)
    builder.loss("cost of probes beyond what they measured", overCorrected,
                 rate.toPs(overCorrectedTicks));
}

void Converter::convert() {
  describeRun();
  for (const RawModule &module : file.modules) {
    addProgram(module.program);
    addProbes(module);
    addValues(module);
    collectInstances(module);
  }
  addInstances();
  addLosses();
}

llvm::Error importer::readProfRaw(llvm::StringRef bytes, llvm::StringRef where,
                                  ProfileBuilder &builder,
                                  const ProfRawOptions &options) {
  llvm::Expected<RawFile> file = readRawFile(bytes, where, options);
  if (!file)
    return file.takeError();
  Converter(*file, builder, options).convert();
  return llvm::Error::success();
}

llvm::Error profraw::read(const ImportInput &input, ProfileBuilder &builder) {
  return readProfRaw(input.bytes, input.where, builder);
}

Importer importer::ProfRaw() {
  return {"prof-raw", "measurements of instrumented code, written by prof_rt",
          profraw::detect, profraw::read};
}
