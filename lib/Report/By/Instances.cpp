//===- Instances.cpp - Report by dispatch ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/Instances.h"
#include "Reports.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

using Times = std::map<ProfileInstance, GroupTime>;

/// Charges each key of a program with dispatches to the ones that may have run
/// it; code of the host side to none.
static Times chargeInstances(const Profile &profile,
                             llvm::ArrayRef<OpSummary> merged) {
  Times times;
  ProfileInstances instances(profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = profile.opKeys[op.op];
    uint32_t program = instances.findProgram(key);
    if (op.measurements.empty() || program == kNone ||
        profile.programs[program].instances.empty())
      continue;
    std::vector<InstancePart> parts =
        instances.of(program).split(key, op.getTimePs());
    for (auto [instance, partPs] : parts) {
      GroupTime &time = times[{program, instance}];
      addSaturating(time.count, op.getCount());
      if (parts.size() == 1) {
        addSaturating(time.solePs, partPs);
        continue;
      }
      addSaturating(time.sharedPs, op.getTimePs());
      addSaturating(time.estimatedPs, partPs);
    }
  }
  return times;
}

/// "linalg.matmul (fc1) + linalg.generic": the origins of the kernel's ops.
static std::string describeOps(const Program &program,
                               const ProgramInstance &instance) {
  constexpr size_t kMostNames = 4;
  std::vector<uint32_t> nodes;
  for (auto [op, origin] : instance.origins)
    nodes.push_back(getWholeOp(program, origin));
  llvm::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<std::string> names;
  for (uint32_t node : llvm::ArrayRef(nodes).take_front(kMostNames)) {
    std::string name = getString(program, program.nodes[node].op).str();
    std::string place = getPlace(program, node);
    names.push_back(place.empty() ? name : name + " (" + place + ")");
  }
  if (nodes.size() > kMostNames)
    names.push_back(llvm::utostr(nodes.size() - kMostNames) + " more");
  return llvm::join(names, " + ");
}

static Cell orNull(const std::string &text) {
  return text.empty() ? Cell() : Cell(text);
}

static void addRow(Table &table, const Profile &profile,
                   const ProfileInstance &which, const GroupTime &time,
                   llvm::ArrayRef<uint32_t> indices) {
  const Program &program = profile.programs[which.program];
  std::string place = "(no dispatch)", kernel, ops;
  Cell number, mlir;
  if (which.instance != kNone) {
    const ProgramInstance &instance = program.instances[which.instance];
    number = which.instance;
    mlir = getIndexCell({which.program, indices[instance.node]});
    place = getPlace(program, instance.node);
    kernel = getFunctionName(program, instance.kernel).str();
    ops = describeOps(program, instance);
  }
  int64_t totalPs = time.solePs;
  addSaturating(totalPs, time.estimatedPs);
  table.addRow({number, orNull(place), orNull(kernel), orNull(ops), time.count,
                time.solePs, time.sharedPs, time.estimatedPs, totalPs, mlir,
                which.program});
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  const Profile &profile = input.profile;
  Table table({{"instance", "dispatch", ColumnKind::Number},
               {"location", "location", ColumnKind::Text},
               {"kernel", "kernel", ColumnKind::Text},
               {"ops", "ops", ColumnKind::Text},
               {"count", "count", ColumnKind::Count},
               {"sole_ps", "sole", ColumnKind::Time},
               {"shared_ps", "shared", ColumnKind::Time},
               {"estimated_ps", "estimated", ColumnKind::Time},
               {"total_ps", "total", ColumnKind::Time},
               {"index", "#", ColumnKind::Number, ColumnUse::DataOnly},
               getProgramColumn(profile.programs.size() > 1)});
  table.defaultOrder = {{8, true}, {10, false}, {0, false}};
  table.weightColumn = 8;
  table.weightTotal = getOpTimePs(merged);
  Times times = chargeInstances(profile, merged);
  if (selection == RowSelection::All)
    for (auto [i, program] : llvm::enumerate(profile.programs))
      for (uint32_t number = 0; number != program.instances.size(); ++number)
        times[{uint32_t(i), number}];
  std::vector<std::vector<uint32_t>> indices;
  for (const Program &program : profile.programs)
    indices.push_back(getOpIndices(program));
  for (const auto &[which, time] : times)
    addRow(table, profile, which, time, indices[which.program]);
  return table;
}

ReportKind report::Instances() {
  return {"instance",
          "dispatches of kernels that several of them share: their time, "
          "kernel and ops",
          Needs::Program, build};
}
