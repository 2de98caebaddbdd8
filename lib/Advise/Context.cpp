//===- Context.cpp - Data shared by rules ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Support/Statistics.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

AdviseContext::AdviseContext(const AdviseInput &input)
    : input(input), profile(input.report.profile), merged(mergeRuns(profile)),
      opTimePs(getOpTimePs(merged)), names(profile) {
  hasSteps = llvm::any_of(profile.runs, [](const Run &run) {
    return run.steps.size() >= kLeastSteps && !isOwnRecording(run);
  });
  addUsualTimes();
}

/// The group of calls that are op keys of their own but have op, kernel and
/// shapes in common; "" for others.
static std::string getGroup(const OpKey &key) {
  KeyTraits traits = getKeyTraits(key);
  if (!traits.isCall)
    return "";
  return key.op + "\n" + key.kernel + "\n" +
         (traits.shapes ? traits.shapes->print() : "");
}

static const Summary *getSelf(const OpSummary &op) {
  const Summary *summary = op.find(Quantity::Self);
  return summary ? summary : op.find(Quantity::Execute);
}

void AdviseContext::addUsualTimes() {
  llvm::StringMap<Summary> groups;
  for (const OpSummary &op : merged) {
    std::string group = getGroup(getKey(op));
    const Summary *summary = getSelf(op);
    if (!group.empty() && summary)
      groups[group].merge(*summary);
  }
  for (const auto &group : groups)
    if (std::optional<int64_t> timePs = advise::getUsualPs(group.second))
      usualPs[group.first()] = *timePs;
}

llvm::StringRef AdviseContext::getKernel(const OpSummary &op) const {
  return names.getKernel(op.op);
}

int64_t AdviseContext::getTimePs(const OpSummary &op) const {
  const Summary *summary = getSelf(op);
  int64_t timePs = op.getTimePs();
  if (hasSteps && op.getCount() == 1)
    return 0;
  if (op.getCount() == 1) {
    auto usual = usualPs.find(getGroup(getKey(op)));
    return usual == usualPs.end() ? timePs : std::min(timePs, usual->second);
  }
  if (!summary || summary->sum <= 0)
    return timePs;
  return scale(timePs, getHabitPs(*summary), summary->sum);
}

Subject AdviseContext::getSubject(const OpSummary &op) const {
  Subject subject{getKeyLabel(getKey(op)), "", getTimePs(op)};
  const Ownership *ownership = input.report.ownership;
  if (!ownership || op.op >= ownership->matches.size())
    return subject;
  const Match &match = ownership->matches[op.op];
  if (match.ops.size() == 1 && match.ops.front() < ownership->ops.size())
    subject.location = getPlace(ownership->ops[match.ops.front()]).str();
  return subject;
}

const Table *AdviseContext::getRoofline() const {
  if (profile.programs.empty())
    return nullptr;
  if (!roofline)
    roofline = llvm::cantFail(findReport("roofline"))
                   ->build(input.report, merged, RowSelection::Measured);
  return &*roofline;
}

const Table &AdviseContext::getReport(llvm::StringRef name) const {
  auto [it, isNew] = reports.try_emplace(name);
  if (isNew)
    it->second = llvm::cantFail(findReport(name))
                     ->build(input.report, merged, RowSelection::Measured);
  return it->second;
}

bool AdviseContext::isShareOfOps(int64_t partPs, int64_t ppm) const {
  return partPs > 0 &&
         (__int128)partPs * kMillionths.ps >= (__int128)opTimePs * ppm;
}

Advice AdviseContext::makeAdvice(std::optional<int64_t> gainPs) const {
  Advice advice;
  advice.gainPs = gainPs;
  advice.basisPs = opTimePs;
  return advice;
}

std::optional<int64_t> advise::getNumber(const Table &table, uint32_t row,
                                         llvm::StringRef column) {
  std::optional<uint32_t> position = table.findColumn(column);
  if (!position || table.isNull(row, *position))
    return std::nullopt;
  return table.getInteger(row, *position);
}

llvm::StringRef advise::getText(const Table &table, uint32_t row,
                                llvm::StringRef column) {
  std::optional<uint32_t> position = table.findColumn(column);
  return position && !table.isNull(row, *position)
             ? table.getText(row, *position)
             : llvm::StringRef();
}

std::string advise::makeFilter(llvm::StringRef column, llvm::StringRef value) {
  std::string text = (column + "=").str();
  for (char letter : value) {
    if (letter == '|')
      text += '\\';
    text += letter;
  }
  return text;
}

static void addNumber(Advice &advice, llvm::StringRef name, ParameterKind kind,
                      int64_t number) {
  advice.parameters.push_back({name, kind, number, ""});
}

void advise::addCount(Advice &advice, llvm::StringRef name, uint64_t count) {
  addNumber(advice, name, ParameterKind::Count,
            int64_t(std::min<uint64_t>(count, INT64_MAX)));
}
void advise::addTime(Advice &advice, llvm::StringRef name, int64_t ps) {
  addNumber(advice, name, ParameterKind::Time, ps);
}
void advise::addPpm(Advice &advice, llvm::StringRef name, int64_t ppm) {
  addNumber(advice, name, ParameterKind::Share, ppm);
}
void advise::addPpmRatio(Advice &advice, llvm::StringRef name, int64_t ppm) {
  addNumber(advice, name, ParameterKind::Ratio, ppm);
}
void advise::addRate(Advice &advice, llvm::StringRef name, int64_t perSecond) {
  addNumber(advice, name, ParameterKind::Rate, perSecond);
}
void advise::addText(Advice &advice, llvm::StringRef name,
                     llvm::StringRef text) {
  advice.parameters.push_back({name, ParameterKind::Text, 0, text.str()});
}

void advise::keepHottest(Advice &advice) {
  addCount(advice, "ops", advice.subjects.size());
  llvm::stable_sort(advice.subjects, [](const Subject &a, const Subject &b) {
    return a.timePs > b.timePs;
  });
  if (advice.subjects.size() > kMaxSubjects)
    advice.subjects.resize(kMaxSubjects);
}

int64_t advise::getPpm(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : scale(part, kMillionths.ps, whole);
}

int64_t advise::scale(int64_t value, int64_t numerator, int64_t denominator) {
  if (denominator == 0)
    return 0;
  __int128 scaled = (__int128)value * numerator / denominator;
  return int64_t(
      std::clamp<__int128>(scaled, (__int128)INT64_MIN, (__int128)INT64_MAX));
}

int64_t advise::getMean(int64_t sum, uint64_t count) {
  return count == 0 ? 0 : int64_t((__int128)sum / (__int128)count);
}

bool advise::isOwnRecording(const Run &run) {
  return run.iterations.count != 0;
}

/// The bucket of the largest value that `reached` values reach or exceed.
static unsigned findBucket(const Histogram &histogram, uint64_t reached) {
  uint64_t above = 0;
  for (unsigned bucket = Histogram::kBuckets; bucket-- > 0;) {
    above += histogram.get(bucket);
    if (above >= reached)
      return bucket;
  }
  return 0;
}

/// Whether the histogram includes all values: false for a damaged or hand-made
/// summary.
static bool isWhole(const Summary &summary) {
  uint64_t count = 0;
  for (uint64_t each : summary.histogram.getCounts())
    count += each;
  return count == summary.count;
}

static constexpr uint64_t kRepeated = 3;

/// The bucket of the longest usual time.
static unsigned findUsual(const Summary &summary) {
  constexpr uint64_t kOneIn = 20;
  uint64_t count = summary.count;
  uint64_t oneIn = count / kOneIn + (count % kOneIn != 0);
  return findBucket(summary.histogram,
                    std::min(count, std::max<uint64_t>(kRepeated, oneIn)));
}

/// The largest value of a bucket.
static int64_t getLargest(const Summary &summary, unsigned bucket) {
  return bucket + 1 < Histogram::kBuckets
             ? std::min(Histogram::lowerBound(bucket + 1) - 1, summary.max)
             : summary.max;
}

std::optional<int64_t> advise::getUsualPs(const Summary &summary) {
  if (summary.count < kRepeated || !isWhole(summary))
    return std::nullopt;
  return getLargest(summary, findUsual(summary));
}

int64_t advise::getHabitPs(const Summary &summary) {
  if (summary.count < 2 || !isWhole(summary))
    return summary.sum;
  unsigned usual = findUsual(summary);
  // Each value counts at most as the largest one of its bucket.
  __int128 mostPs = 0;
  for (unsigned bucket = 0; bucket < Histogram::kBuckets; ++bucket)
    if (uint64_t each = summary.histogram.get(bucket))
      mostPs += (__int128)getLargest(summary, std::min(bucket, usual)) * each;
  return int64_t(std::min<__int128>(summary.sum, mostPs));
}

/// Adds the steps of one run.
static void addSteps(const Run &run, StepTimes &times) {
  std::vector<Step> steps = run.steps;
  llvm::stable_sort(steps, [](const Step &a, const Step &b) {
    return a.beginPs < b.beginPs;
  });
  std::vector<int64_t> between, idle, busy;
  int64_t endPs = steps.front().beginPs;
  for (const Step &step : steps) {
    if (&step != &steps.front())
      between.push_back(
          std::max<int64_t>(saturatingSub(step.beginPs, endPs), 0));
    endPs = std::max(endPs, saturatingAdd(step.beginPs, step.durationPs));
    busy.push_back(
        std::clamp<int64_t>(std::max(step.opBusyPs, step.opInflightPs), 0,
                            std::max<int64_t>(step.durationPs, 0)));
    idle.push_back(
        std::max<int64_t>(saturatingSub(step.durationPs, busy.back()), 0));
  }
  int64_t count = int64_t(steps.size());
  // The lower medians, which one stall of two values does not change.
  int64_t betweenPs = scale(getLowerMedian(between), count - 1, 1);
  int64_t idlePs = scale(getLowerMedian(idle), count, 1);
  int64_t busyPs = scale(getLowerMedian(busy), count, 1);
  times.steps += steps.size();
  times.betweenPs = saturatingAdd(times.betweenPs, betweenPs);
  times.idlePs = saturatingAdd(times.idlePs, idlePs);
  times.busyPs = saturatingAdd(times.busyPs, busyPs);
  times.spanPs = saturatingAdd(
      times.spanPs, saturatingAdd(betweenPs, saturatingAdd(idlePs, busyPs)));
}

/// Whether ops of XLA ran on when their events had ended, for an unknown time:
/// its Chrome JSON has the events that report ends ("end: dot.1"), but neither
/// the flows that link them to ops nor the numbers of programs.
static bool lacksEnds(const Profile &profile, const Run &run) {
  bool hasEnds = llvm::any_of(run.events, [&](const EventSummary &event) {
    return event.name < profile.strings.size() &&
           llvm::StringRef(profile.strings[event.name]).starts_with("end: ");
  });
  return hasEnds && llvm::any_of(run.ops, [&](const OpSummary &op) {
           KeyTraits traits = getKeyTraits(profile.opKeys[op.op]);
           return traits.isAsynchronous && !traits.programId;
         });
}

bool advise::hasStepTimes(const Profile &profile, const Run &run) {
  return run.steps.size() >= kLeastSteps && !isOwnRecording(run) &&
         !lacksEnds(profile, run);
}

StepTimes advise::getStepTimes(const Profile &profile) {
  StepTimes times;
  for (const Run &run : profile.runs)
    if (hasStepTimes(profile, run))
      addSteps(run, times);
  return times;
}
