//===- PaddleSummary.cpp - The summary of Paddle's profiler ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummaryItems.h"
#include "Text.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::style;

using Cells = std::vector<std::string>;

namespace {

struct SortKey {
  const char *name;
  bool isAscending;
  double (*get)(const SummaryItem &item);
};

class Writer {
public:
  Writer(const Recordings &recordings, const StyleOptions &options)
      : recordings(recordings), data(makeSummaryData(recordings)),
        options(options), unit(options.unit.empty() ? "ms" : options.unit) {}
  StyledText write();

private:
  bool shows(const char *view) const;
  void writeDevices();
  void writeOverview();
  void writeModel();
  void writeDistributed();
  void writeOps();
  void writeKernels();
  void writeCopies();
  void writeUserScopes();
  void writeMemory();

  // Parts of a view.
  void begin(const std::string &title, const std::vector<size_t> &columns,
             bool hasUnit = true);
  void line(const Cells &cells);
  void rule();
  void note(const char *text);
  void items(const std::string &title, size_t nameColumns, const Cells &headers,
             const std::vector<Cells> &lines, bool hasRule);

  // Cells.
  std::string time(double ps) const;
  std::string ratio(double a, double b) const {
    return formatFixed(getRatio(a, b) * 100, 2);
  }
  std::string times(const SummaryTimes &of, uint64_t calls, double whole) const;
  Cells makeItem(const SummaryItem &item, double host, double device,
                 bool isModel) const;
  std::vector<SummaryItem> sort(std::vector<SummaryItem> rows) const;
  void addOps(const SummaryItems &ops, std::vector<Cells> &lines) const;
  SummaryTimes getSteps(bool isModel) const;

  const Recordings &recordings;
  SummaryData data;
  const StyleOptions &options;
  std::string unit;
  std::vector<size_t> columns;
  size_t length = 0;
  StyledText out;
};

} // namespace

static double getAverage(const SummaryTimes &times, uint64_t calls) {
  return calls ? double(times.total) / double(calls) : 0;
}

static constexpr SortKey kKeys[] = {
    {"CPUTotal", false,
     [](const SummaryItem &of) { return double(of.host.total); }},
    {"CPUAvg", false,
     [](const SummaryItem &of) { return getAverage(of.host, of.calls); }},
    {"CPUMax", false,
     [](const SummaryItem &of) { return double(of.host.max); }},
    {"CPUMin", true, [](const SummaryItem &of) { return double(of.host.min); }},
    {"GPUTotal", false,
     [](const SummaryItem &of) { return double(of.device.total); }},
    {"GPUAvg", false,
     [](const SummaryItem &of) { return getAverage(of.device, of.calls); }},
    {"GPUMax", false,
     [](const SummaryItem &of) { return double(of.device.max); }},
    {"GPUMin", true,
     [](const SummaryItem &of) { return double(of.device.min); }}};

static constexpr const char *kViews[] = {"device",
                                         "overview",
                                         "model",
                                         "distributed",
                                         "operator",
                                         "kernel",
                                         "memory-manipulation",
                                         "udf",
                                         "memory"};

static constexpr const char *kTimesOfHost =
    "CPU Total / Avg / Max / Min / Ratio(%)";
static constexpr const char *kTimesOfDevice =
    "GPU Total / Avg / Max / Min / Ratio(%)";

bool Writer::shows(const char *view) const {
  return options.views.empty() ||
         std::count(options.views.begin(), options.views.end(), view);
}

//===----------------------------------------------------------------------===//
// Parts of a view
//===----------------------------------------------------------------------===//

void Writer::begin(const std::string &title, const std::vector<size_t> &of,
                   bool hasUnit) {
  columns = of;
  length = 2 * (columns.size() - 1);
  for (size_t width : columns)
    length += width;
  out.text += makeTitle(title, length) + "\n";
  if (hasUnit)
    out.text += "Time unit: " + unit + "\n";
}

void Writer::line(const Cells &cells) {
  for (size_t column = 0; column != cells.size(); ++column)
    out.text += padRight(cells[column], columns[column]) + "  ";
  out.text += "\n";
}

void Writer::rule() {
  for (size_t width : columns)
    out.text += std::string(width, '-') + "  ";
  out.text += "\n";
}

void Writer::note(const char *text) {
  out.text += text;
  out.text += std::string(length, '-') + "\n\n\n";
}

/// A view of rows with names, calls and times; lines of one cell are titles.
void Writer::items(const std::string &title, size_t nameColumns,
                   const Cells &headers, const std::vector<Cells> &lines,
                   bool hasRule) {
  std::vector<size_t> widths = {nameColumns, 6};
  for (size_t column = 2; column != headers.size(); ++column)
    widths.push_back(headers[column] == "FLOPs" ? 10 : 40);
  for (const Cells &cells : lines)
    for (size_t column = 1; column < std::min<size_t>(cells.size(), 4);
         ++column)
      widths[column] = std::max(widths[column], countColumns(cells[column]));
  begin(title, widths);
  rule();
  line(headers);
  rule();
  for (const Cells &cells : lines) {
    if (cells.size() == 1)
      out.text += makeTitle(cells[0], length) + "\n";
    else
      line(cells);
  }
  if (hasRule)
    rule();
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

std::string Writer::time(double ps) const {
  // In the steps in which nanoseconds become the unit, so that halves round
  // alike.
  double value = ps / 1000;
  if (unit != "ns")
    value /= getUnitPs(unit) / 1000;
  return formatFixed(value, 2);
}

std::string Writer::times(const SummaryTimes &of, uint64_t calls,
                          double whole) const {
  double averageNs = calls ? double(of.total) / 1000 / double(calls) : 0;
  return time(double(of.total)) + " / " + time(averageNs * 1000) + " / " +
         time(double(of.max)) + " / " + time(double(of.min)) + " / " +
         ratio(double(of.total), whole);
}

Cells Writer::makeItem(const SummaryItem &item, double host, double device,
                       bool isModel) const {
  return {makeCell(item.name, kNameColumns), std::to_string(item.calls),
          times(item.host, item.calls, host),
          times(isModel ? item.kernels : item.device, item.calls, device)};
}

std::vector<SummaryItem> Writer::sort(std::vector<SummaryItem> rows) const {
  const SortKey *key = kKeys;
  for (const SortKey &of : kKeys)
    if (of.name == options.sort)
      key = &of;
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const SummaryItem &a, const SummaryItem &b) {
                     return key->isAscending ? key->get(a) < key->get(b)
                                             : key->get(a) > key->get(b);
                   });
  return rows;
}

/// Times of devices in all steps: of kernels, or of everything.
SummaryTimes Writer::getSteps(bool isModel) const {
  for (const SummaryItem &item : data.phases.list())
    if (data.hasSteps && item.name == "ProfileStep")
      return isModel ? item.kernels : item.device;
  return {};
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

void Writer::writeDevices() {
  begin("Device Summary", {30, 20}, /*hasUnit=*/false);
  rule();
  line({"Device", "Utilization (%)"});
  rule();
  auto show = [&](const char *name, const std::optional<double> &value) {
    line({name, value ? formatFixed(*value * 100, 2) : "-"});
  };
  show("CPU(Process)", options.processUtilization);
  show("CPU(System)", options.systemUtilization);
  for (const RangeList &device : data.devices)
    line({"GPU" + device.name,
          ratio(double(sumRanges(device.ranges)), double(data.totalPs))});
  rule();
  note("Note:\n"
       "CPU(Process) Utilization = Current process CPU time over all cpu cores "
       "/ elapsed time, so max utilization can be reached 100% * number of cpu "
       "cores.\n"
       "CPU(System) Utilization = All processes CPU time over all cpu "
       "cores(busy time) / (busy time + idle time).\n"
       "GPU Utilization = Current process GPU time / elapsed time.\n");
}

namespace {
struct TypeRow {
  std::string name;
  uint64_t calls;
  int64_t ps;
};
} // namespace

static std::vector<TypeRow>
makeTypes(const NamedList<RangeList> &lists,
          const std::vector<TimeRange> &communication,
          uint64_t communications) {
  std::vector<TypeRow> rows;
  for (const RangeList &list : lists)
    if (list.name != "Communication" || communication.empty())
      rows.push_back({list.name, list.calls, sumRanges(list.ranges)});
  if (!communication.empty())
    rows.push_back({"Communication", communications, sumRanges(communication)});
  return rows;
}

void Writer::writeOverview() {
  std::vector<TypeRow> types = makeTypes(data.hostTypes, data.hostCommunication,
                                         data.hostCommunications);
  for (TypeRow &row : types)
    for (const SummaryItem &phase : data.phases.list())
      if (phase.name == row.name && row.name != "ProfileStep") {
        row.calls = phase.calls;
        row.ps = phase.host.total;
      }
  std::stable_sort(types.begin(), types.end(),
                   [](const TypeRow &a, const TypeRow &b) {
                     bool isStepA = a.name == "ProfileStep";
                     bool isStepB = b.name == "ProfileStep";
                     return isStepA != isStepB ? isStepA : a.ps > b.ps;
                   });
  begin("Overview Summary", {25, 25, 25, 25});
  auto show = [&](const std::vector<TypeRow> &rows) {
    for (const TypeRow &row : rows)
      line({(row.name == "ProfileStep" ? "" : "  ") + row.name,
            std::to_string(row.calls), time(double(row.ps)),
            ratio(double(row.ps), double(data.totalPs))});
  };
  rule();
  line({"Event Type", "Calls", "CPU Time", "Ratio (%)"});
  rule();
  show(types);
  rule();
  line({"", "Calls", "GPU Time", "Ratio (%)"});
  rule();
  show(makeTypes(data.deviceTypes, data.deviceCommunication,
                 data.deviceCommunications));
  rule();
  note("Note:\n"
       "In this table, We sum up all collected events in terms of event type.\n"
       "The time of events collected on host are presented as CPU Time, and as "
       "GPU Time if on device.\n"
       "Events with different types may overlap or inclusion, e.g. Operator "
       "includes OperatorInner, so the sum of ratios is not 100%.\n"
       "The time of events in the same type with overlap will not calculate "
       "twice, and all time is summed after merged.\n"
       "Example:\n"
       "Thread 1:\n"
       "  Operator: |___________|     |__________|\n"
       "Thread 2:\n"
       "  Operator:   |____________|     |___|\n"
       "After merged:\n"
       "  Result:   |______________|  |__________|\n\n");
}

void Writer::writeModel() {
  std::vector<Cells> lines;
  SummaryTimes steps = getSteps(/*isModel=*/true);
  int64_t host = 0, device = 0;
  for (const char *name :
       {"ProfileStep", "Dataloader", "Forward", "Backward", "Optimization"})
    for (const SummaryItem &item : data.phases.list()) {
      if (item.name != name)
        continue;
      lines.push_back(makeItem(item, double(data.totalPs), double(steps.total),
                               /*isModel=*/true));
      if (item.name == "ProfileStep")
        continue;
      lines.back()[0] = "  " + item.name;
      trace::addSaturating(host, item.host.total);
      trace::addSaturating(device, item.kernels.total);
    }
  if (lines.size() < 2)
    return;
  auto showRest = [&](int64_t whole, int64_t part) {
    double rest = double(trace::saturatingSub(whole, part));
    return time(rest) + " / - / - / - / " + ratio(rest, double(whole));
  };
  lines.push_back({"  Others", "-", showRest(data.totalPs, host),
                   showRest(steps.total, device)});
  items("Model Summary", 15, {"Name", "Calls", kTimesOfHost, kTimesOfDevice},
        lines, /*hasRule=*/true);
  note(
      "Note:\n"
      "In this table, GPU time is the sum of all device(GPU) events called in "
      "the phase.\n"
      "Unlike overview summary, if two device(GPU) events execute on different "
      "streams with overlap time, we sum them directly here.\n\n");
}

void Writer::writeDistributed() {
  std::vector<TimeRange> communication = data.hostCommunication;
  communication.insert(communication.end(), data.deviceCommunication.begin(),
                       data.deviceCommunication.end());
  communication = uniteRanges(std::move(communication));
  if (communication.empty())
    return;
  begin("Distribution Summary", {25, 25, 25});
  rule();
  line({"Name", "Total Time", "Ratio (%)"});
  rule();
  auto show = [&](const char *name, int64_t ps) {
    line({name, time(double(ps)), ratio(double(ps), double(data.totalPs))});
  };
  show("ProfileStep", data.totalPs);
  show("  Communication", sumRanges(communication));
  show("  Computation", sumRanges(data.computation));
  show("  Overlap",
       sumRanges(intersectRanges(communication, data.computation)));
  rule();
  note(
      "Note:\n"
      "Communication time: Communication Event time, Communication Op time and "
      "its kernel time on gpu.\n"
      "Computation time: Kernel time, except kernels belong to "
      "communication(nccl kernels).\n"
      "Overlap time: Communication time intersects with computation time.\n"
      "Example:\n"
      "Communication:\n"
      "  CPU:              |_________________|\n"
      "  GPU:                                  |______________|\n"
      "  Total:            |_________________| |______________|\n"
      "Computation time(Kernel):\n"
      "  GPU:         |________________|\n"
      "Overlap time:       |___________|\n\n");
}

static constexpr size_t kOpColumns = 52;

void Writer::addOps(const SummaryItems &ops, std::vector<Cells> &lines) const {
  double host = 0, device = 0;
  for (const SummaryItem &op : ops.list()) {
    host += double(op.host.total);
    device += double(op.device.total);
  }
  auto addWork = [&](const SummaryItem &of, const char *indent) {
    for (const SummaryItem &work : of.work)
      lines.push_back(
          {indent +
               makeCell(work.name, kOpColumns - std::string(indent).size()),
           std::to_string(work.calls), "- / - / - / - / -",
           times(work.device, work.calls, double(of.device.total)), "-"});
  };
  for (const SummaryItem &op : sort(ops.list())) {
    Cells cells = makeItem(op, host, device, /*isModel=*/false);
    cells[0] = makeCell(op.name, kOpColumns);
    cells.push_back("0");
    lines.push_back(std::move(cells));
    if (!options.hasOpDetail)
      continue;
    for (const SummaryItem &part : op.parts) {
      cells = makeItem(part, double(op.host.total), double(op.device.total),
                       /*isModel=*/false);
      cells[0] = "  " + makeCell(part.name, kOpColumns - 2);
      cells.push_back("-");
      lines.push_back(std::move(cells));
      addWork(part, "    ");
    }
    addWork(op, "  ");
  }
}

void Writer::writeOps() {
  if (data.ops.empty())
    return;
  std::vector<Cells> lines;
  if (options.separatesThreads.value_or(false)) {
    for (const auto &[thread, ops] : data.opsOfThread) {
      lines.push_back({"Thread: " + std::to_string(thread)});
      addOps(ops, lines);
    }
  } else {
    lines.push_back({"Thread: All threads merged"});
    addOps(data.ops, lines);
  }
  items("Operator Summary", kOpColumns,
        {"Name", "Calls", kTimesOfHost, kTimesOfDevice, "FLOPs"}, lines,
        /*hasRule=*/true);
  out.text += "\n\n";
}

/// The name of a kernel of C++ without its arguments: up to the last ">" before
/// a parenthesis.
static std::string_view dropArguments(std::string_view name) {
  size_t open = name.find('<', 1);
  if (open == std::string_view::npos || name.rfind(')') == name.npos)
    return name;
  size_t close = name.rfind(">(", name.rfind(')'));
  return close == std::string_view::npos || close <= open
             ? name
             : name.substr(0, close + 1);
}

void Writer::writeKernels() {
  if (data.kernels.empty())
    return;
  static constexpr size_t kColumns = 90;
  double whole = 0;
  for (const SummaryItem &kernel : data.kernels.list())
    whole += double(kernel.device.total);
  // By times of devices, whatever the others are sorted by.
  std::vector<SummaryItem> kernels = data.kernels.list();
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const SummaryItem &a, const SummaryItem &b) {
                     return a.device.total > b.device.total;
                   });
  if (options.sort.compare(0, 3, "GPU") == 0)
    kernels = sort(data.kernels.list());
  std::vector<Cells> lines;
  for (const SummaryItem &kernel : kernels)
    lines.push_back({makeCell(dropArguments(kernel.name), kColumns),
                     std::to_string(kernel.calls),
                     times(kernel.device, kernel.calls, whole)});
  items("Kernel Summary", kColumns, {"Name", "Calls", kTimesOfDevice}, lines,
        /*hasRule=*/true);
  out.text += "\n\n";
}

static size_t findNameColumns(const std::vector<Cells> &lines) {
  size_t columns = 0;
  for (const Cells &cells : lines)
    if (cells.size() > 1)
      columns = std::max(columns, countColumns(cells[0]));
  return columns;
}

void Writer::writeCopies() {
  if (data.copies.empty())
    return;
  std::vector<Cells> lines;
  for (const SummaryItem &item : data.copies.list())
    lines.push_back(makeItem(item, double(data.totalPs),
                             double(getSteps(/*isModel=*/false).total),
                             /*isModel=*/false));
  items("Memory Manipulation Summary", findNameColumns(lines),
        {"Name", "Calls", kTimesOfHost, kTimesOfDevice}, lines,
        /*hasRule=*/true);
  out.text += "\n\n";
}

void Writer::writeUserScopes() {
  if (data.userScopes.empty())
    return;
  std::vector<Cells> lines;
  auto add = [&](std::string title, const SummaryItems &scopes) {
    lines.push_back({"Thread: " + title});
    for (const SummaryItem &item : sort(scopes.list()))
      lines.push_back(makeItem(item, double(data.totalPs),
                               double(getSteps(/*isModel=*/false).total),
                               /*isModel=*/false));
  };
  if (options.separatesThreads.value_or(false))
    for (const auto &[thread, scopes] : data.userScopesOfThread)
      add(std::to_string(thread), scopes);
  else
    add("All threads merged", data.userScopes);
  items("UserDefined Summary", findNameColumns(lines),
        {"Name", "Calls", kTimesOfHost, kTimesOfDevice}, lines,
        /*hasRule=*/false);
  out.text += "\n\n";
}

void Writer::writeMemory() {
  for (const MemoryPlace &place : makeMemoryPlaces(data.threads)) {
    begin("Memory Summary - Place(" + makeCell(place.name, 40) + ")",
          {50, 12, 15, 15, 15, 15, 15}, /*hasUnit=*/false);
    out.text +=
        "Peak Allocated Memory: " + std::to_string(place.peakAllocated) +
        "\nPeak Reserved Memory: " + std::to_string(place.peakReserved) + "\n";
    rule();
    line({"Name", "Type", "Allocation Count", "Free Count", "Allocation Size",
          "Free Size", "Increased Size"});
    rule();
    auto show = [&](std::vector<MemoryRow> rows, const char *type) {
      std::stable_sort(rows.begin(), rows.end(),
                       [](const MemoryRow &a, const MemoryRow &b) {
                         return a.getIncrease() > b.getIncrease();
                       });
      for (const MemoryRow &row : rows)
        line({makeCell(row.name, 50), type, std::to_string(row.allocations),
              std::to_string(row.frees), std::to_string(row.allocated),
              std::to_string(row.freed), std::to_string(row.getIncrease())});
    };
    show(place.allocated.list(), "Allocated");
    show(place.reserved.list(), "Reserved");
    out.text += "\n\n";
  }
}

StyledText Writer::write() {
  if (shows("device"))
    writeDevices();
  if (shows("overview"))
    writeOverview();
  if (shows("model"))
    writeModel();
  if (shows("distributed"))
    writeDistributed();
  if (shows("operator"))
    writeOps();
  if (shows("kernel"))
    writeKernels();
  if (shows("memory-manipulation"))
    writeCopies();
  if (shows("udf"))
    writeUserScopes();
  if (shows("memory"))
    writeMemory();
  size_t outside = 0;
  for (const Recording *recording : recordings)
    for (const MemoryEvent &event : recording->memory)
      outside += event.event >= recording->events.size();
  if (outside && shows("memory"))
    out.notes.push_back(std::to_string(outside) +
                        " events of memory outside of scopes are left out");
  if (!data.hasSteps)
    out.notes.push_back(std::string(recordings.size() > 1
                                        ? "a recording does not"
                                        : "the recording does not") +
                        " have steps: ratios are those of the time during "
                        "which a scope ran");
  return std::move(out);
}

static StyledText write(const Recordings &recordings,
                        const StyleOptions &options) {
  return Writer(recordings, options).write();
}

Style style::PaddleSummary() {
  std::vector<const char *> sorts;
  for (const SortKey &key : kKeys)
    sorts.push_back(key.name);
  return {"paddle-summary",
          "the summary of Paddle's profiler, by view",
          std::move(sorts),
          {"ms", "s", "us", "ns"},
          {std::begin(kViews), std::end(kViews)},
          write};
}
