//===- ShowProfile.cpp - GET /profiles/{id} -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Report/WhyEmpty.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;
using namespace mlirprof::serve;

/// Why the profile does not have the data of a report; "" if it has.
static llvm::StringRef findReason(const Session &session,
                                  const ReportKind &kind) {
  if (kind.needs == Needs::Ownership && !session.ownership)
    return "It needs the module that was run.";
  if (kind.needs == Needs::Program && session.profile.programs.empty())
    return "It needs a recording of mlir-prof record.";
  if (kind.usesEvents && !profile::hasKeptEvents(session.profile))
    return "It needs single events (--keep-events).";
  return findMissing(session.profile, kind);
}

/// The same for a profile of counts, of which reports with rates cannot be
/// made.
static std::string findReasonOfCounts(OpenProfile &profile,
                                      const ReportKind &kind) {
  llvm::StringRef reason = findReason(profile.get(), kind);
  if (!reason.empty())
    return reason.str();
  auto report = profile.getReport(kind.name, RowSelection::Measured);
  return report ? "" : llvm::toString(report.takeError());
}

static void writeAnalyzers(llvm::json::OStream &json, OpenProfile &profile,
                           bool isOfCounts) {
  json.attributeArray("analyzers", [&] {
    for (const ReportKind &kind : getReports())
      json.object([&] {
        std::string reason = isOfCounts ? findReasonOfCounts(profile, kind)
                                        : findReason(profile.get(), kind).str();
        std::string title = kind.name.str();
        llvm::replace(title, '-', ' ');
        json.attribute("name", kind.name);
        json.attribute("title", title);
        json.attribute("description", kind.description);
        json.attribute("available", reason.empty());
        json.attribute("reason", reason);
      });
  });
}

static void writeRuns(llvm::json::OStream &json,
                      const profile::Profile &profile) {
  json.attributeArray("runs", [&] {
    for (const RunHeader &run : getRunHeaders(profile))
      json.object([&] {
        writeText(json, "source", run.source);
        writeInteger(json, "iterations", int64_t(run.iterations));
        writeInteger(json, "min_ps", run.minPs);
        writeInteger(json, "median_ps", run.medianPs);
        writeInteger(json, "mean_ps", run.meanPs);
        writeInteger(json, "samples", int64_t(run.samples));
      });
  });
}

static void writeCoverage(llvm::json::OStream &json, const Session &session) {
  if (!session.attribution) {
    json.attribute("coverage", nullptr);
    return json.attributeArray("unmatched", [] {});
  }
  const Coverage &coverage = session.attribution->coverage;
  json.attributeObject("coverage", [&] {
    writeInteger(json, "op_time_ps", coverage.opTimePs);
    writeInteger(json, "unique_ps", coverage.uniquePs);
    writeInteger(json, "ambiguous_ps", coverage.ambiguousPs);
    writeInteger(json, "fused_ps", coverage.fusedPs);
    writeInteger(json, "partial_ps", coverage.partialPs);
    writeInteger(json, "unmatched_ps", coverage.unmatchedPs);
    writeInteger(json, "mean_fused_members_ppm", coverage.meanFusedMembersPpm);
  });
  json.attributeArray("unmatched", [&] {
    for (const UnmatchedReason &reason : session.attribution->unmatched)
      json.object([&] {
        writeText(json, "reason", reason.reason);
        writeInteger(json, "count", int64_t(reason.count));
        writeInteger(json, "time_ps", reason.timePs);
      });
  });
}

static void writeLosses(llvm::json::OStream &json,
                        const profile::Profile &profile) {
  json.attributeArray("losses", [&] {
    for (const profile::Run &run : profile.runs)
      for (const Loss &loss : run.losses)
        json.object([&] {
          writeText(json, "name", loss.name);
          writeInteger(json, "count", int64_t(loss.count));
          writeInteger(json, "time_ps", loss.timePs);
          writeText(json, "text", describeLoss(loss));
        });
  });
}

static void writeLevels(llvm::json::OStream &json,
                        const profile::Profile &profile) {
  json.attributeArray("levels", [&] {
    for (const std::string &level : listLevels(profile))
      json.value(toJsonText(level));
  });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  auto opened = api.sessions.get(*profile, "");
  if (!opened)
    return opened.takeError();
  const Session &session = (*opened)->get();
  auto unit = profile::getCountedUnit(session.profile);
  if (!unit)
    return unit.takeError();
  return makeJson([&](llvm::json::OStream &json) {
    writeProfileMembers(json, *profile);
    // The members *_ps of a profile of counts have this unit.
    if (unit->empty())
      json.attribute("unit", nullptr);
    else
      writeText(json, "unit", *unit);
    writeLevels(json, session.profile);
    writeAnalyzers(json, **opened, !unit->empty());
    writeRuns(json, session.profile);
    writeCoverage(json, session);
    writeLosses(json, session.profile);
  });
}

Route route::ShowProfile() {
  return {
      "GET", "/profiles/{id}", "A profile: what it has, and lacks.", {}, run};
}
