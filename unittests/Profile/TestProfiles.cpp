//===- TestProfiles.cpp - Profiles for the tests --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static HloModule makeFixedModule() {
  HloModule module;
  module.name = "jit_f";
  module.programId = 10;
  module.id = 11;
  module.entryComputationName = "main";
  module.entryComputationId = 12;
  module.computations = {{"fused", 13, 14, true, 0, 1},
                         {"main", 12, 15, false, 1, 1}};
  HloInstruction add;
  add.name = "add.1";
  add.opcode = "add";
  add.id = 14;
  add.shape = {13, {}, {{11, {2, -1}, {}}, {}}};
  add.opName = "jit(f)/add";
  add.opType = "Add";
  add.sourceFile = "model.py";
  add.sourceLine = 16;
  add.frame = 2;
  HloInstruction fusion;
  fusion.name = "fusion";
  fusion.opcode = "fusion";
  fusion.id = 15;
  fusion.fusionKind = "kLoop";
  fusion.customCallTarget = "target";
  fusion.parameterNumber = 17;
  fusion.operandIds = {14, 1000};
  fusion.calledComputationIds = {13};
  fusion.lhsContractingDimensions = {1, 0};
  fusion.computation = 1;
  module.instructions = {add, fusion};
  module.frames = {{"a.py", "f", 1, 2, 3, 4, 0}, {"b.py", "g", 5, 6, 7, 8, 1}};
  return module;
}

static Program makeFixedProgram() {
  Program program;
  program.entry = "main";
  program.pipeline = "default";
  program.target = "znver4";
  program.levels = {"input", "llvm"};
  program.strings = {"", "func.func", "linalg.matmul", "llvm.fadd", "a.py"};
  ProgramNode function;
  function.kind = NodeKind::Function;
  function.op = 1;
  function.position = 1;
  ProgramNode matmul;
  matmul.op = 2;
  matmul.name = 3;
  matmul.location = 4;
  matmul.file = 4;
  matmul.line = 12;
  matmul.container = 0;
  matmul.position = 2;
  matmul.cost = 4096;
  ProgramNode add;
  add.level = 1;
  add.op = 3;
  add.parents = {0, 1};
  add.callers = {1, 0};
  ProgramNode loop = matmul;
  loop.kind = NodeKind::Loop;
  loop.trips = 0;
  ProgramNode branch = matmul;
  branch.kind = NodeKind::Branch;
  branch.trips = 100;
  program.nodes = {function, matmul, add, loop, branch};
  program.probes = {{ProbeKind::Loop, 3, kNone, 0, 1},
                    {ProbeKind::Work, kNone, 0, 2, 0}};
  program.functions = {{"main", 0, 64}};
  program.loops = {{8, 16, true}, {16, 32, false}};
  program.instructions = {{0, kNone, 0, kNone}, {8, 2, 3, 0}, {16, 2, 0, 1}};
  program.sites = {{ValueKind::Trips, 3, {"trips"}}};
  program.fingerprint = "p1";
  return program;
}

/// A kernel that two dispatches share.
static Program makeFixedKernels() {
  Program program;
  program.levels = {"linalg", "dispatch"};
  program.strings = {"", "linalg.matmul", "func.func", "dispatch.run"};
  ProgramNode matmul;
  matmul.op = 1;
  ProgramNode other = matmul;
  ProgramNode kernel;
  kernel.level = 1;
  kernel.kind = NodeKind::Function;
  kernel.op = 2;
  ProgramNode inside;
  inside.level = 1;
  inside.op = 1;
  inside.container = 2;
  inside.parents = {0, 1};
  ProgramNode run;
  run.level = 1;
  run.op = 3;
  run.parents = {0};
  run.cost = 4096;
  ProgramNode second = run;
  second.parents = {1};
  program.nodes = {matmul, other, kernel, inside, run, second};
  program.instances = {{4, 2, {{3, 0}}}, {5, 2, {{3, 1}}}};
  program.probes = {{ProbeKind::Operation, 3, kNone, 0, 0}};
  program.functions = {{"kernel", 0, 8}, {"main", 8, 24}};
  program.instructions = {
      {0, 3, 0, kNone}, {8, 4, 0, kNone}, {16, 5, 0, kNone}};
  program.calls = {{12, 0}, {20, 1}};
  program.fingerprint = "p2";
  return program;
}

static std::shared_ptr<scope::Recording> makeFixedScopes() {
  auto scopes = std::make_shared<scope::Recording>();
  scopes->process = 11;
  scopes->parentProcess = 10;
  scopes->clock = {
      1, 2, 1700000000000000003, 409, 2, -5, scope::TickSource::Counter, 6, 7};
  scopes->costWindowPs = 12000;
  scopes->costPairPs = 23000;
  scopes->hasEvents = true;
  scopes->hasStatistics = true;
  scopes->sampleEvery = 1;
  scopes->sites = {{"load \xff", "a.cpp", 7, 14, 1, 2}, {"", "", 0, 0, 0, 0}};
  scopes->threads = {{0, 12, "main", true, 13, false, scope::kNoScope},
                     {1, 0, "stream 7", false, 0, true, 0}};
  scope::ScopeEvent inner, outer;
  inner.site = 0;
  inner.parent = 2;
  inner.first = 0;
  inner.beginPs = -1000;
  inner.endPs = 4000;
  inner.selfPs = 5000;
  inner.costPs = inner.selfCostPs = 30;
  inner.end = scope::EventEnd::Suspended;
  scope::ScopeEvent part = inner;
  part.beginPs = 6000;
  part.endPs = 7000;
  part.selfPs = 900;
  part.end = scope::EventEnd::Ended;
  part.isOverlapping = true;
  outer.site = 1;
  outer.thread = 0;
  outer.first = 2;
  outer.beginPs = -2000;
  outer.endPs = 8000;
  outer.selfPs = 4000;
  outer.costPs = 90;
  outer.end = scope::EventEnd::Open;
  outer.isSelfBound = true;
  scope::ScopeEvent device;
  device.site = 0;
  device.thread = 1;
  device.parent = 2;
  device.first = 3;
  device.beginPs = 1000000000000000;
  device.endPs = 1000000000000005;
  device.selfPs = 5;
  device.isLinked = true;
  device.isOutside = true;
  scopes->events = {inner, part, outer, device};
  scope::SiteStatistics row;
  row.site = 1;
  row.thread = 1;
  row.generation = 2;
  row.calls = 3;
  row.total = 40;
  row.self = 30;
  row.min = 5;
  row.max = 20;
  row.children = 6;
  row.inside = 7;
  row.counts[8] = 1;
  row.counts[20] = 2;
  scopes->statistics = {row, {}};
  scopes->counts = {{1, 3, {4, 256}, {1, 16}}, {3, 128, {}, {}}};
  scopes->counts[1].values[7] = 2;
  scopes->counters = scope::CounterSource::Software;
  scopes->countCosts = {{{700, 800}, {0, 600}, {5, 0}}};
  scopes->devices = {{"gpu", {{-5, 1000, 1}, {5, 1010, 2}}, {3}}};
  scopes->wantsDevices = true;
  scopes->places = {"cpu", "gpu:0"};
  using scope::MemoryType;
  scopes->memory = {{-500, 0, 0, 1, MemoryType::Allocate, 4096, 64, 1, 2, 3, 4},
                    {500, scope::kNoScope, scope::kNoScope, 0,
                     MemoryType::ReservedFree, 0, -64, 0, 0, 0, 0}};
  scopes->losses.add("scope that ended twice", 2, 0);
  return scopes;
}

static DeviceInfo makeFixedDevice() {
  DeviceInfo device;
  device.number = 1;
  device.name = "GPU";
  device.memoryBytes = 85017493504;
  device.processors = 132;
  device.peaks = {{"bf16", 732000000000000}, {"memory", 2990000000000}};
  device.busyPs = 30;
  device.kernelBusyPs = 20;
  device.copyBusyPs = 15;
  device.idle.add(7);
  device.waits.resize(2);
  device.waits[0].time.add(3);
  device.waits[1].host = "cudaLaunchKernel";
  device.waits[1].time.add(4);
  return device;
}

static Run makeFixedRun() {
  Run run;
  run.hash = "00112233445566778899aabbccddeeff";
  run.source = "trace.xplane.pb";
  run.producer = {"xplane", "jax", "0.9"};
  run.machine = {"host", "cpu", {"avx2", "fma"}, 8, "linux", 1, 2, 3, 4};
  run.clock = {"session", 1700000000000000000, true};
  run.facts = {{"profile_start_time", "1"}, {"raw", "\xff\x00 bytes\n"}};
  TrackInfo track;
  track.plane = "/host:CPU";
  track.line = 3;
  track.id = -4;
  track.name = "python";
  track.displayName = "Python";
  track.timestampNs = 4837;
  track.events = 3;
  track.partialOverlaps = 1;
  track.device = 0;
  track.busyPs = 30;
  run.devices = {makeFixedDevice()};
  run.tracks = {TrackInfo(), track};
  EventSummary event;
  event.track = 1;
  event.name = 2;
  event.total.add(5);
  event.total.add(1000000000000);
  event.self.add(-7);
  run.events = {event, EventSummary()};
  OpSummary op;
  op.op = 1;
  op.firstBeginPs = 123456789;
  op.get(Quantity::Execute).add(100);
  op.get(Quantity::Self).add(90);
  op.get(Quantity::Complete).add(300);
  op.get(Quantity::Bounded).add(150);
  op.get(Quantity::Samples).merge(event.total);
  op.get(Quantity::Flops).saturated = true;
  op.get(Quantity::RawExecute).add(110);
  op.get(Quantity::RawSelf).add(99);
  op.get(Quantity::SteadySelf).add(88);
  op.get(Quantity::Launch).add(6000);
  op.get(Quantity::Queue).add(-2000);
  run.ops = {op};
  run.steps = {{-1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}};
  run.opBusyPs = 100;
  run.opInflightPs = 150;
  run.kept.track = {1, 0, 1};
  run.kept.name = {2, 0, 1};
  run.kept.op = {kNone, 1, 0};
  run.kept.beginPs = {-5, 10, 1000000000000000};
  run.kept.durationPs = {20, 0, 30};
  run.kept.launch = {kNone, 0, kNone};
  run.losses = {{"unknown stat", 3, 42}, {"nothing", 0, 0}};
  run.values = {{ValueKind::Branch, "p1", 4, {"taken"}, {{{1}, 7}}, 2},
                {ValueKind::Dimensions, "", kNone, {}, {}, 0},
                {ValueKind::Trips, "p2", 3, {"trips"}, {{{8}, 5}}, 0, 1}};
  run.work = {{"p1", 1, 1000, 200}};
  run.samplePeriodPs = 1000000000;
  run.iterations.add(77);
  run.folded = {"0a", "0b"};
  run.scopes = makeFixedScopes();
  return run;
}

Profile test::makeFixedProfile() {
  Profile profile;
  profile.strings = {"", "end: add.1", "na\xc3\xafve \xf0\x9f\x94\xa5",
                     "not \xc3( UTF-8 \x80"};
  OpKey node("model/dense/MatMul", "_FusedMatMul", GraphNodeKey());
  OpKey instruction("fusion", "", HloInstructionKey{"jit_f", 10});
  OpKey code("main+0x10", "libm.so.6:expf", CodeKey{"p1", 2, false});
  OpKey probe("loop", "", ProbeKey{"p1", 1, false});
  OpKey outside = makeOutsideKey("libomp.so:__kmp_wait", OutsideKind::Waiting);
  OpKey call("aten::addmm", "gemm",
             FrameworkCallKey{{"MLP_0", "Linear_1"},
                              {"aten::linear"},
                              {{"models.py", 21, 0, "forward"}},
                              InputShapes({{256, 512}, {512}}),
                              "linear_1",
                              /*ordinal=*/0,
                              /*sequence=*/7,
                              CallPhase::Backward});
  OpKey onnx("fused /fc1/Gemm", "FusedGemm", OnnxNodeKey());
  onnx.get<OnnxNodeKey>().origins = {
      OriginKind::Part, {{"/fc1/Gemm", "Gemm", 0, 2}, {"", "Relu", 1, 2}}};
  OpKey shared("kernel+0x0", "", CodeKey{"p2", 0, true, 1});
  OpKey sharedProbe("linalg.matmul", "", ProbeKey{"p2", 0, true, 0});
  profile.opKeys = {node, instruction, code,   probe,      outside,
                    call, onnx,        shared, sharedProbe};
  OpKey kernel = call;
  kernel.work = DeviceWork::CopyToHost;
  profile.opKeys.push_back(kernel);
  profile.hloModules = {makeFixedModule()};
  IrModule ir;
  ir.level = "input";
  ir.name = "jit_f";
  ir.source = "model.mlir";
  ir.bytecode = std::string("ML\xefR\0\1\2", 7);
  ir.fingerprint = contentHash(ir.bytecode);
  ir.operations = 36;
  ir.elided = 2;
  ir.values = {{3, 0x0123456789abcdef}, {35, 1}};
  IrModule llvm = ir;
  llvm.level = "llvm";
  llvm.program = "p1";
  profile.irModules = {ir, llvm};
  profile.programs = {makeFixedProgram(), makeFixedKernels()};
  profile.runs = {makeFixedRun()};
  return profile;
}

/// Scopes of two threads in the order of ends.
static std::shared_ptr<scope::Recording>
makeRandomScopes(std::mt19937_64 &random) {
  auto scopes = std::make_shared<scope::Recording>();
  scopes->hasEvents = true;
  scopes->process = random() % 100000;
  scopes->sites = {{"a", "", 0, 7, 1, 0}, {"b", "b.cpp", 3, 0, 1, 0}};
  scopes->threads.resize(2);
  scopes->threads[1].number = 1;
  for (uint32_t index = 0, size = uint32_t(random() % 30); index != size;
       ++index) {
    scope::ScopeEvent event;
    event.site = uint32_t(random() % 2);
    event.thread = index < size / 2 ? 0 : 1;
    if (random() % 3)
      event.parent = index + 1 + uint32_t(random() % (size - index));
    if (event.parent >= size)
      event.parent = scope::kNoScope;
    event.first = index;
    event.beginPs = int64_t(random() % 1000000) - 500000;
    event.endPs = event.beginPs + int64_t(random() % 1000);
    event.selfPs = event.getDurationPs() / 2;
    event.end = scope::EventEnd(random() % 3);
    scopes->events.push_back(event);
  }
  for (uint32_t event = 0; event < scopes->events.size(); event += 3) {
    scope::EventCounts counts;
    counts.event = event;
    counts.known = 1 + uint32_t(random() % 511);
    for (size_t amount = 0; amount != scope::kCounts; ++amount)
      if (counts.has(scope::Count(amount)))
        counts.values[amount] = random();
    scopes->counts.push_back(counts);
  }
  scopes->places = {"cpu"};
  for (uint64_t i = random() % 5; i != 0; --i) {
    scope::MemoryEvent event;
    event.atPs = int64_t(random() % 1000);
    event.bytes = int64_t(random() % 1000) - 500;
    if (!scopes->events.empty())
      event.event = uint32_t(random() % scopes->events.size());
    scopes->memory.push_back(event);
  }
  return scopes;
}

/// A run that depends on `number` only, and on the names and op keys in
/// `profile`.
static Run makeRun(const Profile &profile, unsigned number) {
  std::mt19937_64 random(number);
  auto below = [&](uint64_t limit) { return random() % limit; };
  auto findString = [&](unsigned pool) {
    std::string wanted = "name" + std::to_string(pool);
    for (uint32_t i = 0; i != profile.strings.size(); ++i)
      if (profile.strings[i] == wanted)
        return i;
    return kNone;
  };
  auto findKey = [&](unsigned pool) {
    std::string wanted = "op" + std::to_string(pool);
    for (uint32_t i = 0; i != profile.opKeys.size(); ++i)
      if (profile.opKeys[i].op == wanted)
        return i;
    return kNone;
  };
  Run run;
  run.hash = std::string(31, '0') + std::to_string(number);
  run.tracks.resize(1 + below(3));
  for (auto [line, track] : llvm::enumerate(run.tracks))
    track.line = uint32_t(line);
  for (unsigned pool = 0; pool != 8; ++pool) {
    EventSummary event;
    event.track = uint32_t(below(run.tracks.size()));
    event.name = findString(pool);
    for (uint64_t i = below(5); i != 0; --i)
      event.total.add(int64_t(below(1000000000)));
    run.events.push_back(event);
    OpSummary op;
    op.op = findKey(pool);
    // Before all kept events.
    op.firstBeginPs = -int64_t(below(1000));
    for (Quantity quantity : {Quantity::Execute, Quantity::Self})
      for (uint64_t i = below(4); i != 0; --i)
        op.get(quantity).add(int64_t(below(uint64_t(1) << 40)));
    run.ops.push_back(op);
  }
  int64_t begin = 0;
  for (uint64_t i = below(20); i != 0; --i) {
    EventSummary &event = run.events[below(8)];
    auto duration = int64_t(below(100));
    event.total.add(duration);
    run.kept.track.push_back(event.track);
    run.kept.name.push_back(event.name);
    run.kept.op.push_back(below(2) ? findKey(unsigned(below(8))) : kNone);
    run.kept.beginPs.push_back(begin += int64_t(below(100)));
    run.kept.durationPs.push_back(duration);
  }
  if (below(2))
    run.scopes = makeRandomScopes(random);
  return run;
}

Profile test::makeRandomProfile(std::mt19937_64 &random) {
  Profile profile;
  for (unsigned pool = 0; pool != 8; ++pool) {
    profile.strings.push_back("name" + std::to_string(pool));
    profile.opKeys.emplace_back("op" + std::to_string(pool), "",
                                GraphNodeKey());
  }
  std::shuffle(profile.strings.begin(), profile.strings.end(), random);
  std::shuffle(profile.opKeys.begin(), profile.opKeys.end(), random);
  for (uint64_t i = random() % 4; i != 0; --i) {
    Run run = makeRun(profile, unsigned(random() % 6));
    // A profile does not contain a run twice.
    if (llvm::any_of(profile.runs,
                     [&](const Run &other) { return other.hash == run.hash; }))
      continue;
    profile.runs.push_back(std::move(run));
    // Two imports of one recording: only one of them kept events.
    if (random() % 2)
      profile.runs.back().kept = EventColumns();
  }
  for (unsigned i = 0; i != 3; ++i) {
    HloModule module = makeFixedModule();
    module.programId = int64_t(random() % 3);
    // A profile does not contain a module twice.
    if (llvm::none_of(profile.hloModules, [&](const HloModule &other) {
          return other.programId == module.programId;
        }))
      profile.hloModules.push_back(module);
  }
  return profile;
}

std::string test::toBytes(const Profile &profile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = writeProfile(profile, os))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return bytes;
}

std::string test::toJson(const Profile &profile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  writeProfileJson(profile, os);
  return bytes;
}

std::string RawSection::getContent() const {
  if (codec == 0)
    return payload;
  llvm::SmallVector<char, 0> content;
  llvm::cantFail(zstdDecompress(payload, contentLength, "test", content));
  return {content.begin(), content.end()};
}

static uint64_t hash(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes));
}

std::vector<RawSection> test::parseFile(llvm::StringRef bytes) {
  std::vector<RawSection> sections;
  size_t at = 12;
  while (at + 16 <= bytes.size()) {
    auto word = [&](size_t i) {
      return llvm::support::endian::read32le(bytes.data() + at + 4 * i);
    };
    RawSection section = {word(0), word(1), word(3),
                          bytes.substr(at + 16, word(2)).str()};
    EXPECT_EQ(llvm::support::endian::read64le(bytes.data() + at + 16 + word(2)),
              hash(bytes.substr(at, 16 + word(2))));
    at += 16 + word(2) + 8;
    sections.push_back(section);
  }
  EXPECT_EQ(at, bytes.size());
  return sections;
}

template <typename T>
static void append(std::string &out, T value) {
  char bytes[sizeof(T)];
  llvm::support::endian::write(bytes, value, llvm::endianness::little);
  out.append(bytes, sizeof(T));
}

static void appendSection(std::string &file, std::string &chain,
                          const RawSection &section) {
  size_t begin = file.size();
  append<uint32_t>(file, section.type);
  append<uint32_t>(file, section.codec);
  append<uint32_t>(file, uint32_t(section.payload.size()));
  append<uint32_t>(file, section.contentLength);
  file += section.payload;
  uint64_t checksum = hash(llvm::StringRef(file).drop_front(begin));
  append<uint64_t>(file, checksum);
  append<uint64_t>(chain, checksum);
}

std::string test::buildFile(llvm::ArrayRef<RawSection> sections, uint16_t major,
                            uint16_t minor) {
  std::string file = "\x89MLP\r\n\x1a\n";
  append<uint16_t>(file, major);
  append<uint16_t>(file, minor);
  std::string chain = file;
  for (const RawSection &section : sections)
    appendSection(file, chain, section);
  RawSection end;
  append<uint32_t>(end.payload, uint32_t(sections.size()));
  append<uint64_t>(end.payload, hash(chain));
  end.contentLength = uint32_t(end.payload.size());
  appendSection(file, chain, end);
  return file;
}
