//===- PaddleReport.cpp - The report of Paddle's first profiler -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportItems.h"
#include "Text.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::style;

namespace {

struct SortKey {
  const char *name;
  const char *text;
  /// The value by which rows are sorted, the largest first.
  double (*get)(const ReportItem &item);
  /// The rows of newer threads come first.
  bool isByThread = false;
};

class Writer {
public:
  Writer(const Recordings &recordings, const StyleOptions &options);
  StyledText write();

private:
  void writeReport(bool mergesThreads, bool hasOverhead);
  void writeOverhead(const ReportList &list);
  void writeItems(std::vector<ReportItem> &items, double total);
  void writeMemory();
  void cell(const std::string &text, size_t columns) {
    out.text += padRight(text, columns);
  }
  void number(double value) { cell(formatGeneral(value), kColumns); }

  static constexpr size_t kColumns = 12;

  const Recordings &recordings;
  const StyleOptions &options;
  const SortKey *key = nullptr;
  bool lacksDevices = false;
  ReportTime time = ReportTime::Host;
  size_t nameColumns = 0;
  StyledText out;
};

} // namespace

static constexpr SortKey kKeys[] = {
    {"default", "event first end time",
     [](const ReportItem &item) { return -double(item.firstEndPs); }, true},
    {"calls", "number of calls",
     [](const ReportItem &item) { return double(item.calls); }},
    {"total", "total time", [](const ReportItem &item) { return item.total; }},
    {"max", "maximum time", [](const ReportItem &item) { return item.max; }},
    {"min", "minimum time", [](const ReportItem &item) { return item.min; }},
    {"ave", "average time",
     [](const ReportItem &item) { return item.getAverage(); }}};

Writer::Writer(const Recordings &recordings, const StyleOptions &options)
    : recordings(recordings), options(options) {
  for (const SortKey &of : kKeys)
    if (of.name == (options.sort.empty() ? "default" : options.sort))
      key = &of;
  lacksDevices = options.state != "CPU" && !hasDevices(recordings);
  if (options.state != "CPU" && !lacksDevices)
    time = options.state == "All" ? ReportTime::Both : ReportTime::Device;
}

/// The rows of items and of those below them, sorted.
static void sortItems(std::vector<ReportItem> &items, const SortKey &key) {
  std::stable_sort(items.begin(), items.end(),
                   [&](const ReportItem &a, const ReportItem &b) {
                     if (key.isByThread && a.newestThread != b.newestThread)
                       return a.newestThread > b.newestThread;
                     return key.get(a) > key.get(b);
                   });
  for (ReportItem &item : items)
    sortItems(item.children, key);
}

static std::string makeName(const ReportItem &item) {
  return std::string(2 * std::min<size_t>(item.depth, 40), ' ') +
         makeCell(item.name, kNameColumns);
}

/// Paddle leaves eight columns behind the longest name, whatever its depth;
/// rows that are indented by more need others.
static size_t findNameColumns(const std::vector<ReportItem> &items) {
  constexpr size_t kRoom = 8;
  size_t columns = kRoom;
  for (const ReportItem &item : items) {
    size_t name = countColumns(makeCell(item.name, kNameColumns));
    columns = std::max({columns, name + kRoom, countColumns(makeName(item)) + 1,
                        findNameColumns(item.children)});
  }
  return columns;
}

static std::string makeBanner(const char *title, const char *begin,
                              const char *end) {
  return std::string("\n") + begin + title + end + "\n\n";
}

static std::string makePart(const char *title) {
  return makeBanner(title, "-------------------------",
                    "-------------------------");
}

static std::string makeReport(const char *title) {
  return makeBanner(title, "------------------------->",
                    "<-------------------------");
}

namespace {
struct Sum {
  uint64_t calls = 0;
  double total = 0;
};
} // namespace

/// Sums the outermost items whose names contain `text`.
static void addNamed(const std::vector<ReportItem> &items, const char *text,
                     Sum &sum) {
  for (const ReportItem &item : items) {
    if (item.name.find(text) == std::string::npos) {
      addNamed(item.children, text, sum);
      continue;
    }
    sum.calls += item.calls;
    sum.total += item.total;
  }
}

void Writer::writeOverhead(const ReportList &list) {
  Sum compute, copies;
  // Scopes around others are ops, whatever their names.
  for (const ReportItem &root : list.roots)
    if (root.name.find("compute") == std::string::npos)
      addNamed(root.children, "compute", compute);
  auto addPercent = [&](double total) {
    out.text +=
        "Ratio: " + formatGeneral(getRatio(total, list.total) * 100) + "%\n";
  };
  auto addTimes = [&](const char *name, double total) {
    cell(name, 25);
    out.text += "Total: ";
    number(total);
    addPercent(total);
  };
  // The line above ends with an empty one.
  out.text += makePart("     Overhead Summary      ").substr(1);
  out.text += "Total time: " + formatGeneral(list.total) + "\n";
  addTimes("  Computation time", compute.total);
  addTimes("  Framework overhead", list.total - compute.total);
  out.text += makePart("     GpuMemCpy Summary     ");
  auto addCopies = [&](const char *name, const Sum &sum) {
    cell(name, 25);
    out.text += "Calls: ";
    cell(std::to_string(sum.calls), kColumns);
    out.text += "Total: ";
    number(sum.total);
    addPercent(sum.total);
  };
  static constexpr const char *kKinds[] = {"  GpuMemcpyAsync",
                                           "  GpuMemcpySync"};
  Sum kinds[2];
  for (size_t kind = 0; kind != 2; ++kind) {
    addNamed(list.roots, kKinds[kind] + 2, kinds[kind]);
    copies.calls += kinds[kind].calls;
    copies.total += kinds[kind].total;
  }
  addCopies("GpuMemcpy", copies);
  for (size_t kind = 0; kind != 2; ++kind)
    if (kinds[kind].calls)
      addCopies(kKinds[kind], kinds[kind]);
}

void Writer::writeItems(std::vector<ReportItem> &items, double total) {
  for (ReportItem &item : items) {
    cell(makeName(item), nameColumns);
    cell(std::to_string(item.calls), kColumns);
    number(item.total);
    if (time == ReportTime::Both)
      for (double part : {item.host, item.device})
        cell(formatFixed(part, 6) + " (" +
                 formatFixed(getRatio(part, item.total), 6) + ")",
             2 * kColumns);
    number(item.min);
    number(item.max);
    number(item.getAverage());
    number(getRatio(item.total, total));
    out.text += "\n";
    writeItems(item.children, total);
  }
}

void Writer::writeReport(bool mergesThreads, bool hasOverhead) {
  std::vector<ReportList> lists =
      makeReportLists(recordings, mergesThreads, time);
  nameColumns = 0;
  for (ReportList &list : lists) {
    sortItems(list.roots, *key);
    nameColumns = std::max(nameColumns, findNameColumns(list.roots));
  }
  out.text += makeReport("     Profiling Report     ");
  if (mergesThreads)
    out.text += "Note! This Report merge all thread info into one.\n";
  if (lacksDevices)
    out.text += "Note! The recording does not have scopes of a device: these "
                "are the times of the host.\n";
  out.text += "Place: ";
  out.text += options.state == "GPU" ? "CUDA" : options.state;
  out.text += "\nTime unit: ms\nSorted by " + std::string(key->text) +
              " in descending order in the same thread\n\n";
  if (hasOverhead && lists.size() == 1)
    writeOverhead(lists[0]);
  out.text += makePart("       Event Summary       ");
  cell("Event", nameColumns);
  cell("Calls", kColumns);
  cell("Total", kColumns);
  if (time == ReportTime::Both)
    for (const char *title : {"CPU Time (Ratio)", "GPU Time (Ratio)"})
      cell(title, 2 * kColumns);
  for (const char *title : {"Min.", "Max.", "Ave.", "Ratio."})
    cell(title, kColumns);
  out.text += "\n";
  for (ReportList &list : lists)
    writeItems(list.roots, list.total);
}

namespace {
struct MemoryItem {
  std::string name;
  uint64_t allocations = 0, frees = 0;
  double allocated = 0, freed = 0;
};
} // namespace

static std::vector<MemoryItem> sumMemory(const Recordings &recordings) {
  std::vector<MemoryItem> items;
  std::unordered_map<std::string, size_t> indexOfName;
  for (const Recording *recording : recordings)
    for (const MemoryEvent &event : recording->memory) {
      bool isFree = event.type == MemoryType::Free;
      if (!isFree && event.type != MemoryType::Allocate)
        continue;
      std::string name = "Place(";
      name += event.place < recording->places.size()
                  ? recording->places[event.place]
                  : std::string("unknown");
      name += "):";
      if (event.event != kNoScope)
        name += recording->sites[recording->events[event.event].site].name;
      auto [it, isNew] = indexOfName.try_emplace(name, items.size());
      if (isNew)
        items.emplace_back().name = name;
      MemoryItem &item = items[it->second];
      ++(isFree ? item.frees : item.allocations);
      (isFree ? item.freed : item.allocated) += std::fabs(double(event.bytes));
    }
  return items;
}

void Writer::writeMemory() {
  static constexpr size_t kWide = 18;
  constexpr double kMega = 1024 * 1024;
  out.text += makeReport("    Memory Profiling Report     ");
  cell("Event", 55);
  for (const char *title :
       {"Alloc Calls", "Size(MB)", "Free Calls", "Size(MB)"})
    cell(title, kWide);
  out.text += "\n";
  for (const MemoryItem &item : sumMemory(recordings)) {
    cell(makeCell(item.name, 54), 55);
    cell(std::to_string(item.allocations), kWide);
    cell(formatGeneral(item.allocated / kMega), kWide);
    cell(std::to_string(item.frees), kWide);
    cell(formatGeneral(item.freed / kMega), kWide);
    out.text += "\n";
  }
  out.text += "\n";
}

StyledText Writer::write() {
  bool isSeparate = options.separatesThreads.value_or(true);
  bool isMerged = !options.separatesThreads.value_or(false);
  size_t lists = makeReportLists(recordings, false, time).size();
  // A thread alone has one report, as it is.
  if (lists < 2 && !options.separatesThreads)
    isMerged = false;
  if (isMerged)
    writeReport(/*mergesThreads=*/true, /*hasOverhead=*/true);
  if (isSeparate)
    writeReport(/*mergesThreads=*/false, /*hasOverhead=*/true);
  writeMemory();
  for (const TableRow &row : makeTable(recordings))
    if (row.open)
      out.notes.push_back("scope '" + makeCell(row.name, kNameColumns) +
                          "' has not ended and is left out, " +
                          std::to_string(row.open) +
                          (row.open == 1 ? " time" : " times"));
  return std::move(out);
}

static StyledText write(const Recordings &recordings,
                        const StyleOptions &options) {
  return Writer(recordings, options).write();
}

Style style::PaddleReport() {
  std::vector<const char *> sorts;
  for (const SortKey &key : kKeys)
    sorts.push_back(key.name);
  return {"paddle-report",
          "the Profiling Report of Paddle's first profiler",
          std::move(sorts),
          {"ms"},
          {},
          write};
}
