//===- Complete.cpp - Checking a profile after reading --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After these checks, users of a profile need not check its indices, or whether
// its values are possible (ValueCheck.cpp).
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "Proto.h"
#include "Schema.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using namespace mlirprof::trace;

/// Collects the first problem; the functions below stop at it.
using Problem = std::string;

static void require(Problem &problem, bool holds, const llvm::Twine &what) {
  if (!holds && problem.empty())
    problem = what.str();
}

static void checkModule(Problem &problem, const HloModule &module) {
  size_t frames = module.frames.size();
  size_t instructions = module.instructions.size();
  for (const HloComputation &computation : module.computations)
    require(problem,
            uint64_t(computation.firstInstruction) + computation.size <=
                instructions,
            "a computation has instructions that the module lacks");
  for (const HloInstruction &instruction : module.instructions) {
    require(problem, instruction.computation < module.computations.size(),
            "an instruction is in a computation that the module lacks");
    require(problem, instruction.frame <= frames,
            "an instruction has a frame that the module lacks");
  }
  for (const SourceFrame &frame : module.frames)
    require(problem, frame.parent <= frames,
            "a frame has a caller that the module lacks");
}

/// By fingerprint.
using ProgramMap = llvm::StringMap<const Program *>;

static bool hasNode(const ProgramMap &programs, llvm::StringRef program,
                    uint32_t node) {
  const Program *known = programs.lookup(program);
  return node == kNone || !known || node < known->nodes.size();
}

/// kNone says that the dispatch is not known.
static bool hasInstance(const Program &program, uint32_t instance) {
  return instance == kNone || instance < program.instances.size();
}

static ProgramMap checkPrograms(Problem &problem, const Profile &profile) {
  ProgramMap programs;
  for (const Program &program : profile.programs) {
    std::string what = checkProgram(program);
    require(problem, what.empty(), "in a program " + what);
    require(problem, programs.try_emplace(program.fingerprint, &program).second,
            "two programs have one fingerprint");
  }
  return programs;
}

/// Op keys may refer to a program that the profile does not contain: then
/// nothing is known about them.
static void checkOpKey(Problem &problem, const OpKey &key,
                       const ProgramMap &programs) {
  const std::string *fingerprint = findProgramOf(key);
  const Program *program =
      fingerprint ? programs.lookup(*fingerprint) : nullptr;
  if (!program)
    return;
  const auto *code = key.getIf<CodeKey>();
  require(problem, hasInstance(*program, getInstance(key)),
          "an op key has a dispatch that its program lacks");
  require(problem,
          code ? code->instruction < program->instructions.size()
               : key.get<ProbeKey>().probe < program->probes.size(),
          "an op key has an instruction or probe that its program lacks");
}

/// Checks a run's references to nodes of programs.
static void checkNodes(Problem &problem, const Run &run,
                       const ProgramMap &programs) {
  for (const ValueTable &table : run.values) {
    require(problem, hasNode(programs, table.program, table.node),
            "values were recorded at a node that their program lacks");
    const Program *program = programs.lookup(table.program);
    require(problem, !program || hasInstance(*program, table.instance),
            "values were recorded in a dispatch that their program lacks");
    for (const ValueCount &entry : table.entries)
      require(problem, entry.tuple.size() == table.names.size(),
              "a tuple of values has more or fewer elements than names");
  }
  for (const NodeWork &work : run.work)
    require(problem, hasNode(programs, work.program, work.node),
            "work belongs to a node that its program lacks");
}

static void checkRun(Problem &problem, const Run &run, const Profile &profile) {
  for (const TrackInfo &track : run.tracks)
    require(problem, track.device == kNone || track.device < run.devices.size(),
            "a track is of a device that the run lacks");
  for (const EventSummary &event : run.events) {
    require(problem, event.track < run.tracks.size(),
            "an event is on a track that the run lacks");
    require(problem, event.name < profile.strings.size(),
            "an event has a name that the profile lacks");
  }
  for (const OpSummary &op : run.ops) {
    require(problem, op.op < profile.opKeys.size(),
            "a measurement has an op key that the profile lacks");
    uint64_t seen[4] = {};
    for (const Measurement &measurement : op.measurements) {
      unsigned quantity = unsigned(measurement.quantity);
      uint64_t bit = uint64_t(1) << (quantity % 64);
      require(problem, !(seen[quantity / 64] & bit),
              "an op has two measurements of one quantity");
      seen[quantity / 64] |= bit;
    }
  }
}

/// Appends `block` to the kept events of its run.
static void takeBlock(Problem &problem, const EventBlock &block,
                      Profile &profile) {
  require(problem, block.run < profile.runs.size(),
          "a block of events belongs to a run that the profile lacks");
  size_t size = block.track.size();
  require(problem,
          size <= kEventsPerBlock && block.name.size() == size &&
              block.opPlusOne.size() == size &&
              block.beginDeltaPs.size() == size &&
              block.durationPs.size() == size &&
              (block.beginCode.empty() || block.beginCode.size() == size) &&
              block.endCode.size() == block.beginCode.size() &&
              (block.launchOffset.empty() || block.launchOffset.size() == size),
          "a block of events has columns of wrong length");
  if (!problem.empty())
    return;
  Run &run = profile.runs[block.run];
  // Otherwise rewriting would split the events into other blocks.
  require(problem, run.kept.size() % kEventsPerBlock == 0,
          "a block of events follows a short one");
  uint64_t begin = 0;
  for (size_t i = 0; i != size; ++i) {
    require(problem,
            block.track[i] < run.tracks.size() &&
                block.name[i] < profile.strings.size() &&
                block.opPlusOne[i] <= profile.opKeys.size(),
            "a kept event has a track, name or op that the profile lacks");
    begin += uint64_t(block.beginDeltaPs[i]);
    run.kept.track.push_back(block.track[i]);
    run.kept.name.push_back(block.name[i]);
    run.kept.op.push_back(block.opPlusOne[i] - 1);
    run.kept.beginPs.push_back(int64_t(begin));
    run.kept.durationPs.push_back(block.durationPs[i]);
    if (block.beginCode.empty())
      run.kept.addCode(0, 0);
    else
      run.kept.addCode(block.beginCode[i], block.endCode[i]);
    // Launches come before their work.
    int64_t offset = block.launchOffset.empty() ? 0 : block.launchOffset[i];
    auto place = int64_t(run.kept.size()) - 1;
    require(problem, offset <= 0 && offset >= -place,
            "a kept event was launched by one that the run lacks");
    if (problem.empty())
      run.kept.addLaunch(offset == 0 ? kNone : uint32_t(place + offset));
  }
}

/// Allocates the columns that every event has.
static void reserve(EventColumns &columns, size_t events) {
  for (std::vector<uint32_t> *column :
       {&columns.track, &columns.name, &columns.op})
    column->reserve(events);
  for (std::vector<int64_t> *column : {&columns.beginPs, &columns.durationPs})
    column->reserve(events);
}

/// Takes the events of all blocks, each of which it frees: they may be most of
/// the profile.
static void takeBlocks(Problem &problem, std::vector<EventBlock> &blocks,
                       Profile &profile) {
  std::vector<size_t> sizes(profile.runs.size());
  for (const EventBlock &block : blocks)
    if (block.run < sizes.size())
      sizes[block.run] += block.track.size();
  for (auto [run, size] : llvm::zip(profile.runs, sizes))
    reserve(run.kept, size);
  uint32_t lastRun = 0;
  for (EventBlock &block : blocks) {
    require(problem, block.run >= lastRun, "blocks of events are out of order");
    lastRun = block.run;
    takeBlock(problem, block, profile);
    block = {};
  }
}

llvm::Error schema::completeProfile(Document<Profile> &document,
                                    MemoryBudget &memory,
                                    llvm::StringRef where) {
  Profile &profile = document.profile;
  Problem problem;
  require(problem, document.schema == kSchema,
          "its schema is '" + document.schema + "', not '" + kSchema + "'");
  for (const HloModule &module : profile.hloModules)
    checkModule(problem, module);
  ProgramMap programs = checkPrograms(problem, profile);
  for (const OpKey &key : profile.opKeys)
    checkOpKey(problem, key, programs);
  for (const Run &run : profile.runs) {
    checkRun(problem, run, profile);
    checkNodes(problem, run, programs);
  }
  takeBlocks(problem, document.keptEvents, profile);
  if (problem.empty())
    problem = takeScopes(document.scopes, memory, profile);
  if (problem.empty())
    problem = takeJobs(document.jobs, profile);
  for (const UnknownSection &section : profile.unknownSections)
    require(problem, !isKnownSection(section.type),
            "an unknown section is of a known type");
  for (const UnknownFields &fields : profile.unknownFields)
    require(problem, isProto(fields.fields), "unknown fields are malformed");
  if (problem.empty())
    problem = checkValues(profile);
  if (problem.empty()) {
    renameLevels(profile);
    return llvm::Error::success();
  }
  return inputError(where, "not a valid profile: " + problem,
                    "The file is damaged or the program that wrote it has a "
                    "bug; import the recording again.");
}
