//===- DiffJson.cpp - Diffs as JSON ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "mlir-prof/Report/JsonText.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;

static void writeRow(llvm::json::OStream &json, const DiffRow &row) {
  writeText(json, "op", row.op);
  writeText(json, "name", row.name);
  json.attribute("match", toString(row.match));
  json.attribute("verdict", toString(row.verdict));
  json.attribute("basis", toString(row.basis));
  json.attribute("before_ops", row.beforeOps);
  json.attribute("after_ops", row.afterOps);
  json.attribute("before", row.beforePs);
  json.attribute("after", row.afterPs);
  json.attribute("change", row.changePs());
  if (row.basis == DiffBasis::None)
    return;
  json.attribute("measure", toString(row.measure));
  json.attribute("tested_before", row.testedBeforePs);
  json.attribute("tested_after", row.testedAfterPs());
  json.attribute("tested_change", row.testedPs);
  json.attribute("low", row.lowPs);
  json.attribute("high", row.highPs);
  json.attribute("detectable", row.detectablePs);
  json.attribute("base", row.basePs);
  json.attribute("p", row.pValue);
  json.attribute("adjusted_p", row.adjusted);
}

static void write(const DiffReport &report, const WriteOptions &,
                  llvm::raw_ostream &os) {
  const ProfileDiff &diff = report.diff;
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mlir-prof.diff/2");
    auto writeSide = [&](llvm::StringRef key, llvm::StringRef name,
                         uint64_t units, uint64_t runs) {
      json.attributeObject(key, [&] {
        writeText(json, "profile", name);
        json.attribute("units", units);
        json.attribute("runs", runs);
      });
    };
    writeSide("before", report.before, diff.beforeUnits, diff.beforeRuns);
    writeSide("after", report.after, diff.afterUnits, diff.afterRuns);
    json.attribute("unit", toString(diff.unit));
    json.attribute("quantity", diff.quantity == DiffQuantity::Time
                                   ? "ps"
                                   : getQuantityName(diff));
    json.attributeObject("total", [&] { writeRow(json, diff.total); });
    if (diff.wall)
      json.attributeObject("wall", [&] { writeRow(json, *diff.wall); });
    if (diff.quiet)
      json.attributeObject("quiet", [&] { writeRow(json, *diff.quiet); });
    json.attribute("rounding", diff.roundingPs);
    json.attribute("unchanged", diff.unchanged);
    json.attribute("tests", diff.tests);
    json.attributeArray("notes", [&] {
      for (const std::string &note : diff.notes)
        json.value(toJsonText(note));
    });
    json.attributeArray("rows", [&] {
      // One row per line, for line-based tools and for people.
      for (uint32_t row : report.view.rows)
        json.rawValue([&](llvm::raw_ostream &line) {
          llvm::json::OStream object(line);
          line << '\n';
          object.object([&] { writeRow(object, diff.rows[row]); });
        });
    });
  });
  os << '\n';
}

DiffWriter report::diffwriter::Json() {
  return {"json", "everything (mlir-prof.diff/2)", write};
}
