//===- Json.cpp - Reports as JSON -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Writers.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Report/LossText.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;

/// The name of an amount of time, or of what the profile counted in its place.
static std::string nameAmount(const Report &report, llvm::StringRef stem) {
  if (report.unit.empty())
    return (stem + "_ps").str();
  stem.consume_back("time");
  stem.consume_back("_");
  return (stem + (stem.empty() ? "" : "_") + profile::getUnitName(report.unit))
      .str();
}

static void writeCoverage(llvm::json::OStream &json, const Report &report,
                          llvm::StringRef name, const Coverage &coverage) {
  auto add = [&](llvm::StringRef stem, int64_t amount) {
    json.attribute(nameAmount(report, stem), amount);
  };
  json.attributeObject(name, [&] {
    add("op_time", coverage.opTimePs);
    add("unique", coverage.uniquePs);
    add("ambiguous", coverage.ambiguousPs);
    add("fused", coverage.fusedPs);
    add("partial", coverage.partialPs);
    add("unmatched", coverage.unmatchedPs);
    json.attribute("mean_fused_members_ppm", coverage.meanFusedMembersPpm);
  });
}

/// That of devices and of the host, if times are those of devices.
static void writeCoverage(llvm::json::OStream &json, const Report &report) {
  if (!report.coverage)
    return json.attribute("coverage", nullptr);
  writeCoverage(json, report, "coverage", *report.coverage);
  if (report.hostCoverage)
    writeCoverage(json, report, "host_coverage", *report.hostCoverage);
}

static void writeLosses(llvm::json::OStream &json, const Report &report) {
  auto writeLoss = [&](llvm::StringRef name, uint64_t count, int64_t timePs) {
    json.object([&] {
      writeText(json, "name", name);
      json.attribute("count", count);
      json.attribute(nameAmount(report, "time"), timePs);
      if (isSaturated({"", count, timePs}))
        json.attribute("saturated", true);
    });
  };
  json.attributeArray("losses", [&] {
    for (const UnmatchedReason &reason : report.unmatched)
      writeLoss("unmatched: " + reason.reason, reason.count, reason.timePs);
    for (const Loss &loss : report.losses)
      writeLoss(loss.name, loss.count, loss.timePs);
  });
}

static void writeRuns(llvm::json::OStream &json, const Report &report) {
  json.attributeArray("runs", [&] {
    for (const RunHeader &run : report.runs)
      json.object([&] {
        writeText(json, "source", run.source);
        json.attribute("iterations", run.iterations);
        json.attribute("min_ps", run.minPs);
        json.attribute("median_ps", run.medianPs);
        json.attribute("median_of", run.medianOf);
        json.attribute("mean_ps", run.meanPs);
        json.attribute("sample_period_ps", run.samplePeriodPs);
        json.attribute("samples", run.samples);
        json.attribute("code_samples", run.codeSamples);
        json.attribute("identified_samples", run.identifiedSamples);
      });
  });
}

/// The name of a kind in JSON.
static llvm::StringRef toString(ColumnKind kind) {
  switch (kind) {
  case ColumnKind::Text:
    return "text";
  case ColumnKind::Number:
    return "number";
  case ColumnKind::Count:
    return "count";
  case ColumnKind::Time:
    return "time";
  case ColumnKind::Rate:
    return "rate";
  case ColumnKind::Ratio:
    return "ratio";
  case ColumnKind::Share:
    return "share";
  case ColumnKind::List:
    return "list";
  case ColumnKind::Decimal:
    return "decimal";
  }
  llvm_unreachable("unknown kind of column");
}

/// The columns of the rows, which are known without rows, too.
static void writeColumns(llvm::json::OStream &json, const Table &table) {
  json.attributeArray("columns", [&] {
    for (const Column &column : table.getColumns()) {
      if (column.use == ColumnUse::TextOnly)
        continue;
      llvm::StringRef unit = getUnit(column);
      json.object([&] {
        writeText(json, "name", column.name);
        writeText(json, "title", column.title);
        json.attribute("kind", toString(column.kind));
        if (!unit.empty())
          json.attribute("unit", unit);
      });
    }
  });
  if (table.weightColumn)
    json.attributeObject("weight", [&] {
      writeText(json, "column", table.getColumns()[*table.weightColumn].name);
      json.attribute("total", table.weightTotal);
    });
}

static void writeDecimal(llvm::json::OStream &json, llvm::StringRef name,
                         llvm::StringRef digits) {
  json.attributeBegin(name);
  json.rawValue(digits);
  json.attributeEnd();
}

static void writeRow(llvm::json::OStream &json, const Table &table,
                     uint32_t row) {
  for (auto [i, column] : llvm::enumerate(table.getColumns())) {
    if (column.use == ColumnUse::TextOnly)
      continue;
    auto position = uint32_t(i);
    if (table.isNull(row, position))
      json.attribute(column.name, nullptr);
    else if (column.kind == ColumnKind::Text)
      writeText(json, column.name, table.getText(row, position));
    else if (column.kind == ColumnKind::Decimal)
      writeDecimal(json, column.name, table.getText(row, position));
    else if (column.kind == ColumnKind::List)
      json.attributeArray(column.name, [&] {
        for (int64_t value : table.getList(row, position))
          json.value(value);
      });
    else
      json.attribute(column.name, table.getInteger(row, position));
  }
}

static void write(const Report &report, const WriteOptions &,
                  llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mlir-prof.report/2");
    json.attribute("by", report.by);
    if (!report.group.empty())
      json.attributeArray("group", [&] {
        for (llvm::StringRef name : report.group)
          json.value(toJsonText(name));
      });
    if (!report.runs.empty())
      writeRuns(json, report);
    writeCoverage(json, report);
    writeLosses(json, report);
    writeColumns(json, report.table);
    json.attribute("matched", report.view.matched);
    if (report.view.next)
      json.attribute("next", *report.view.next);
    json.attributeArray("rows", [&] {
      // One row per line, for line-based tools and for people.
      for (uint32_t row : report.view.rows) {
        json.rawValue([&](llvm::raw_ostream &line) {
          llvm::json::OStream object(line);
          line << '\n';
          object.object([&] { writeRow(object, report.table, row); });
        });
      }
    });
  });
  os << '\n';
}

ReportWriter writer::Json() {
  return {"json", "everything, times in ps (mlir-prof.report/2)", write};
}
