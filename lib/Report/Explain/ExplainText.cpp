//===- ExplainText.cpp - Explanations as text -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainWriters.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;

namespace {
class ExplanationWriter {
public:
  ExplanationWriter(const ReportInput &input, const Explanation &explanation,
                    llvm::raw_ostream &os)
      : input(input), explanation(explanation), os(os) {}

  void write();

private:
  void writeMlirOp();
  void writeInstances();
  void writeMeasured(const MeasuredOp &measured);
  void writeMatch(const MeasuredOp &measured);
  void writeOwners(const MeasuredOp &measured);
  void writeNames(llvm::StringRef title, llvm::ArrayRef<std::string> names);
  void writeCandidates();

  const ReportInput &input;
  const Explanation &explanation;
  llvm::raw_ostream &os;
};
} // namespace

/// Longer lists are available in JSON.
static constexpr size_t kMostLines = 20;

static void writeMore(size_t size, llvm::StringRef what,
                      llvm::raw_ostream &os) {
  if (size > kMostLines)
    os << "    and " << size - kMostLines << " more " << what << '\n';
}

void ExplanationWriter::writeNames(llvm::StringRef title,
                                   llvm::ArrayRef<std::string> names) {
  if (names.empty())
    return;
  os << "    " << title << ": ";
  llvm::interleaveComma(
      names.take_front(kMostLines), os,
      [&](const std::string &name) { os << printable(name); });
  if (names.size() > kMostLines)
    os << " and " << names.size() - kMostLines << " more";
  os << '\n';
}

void ExplanationWriter::writeOwners(const MeasuredOp &measured) {
  std::vector<OwnerShare> owners = measured.owners;
  llvm::sort(owners, [](const OwnerShare &a, const OwnerShare &b) {
    return std::tie(b.partPs, a.op) < std::tie(a.partPs, b.op);
  });
  os << "    owners:\n";
  for (const OwnerShare &owner :
       llvm::ArrayRef(owners).take_front(kMostLines)) {
    const MlirOp &op = input.ownership->ops[owner.op];
    bool asked = explanation.kind == Explanation::Kind::MlirOp &&
                 owner.op == explanation.op;
    os << "    " << (asked ? "> " : "  ")
       << formatPercent(owner.partPs, measured.timePs) << "  "
       << formatTime(owner.partPs) << "  weight " << owner.weight << "  "
       << formatNumber(*input.ownership, owner.op) << ' ' << printable(op.op)
       << "  " << printable(getPlace(op)) << '\n';
  }
  writeMore(owners.size(), "owners", os);
}

void ExplanationWriter::writeMatch(const MeasuredOp &measured) {
  const Match &match = *measured.match;
  os << "    class " << toString(match.matchClass);
  if (!measured.owners.empty())
    os << ", found by " << toString(match.tier);
  os << '\n';
  if (!match.reason.empty())
    os << "    reason: " << printable(match.reason) << '\n';
  writeNames("names searched", match.names);
  writeNames("names without an op", match.unmatched);
  if (!measured.owners.empty())
    writeOwners(measured);
}

void ExplanationWriter::writeMeasured(const MeasuredOp &measured) {
  os << "  " << printable(measured.name);
  if (!measured.kernel.empty() &&
      !llvm::StringRef(measured.name).ends_with(":" + measured.kernel))
    os << "  " << printable(measured.kernel);
  os << "\n    " << formatCount(measured.count, "event") << ", "
     << formatTime(measured.timePs) << '\n';
  if (measured.match)
    writeMatch(measured);
  else
    os << "    the owner is unknown without a module\n";
  for (const TrackUse &use :
       llvm::ArrayRef(measured.tracks).take_front(kMostLines))
    os << "    ran on " << printable(use.plane) << " line " << use.line << " '"
       << printable(use.track) << "': " << formatCount(use.events, "event")
       << '\n';
  writeMore(measured.tracks.size(), "tracks", os);
}

void ExplanationWriter::writeInstances() {
  size_t count = explanation.instances.size();
  if (count == 0)
    return;
  os << "  its code serves " << count
     << (count == 1 ? " dispatch:\n" : " dispatches:\n");
  for (const InstanceShare &share :
       llvm::ArrayRef(explanation.instances).take_front(kMostLines)) {
    const profile::Program &program = input.profile.programs[share.program];
    uint32_t node = program.instances[share.instance].node;
    os << "    " << formatTime(share.partPs) << "  dispatch " << share.instance
       << "  " << printable(getPlace(program, node)) << '\n';
  }
  writeMore(count, "dispatches", os);
}

void ExplanationWriter::writeMlirOp() {
  const MlirOp &op = input.ownership->ops[explanation.op];
  const OpTime &time = input.attribution->ops[explanation.op];
  os << formatNumber(*input.ownership, explanation.op) << ' '
     << printable(op.op) << "  " << printable(getPlace(op)) << '\n';
  if (!op.file.empty())
    os << "  source " << printable(op.file) << ':' << op.line << '\n';
  os << "  " << formatCount(time.count, "event") << ", sole "
     << formatTime(time.solePs) << ", shared " << formatTime(time.sharedPs)
     << ", estimated " << formatTime(time.estimatedPs);
  std::string share =
      formatPercent(time.totalPs(), input.attribution->coverage.opTimePs);
  if (!share.empty())
    os << ", " << share << " of op time";
  os << '\n';
  if (explanation.insidePs)
    os << "  ops inside it: " << formatTime(explanation.insidePs) << '\n';
  writeInstances();

  if (!explanation.measured.empty())
    os << "\nIts time comes from " << explanation.measured.size()
       << (explanation.measured.size() == 1 ? " measured op:\n"
                                            : " measured ops, most first:\n");
  for (const MeasuredOp &measured :
       llvm::ArrayRef(explanation.measured).take_front(kMostLines))
    writeMeasured(measured);
  writeMore(explanation.measured.size(), "measured ops", os);
  if (!explanation.reasons.empty())
    os << "\nIt does not have any time:\n";
  for (const std::string &reason : explanation.reasons)
    os << "  " << printable(reason) << '\n';
  if (!explanation.nearest.empty())
    os << "  The nearest names that were measured:\n";
  for (const std::string &name : explanation.nearest)
    os << "    " << printable(name) << '\n';
}

void ExplanationWriter::writeCandidates() {
  os << "'" << printable(explanation.query) << "' may mean "
     << explanation.candidates.size() << " ops; ask for one of:\n";
  for (const Candidate &candidate :
       llvm::ArrayRef(explanation.candidates).take_front(kMostLines))
    os << "  " << printable(candidate.query) << "  "
       << formatTime(candidate.timePs) << "  "
       << printable(candidate.description) << '\n';
  writeMore(explanation.candidates.size(), "ops", os);
}

void ExplanationWriter::write() {
  switch (explanation.kind) {
  case Explanation::Kind::MlirOp:
    return writeMlirOp();
  case Explanation::Kind::Ambiguous:
    return writeCandidates();
  case Explanation::Kind::MeasuredOp:
    os << "measured op\n";
    for (const MeasuredOp &measured : explanation.measured)
      writeMeasured(measured);
  }
}

void report::writeExplanationText(const ReportInput &input,
                                  const Explanation &explanation,
                                  llvm::raw_ostream &os) {
  ExplanationWriter(input, explanation, os).write();
}

void report::writeExplanation(const ReportInput &input,
                              const Explanation &explanation,
                              ExplainFormat format, llvm::raw_ostream &os) {
  if (format == ExplainFormat::Json)
    writeExplanationJson(input, explanation, os);
  else
    writeExplanationText(input, explanation, os);
}
