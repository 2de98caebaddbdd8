//===- Csv.cpp - Light-weight profiling's table ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One line per function or loop, grouped by function: its depth among the loops
// ("-" for the function itself), its code's offsets, the inclusive cycles of
// all executions, and the number of executions. From a profile of samples the
// cycles are nanoseconds, and the executions are unknown ("-").

#include "../Exporters.h"
#include "Regions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::exporter::lwp;

static void writeName(llvm::StringRef name, llvm::raw_ostream &os) {
  if (name.find_first_of(",\"\r\n") == llvm::StringRef::npos) {
    os << name;
    return;
  }
  os << '"';
  for (char c : name) {
    if (c == '"')
      os << '"';
    os << c;
  }
  os << '"';
}

static void writeRow(const Region &region, llvm::raw_ostream &os) {
  writeName(region.function, os);
  os << ',' << region.id << ',';
  if (region.isFunction)
    os << '-';
  else
    os << region.depth;
  os << ",0x" << llvm::utohexstr(region.begin, /*LowerCase=*/true) << ",0x"
     << llvm::utohexstr(region.end, /*LowerCase=*/true) << ',' << region.cycles
     << ',';
  if (region.hasCount)
    os << region.count;
  else
    os << '-';
  os << "\r\n";
}

static llvm::Error writeCsv(const ExportInput &input, llvm::raw_ostream &os) {
  llvm::Expected<std::vector<Region>> regions = collectRegions(input);
  if (!regions)
    return regions.takeError();
  os << "function name,loop/function id,loop depth,start offset,end offset,"
        "pcycles,parent count\r\n";
  // Lines of one function are adjacent, at the position of its first line.
  std::vector<std::pair<uint32_t, uint32_t>> order;
  llvm::StringMap<uint32_t> places;
  for (auto [index, region] : llvm::enumerate(*regions)) {
    uint32_t place =
        places.try_emplace(region.function, uint32_t(index)).first->second;
    if (region.count || region.cycles)
      order.emplace_back(place, uint32_t(index));
  }
  llvm::sort(order);
  for (auto [place, index] : order)
    writeRow((*regions)[index], os);
  return llvm::Error::success();
}

Exporter exporter::LwpCsv() {
  return {"lwp-csv",
          "table of light-weight profiling, one line per loop",
          ExportNeeds::Profile,
          writeCsv,
          /*hasStacks=*/false,
          ExportCounts::Cycles};
}
