//===- ProgramTables.cpp - SQL tables of programs and their levels --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SqlTables.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::report::sql;
using namespace mlirprof::trace;

static Cell orNull(llvm::StringRef text) {
  return text.empty() ? Cell() : Cell(text);
}

static llvm::StringRef toString(NodeKind kind) {
  switch (kind) {
  case NodeKind::Operation:
    return "operation";
  case NodeKind::Loop:
    return "loop";
  case NodeKind::Function:
    return "function";
  case NodeKind::Call:
    return "call";
  case NodeKind::Branch:
    return "branch";
  case NodeKind::Body:
    return "body";
  }
  return "unknown";
}

//===----------------------------------------------------------------------===//
// levels
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kLevels[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"number", kInteger, "position of the level, from 0"},
    {"level", kText, "its name: input to llvm, and asm"},
    {"nodes", kInteger, "ops that the profile knows; of asm, instructions"},
    {"total_ps", kInteger, "time of the ops: sole and estimated"},
};

static void fillLevels(const ReportInput &input, AddRow add) {
  const Profile &profile = input.profile;
  for (const std::string &level : getLevels(profile)) {
    LevelTimes times = getLevelTimes(profile, level);
    std::vector<int64_t> totals(profile.programs.size());
    std::vector<uint64_t> nodes(profile.programs.size());
    for (uint32_t row = 0; row < times.match.rows.size(); ++row) {
      const ProgramRow &at = times.match.rows[row];
      if (at.program == kNone)
        continue;
      addSaturating(totals[at.program], times.getTotalPs(row));
      nodes[at.program] += at.node != kNone;
    }
    for (uint32_t i = 0; i < profile.programs.size(); ++i)
      if (uint32_t number = findLevel(profile.programs[i], level);
          number != kNone)
        add({i, number, level, nodes[i], totals[i]});
  }
}

SqlTable sql::makeLevels() {
  return {"levels", "levels of programs", kLevels, fillLevels,
          findMissingProgram};
}

//===----------------------------------------------------------------------===//
// nodes and node_origins
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kNodes[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"node", kInteger, "its identity, in all levels of the program"},
    {"level", kText, "see levels"},
    {"mlir", kInteger, "index in the module of its level, in pre-order"},
    {"kind", kText, "operation, loop, function, call, branch or body"},
    {"op", kText, "its name, such as linalg.matmul"},
    {"name", kText, "name in its location; of functions, the symbol"},
    {"location", kText, "its location"},
    {"file", kText, "the user's source file"},
    {"line", kInteger, "line in that"},
    {"container", kInteger, "node of the op that holds it"},
    {"trips", kInteger, "of a loop with constant bounds, its iterations"},
    {"cost", kInteger, "static cost, in abstract units"},
    {"count", kInteger, "measured events that it had a part in"},
    {"sole_ps", kInteger, "time of which it is the only owner"},
    {"shared_ps", kInteger, "time of sets that contain it"},
    {"estimated_ps", kInteger, "its estimated part of that"},
    {"total_ps", kInteger, "sole_ps and estimated_ps"},
    {"instances", kInteger, "dispatches that its code serves"},
};

static void fillNodes(const ReportInput &input, AddRow add) {
  ProfileInstances instances(input.profile);
  for (const std::string &level : getLevels(input.profile)) {
    if (level == kAsmLevel)
      continue;
    LevelTimes times = getLevelTimes(input.profile, level);
    for (uint32_t row = 0; row < times.match.rows.size(); ++row) {
      const ProgramRow &at = times.match.rows[row];
      if (at.program == kNone || at.node == kNone)
        continue;
      const Program &program = input.profile.programs[at.program];
      const ProgramNode &node = program.nodes[at.node];
      const OpTime &time = times.attribution.ops[row];
      add({at.program, at.node, level,
           getIndexCell(times.match.ownership.getNumber(row)),
           toString(node.kind), getString(program, node.op),
           orNull(getString(program, node.name)),
           orNull(getString(program, node.location)),
           orNull(getString(program, node.file)),
           node.file ? Cell(node.line) : Cell(),
           node.container == kNone ? Cell() : Cell(node.container),
           node.trips < 0 ? Cell() : Cell(node.trips), node.cost, time.count,
           time.solePs, time.sharedPs, time.estimatedPs, times.getTotalPs(row),
           uint64_t(instances.of(at.program).findAll(at.node).size())});
    }
  }
}

SqlTable sql::makeNodes() {
  return {"nodes", "ops of all MLIR levels of programs", kNodes, fillNodes,
          findMissingProgram};
}

static constexpr SqlColumn kNodeOrigins[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"node", kInteger, "see nodes"},
    {"origin", kInteger, "a node of an earlier level that it came from"},
};

static void fillNodeOrigins(const ReportInput &input, AddRow add) {
  for (auto [i, program] : llvm::enumerate(input.profile.programs))
    for (auto [node, info] : llvm::enumerate(program.nodes))
      for (uint32_t origin : info.parents)
        add({uint64_t(i), uint64_t(node), origin});
}

SqlTable sql::makeNodeOrigins() {
  return {"node_origins", "origins of nodes", kNodeOrigins, fillNodeOrigins,
          findMissingProgram};
}

//===----------------------------------------------------------------------===//
// instructions
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kInstructions[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"instruction", kInteger, "its number, by address"},
    {"function", kText, "the machine code's function"},
    {"offset", kInteger, "its address in the text section"},
    {"text", kText, "the instruction"},
    {"node", kInteger, "node of the level llvm, see nodes"},
    {"machine_loop", kInteger, "number of the innermost loop that it is in"},
    {"count", kInteger, "measurements (samples) at it"},
    {"time_ps", kInteger, "their time"},
};

namespace {
struct CodeTime {
  uint64_t count = 0;
  int64_t timePs = 0;
};
} // namespace

static std::map<std::pair<uint32_t, uint32_t>, CodeTime>
sumUpCode(const Profile &profile) {
  std::map<std::pair<uint32_t, uint32_t>, CodeTime> sums;
  ProgramIndex programs(profile);
  for (const OpSummary &op : mergeRuns(profile)) {
    const OpKey &key = profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (!key.is<CodeKey>() || measured.index == kNone)
      continue;
    CodeTime &sum = sums[{measured.program, measured.index}];
    addSaturating(sum.count, op.getCount());
    addSaturating(sum.timePs, op.getTimePs());
  }
  return sums;
}

static void fillInstructions(const ReportInput &input, AddRow add) {
  auto sums = sumUpCode(input.profile);
  for (uint32_t i = 0; i < input.profile.programs.size(); ++i) {
    const Program &program = input.profile.programs[i];
    std::map<uint64_t, const MachineFunction *> functions;
    for (const MachineFunction &function : program.functions)
      functions[function.begin] = &function;
    for (uint32_t k = 0; k < program.instructions.size(); ++k) {
      const Instruction &code = program.instructions[k];
      auto after = functions.upper_bound(code.address);
      const MachineFunction *function =
          after == functions.begin() ? nullptr : std::prev(after)->second;
      bool isInside = function && code.address < function->end;
      auto sum = sums.find({i, k});
      CodeTime time = sum == sums.end() ? CodeTime() : sum->second;
      add({i, k, isInside ? Cell(function->name) : Cell(), code.address,
           getString(program, code.text),
           code.node == kNone ? Cell() : Cell(code.node),
           code.loop == kNone ? Cell() : Cell(code.loop), time.count,
           time.timePs});
    }
  }
}

SqlTable sql::makeInstructions() {
  return {"instructions", "machine code of programs", kInstructions,
          fillInstructions, findMissingProgram};
}

//===----------------------------------------------------------------------===//
// instances, instance_origins
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kInstances[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"instance", kInteger, "number of the dispatch, NULL for the host side"},
    {"node", kInteger, "its op, see nodes"},
    {"kernel_node", kInteger, "the function of the kernel that it runs"},
    {"location", kText, "name or place of its op"},
    {"kernel", kText, "name of that function"},
    {"ops", kText, "the ops of which it is the work"},
    {"count", kInteger, "measured events that it had a part in"},
    {"sole_ps", kInteger, "time of which it is the only owner"},
    {"shared_ps", kInteger, "time of dispatches that it is one of"},
    {"estimated_ps", kInteger, "its estimated part of that"},
    {"total_ps", kInteger, "sole_ps and estimated_ps"},
};

static void fillInstances(const ReportInput &input, AddRow add) {
  Table table = llvm::cantFail(findReport("instance"))
                    ->build(input, mergeRuns(input.profile), RowSelection::All);
  auto column = [&](llvm::StringRef name) { return *table.findColumn(name); };
  auto getText = [&](uint32_t row, llvm::StringRef name) {
    return table.isNull(row, column(name))
               ? Cell()
               : Cell(table.getText(row, column(name)));
  };
  auto getNumber = [&](uint32_t row, llvm::StringRef name) {
    return table.isNull(row, column(name))
               ? Cell()
               : Cell(table.getInteger(row, column(name)));
  };
  for (uint32_t row = 0; row < table.size(); ++row) {
    auto program = size_t(table.getInteger(row, column("program")));
    Cell node, kernel;
    if (!table.isNull(row, column("instance"))) {
      const ProgramInstance &instance =
          input.profile.programs[program]
              .instances[size_t(table.getInteger(row, column("instance")))];
      node = instance.node;
      kernel = instance.kernel;
    }
    add({uint64_t(program), getNumber(row, "instance"), node, kernel,
         getText(row, "location"), getText(row, "kernel"), getText(row, "ops"),
         getNumber(row, "count"), getNumber(row, "sole_ps"),
         getNumber(row, "shared_ps"), getNumber(row, "estimated_ps"),
         getNumber(row, "total_ps")});
  }
}

SqlTable sql::makeInstances() {
  return {"instances", "dispatches of kernels that several of them share",
          kInstances, fillInstances, findMissingProgram};
}

static constexpr SqlColumn kInstanceOrigins[] = {
    {"program", kInteger, "number of the program, from 0"},
    {"instance", kInteger, "see instances"},
    {"node", kInteger, "an op of the dispatch's kernel, see nodes"},
    {"origin", kInteger, "a node of an earlier level that it is there"},
};

static void fillInstanceOrigins(const ReportInput &input, AddRow add) {
  for (auto [i, program] : llvm::enumerate(input.profile.programs))
    for (auto [number, instance] : llvm::enumerate(program.instances))
      for (auto [op, origin] : instance.origins)
        add({uint64_t(i), uint64_t(number), op, origin});
}

SqlTable sql::makeInstanceOrigins() {
  return {"instance_origins", "origins of kernels' ops in each dispatch",
          kInstanceOrigins, fillInstanceOrigins, findMissingProgram};
}
