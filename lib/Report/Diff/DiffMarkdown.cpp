//===- DiffMarkdown.cpp - Diffs for a pull request ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "Writers.h"
#include "mlir-prof/Report/Printable.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;

static void writeRow(const DiffRow &row, DiffQuantity quantity,
                     llvm::raw_ostream &os) {
  std::string part = formatPart(row.testedPs, row.testedBeforePs);
  os << "| " << escapeMarkdown(formatName(row)) << " | "
     << formatAmount(row.testedBeforePs, quantity) << " | "
     << formatAmount(row.testedAfterPs(), quantity) << " | "
     << formatChange(row.testedPs, quantity)
     << (part.empty() ? "" : " (" + part + ")") << " | "
     << formatInterval(row, quantity) << " | " << toString(row.measure) << " | "
     << formatMeanChange(row, quantity) << " |\n";
}

static void writeHead(llvm::raw_ostream &os) {
  os << "| op | before | after | change | interval | measure | mean change |\n"
        "|---|---:|---:|---:|---|---|---:|\n";
}

static void write(const DiffReport &report, const WriteOptions &,
                  llvm::raw_ostream &os) {
  const ProfileDiff &diff = report.diff;
  os << "### " << escapeMarkdown(report.before) << " → "
     << escapeMarkdown(report.after) << "\n\n";
  writeHead(os);
  for (const DiffRow *row : getWhole(diff))
    writeRow(*row, diff.quantity, os);
  std::vector<const DiffRow *> others;
  for (uint32_t position : report.view.rows) {
    const DiffRow &row = diff.rows[position];
    if (isSignificant(row))
      writeRow(row, diff.quantity, os);
    else
      others.push_back(&row);
  }
  os << '\n'
     << formatCounts(diff) << ". Means: " << formatSum(diff) << ".\n\n"
     << "<sub>" << formatBasis(diff)
     << "; moderated t-tests, corrected for their number.</sub>\n";
  for (const std::string &note : diff.notes)
    os << "\n> " << escapeMarkdown(note) << '\n';
  if (others.empty())
    return;
  os << "\n<details><summary>Not significant</summary>\n\n";
  writeHead(os);
  for (const DiffRow *row : others)
    writeRow(*row, diff.quantity, os);
  os << "\n</details>\n";
}

DiffWriter report::diffwriter::Markdown() {
  return {"markdown", "a comment for a pull request", write};
}
