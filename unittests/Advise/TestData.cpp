//===- TestData.cpp - Profiles made by hand, and results of rules ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static Summary makeSummary(int64_t eachPs, uint64_t count) {
  Summary summary;
  for (uint64_t i = 0; i < count; ++i)
    summary.add(eachPs);
  return summary;
}

static uint32_t addString(std::vector<std::string> &strings,
                          llvm::StringRef text) {
  auto it = llvm::find(strings, text);
  if (it != strings.end())
    return uint32_t(it - strings.begin());
  strings.push_back(text.str());
  return uint32_t(strings.size() - 1);
}

uint32_t Data::addOp(OpKey key, int64_t eachPs, uint64_t count) {
  OpSummary op;
  op.op = uint32_t(profile.opKeys.size());
  op.get(Quantity::Execute) = makeSummary(eachPs, count);
  op.get(Quantity::Self) = makeSummary(eachPs, count);
  profile.opKeys.push_back(std::move(key));
  run().ops.push_back(std::move(op));
  ownership.matches.emplace_back();
  return op.op;
}

uint32_t Data::addTrack(llvm::StringRef name) {
  TrackInfo track;
  track.name = name.str();
  track.line = uint32_t(run().tracks.size());
  run().tracks.push_back(std::move(track));
  return uint32_t(run().tracks.size() - 1);
}

void Data::addEvent(uint32_t track, llvm::StringRef name, int64_t eachPs,
                    uint64_t count) {
  EventSummary event;
  event.track = track;
  event.name = addString(profile.strings, name);
  event.total = event.self = makeSummary(eachPs, count);
  run().events.push_back(std::move(event));
  run().tracks[track].events += count;
}

void Data::addStep(int64_t beginPs, int64_t durationPs, int64_t busyPs) {
  run().steps.push_back(
      {int64_t(run().steps.size()), beginPs, durationPs, busyPs, busyPs});
}

void Data::matchLast(MatchClass matchClass, std::vector<uint32_t> ops) {
  Match &match = ownership.matches.back();
  match.matchClass = matchClass;
  match.weights.assign(ops.size(), 1);
  match.ops = std::move(ops);
  hasModule = true;
}

AdviseInput Data::makeInput() {
  AdviseInput input{{profile}};
  if (hasModule) {
    attribution = attribute(profile, ownership);
    input.report.ownership = &ownership;
    input.report.attribution = &attribution;
  }
  if (!graph.nodes.empty())
    input.graph = &graph;
  input.trials = trials;
  input.products = products;
  return input;
}

static std::string describe(const Advice &advice) {
  std::string text =
      advice.gainPs ? std::to_string(*advice.gainPs) : std::string("unknown");
  for (const Parameter &parameter : advice.parameters)
    text += " " + parameter.name.str() + "=" +
            (parameter.kind == ParameterKind::Text
                 ? parameter.text
                 : std::to_string(parameter.number));
  for (const Subject &subject : advice.subjects)
    text += " [" + subject.name +
            (subject.location.empty() ? "" : " at " + subject.location) + " " +
            std::to_string(subject.timePs) + "]";
  return text + "\n";
}

std::string Data::ask(llvm::StringRef rule) {
  AdviceReport report =
      collectAdvice(makeInput(), {llvm::cantFail(findAdviceRule(rule))});
  if (!report.withoutData.empty())
    return "no data";
  if (!report.silent.empty())
    return "silent";
  std::string text;
  for (const Advice &advice : report.advice)
    text += describe(advice);
  return text;
}

AdviceReport Data::adviseAll() { return collectAdvice(makeInput()); }

OpKey test::callKey(llvm::StringRef op, llvm::StringRef shapes,
                    std::vector<std::string> callers) {
  FrameworkCallKey call;
  call.shapes = InputShapes::parse(shapes);
  call.callers = std::move(callers);
  return OpKey(op.str(), "", std::move(call));
}

OpKey test::nodeKey(llvm::StringRef node, llvm::StringRef kernel) {
  return OpKey(node.str(), kernel.str(), GraphNodeKey());
}

OpKey test::outsideKey(llvm::StringRef symbol) {
  return makeOutsideKey(symbol, OutsideKind::Outside);
}

OpKey test::hloKey(llvm::StringRef instruction) {
  return OpKey(instruction.str(), "", HloInstructionKey{"main", {}});
}

//===----------------------------------------------------------------------===//
// Recordings by mlir-prof record
//===----------------------------------------------------------------------===//

namespace {
/// Makes the program: levels input, loops, llvm.
class ProgramMaker {
public:
  explicit ProgramMaker(Data &data) : data(data) {
    program.fingerprint = "p";
    program.entry = "main";
    program.levels = {"input", "loops", "llvm"};
    program.strings = {""};
  }

  uint32_t addNode(uint32_t level, NodeKind kind, llvm::StringRef op,
                   llvm::StringRef name, uint32_t container,
                   std::vector<uint32_t> parents);
  void addInstruction(uint32_t node, int64_t eachPs);

  Data &data;
  Program program;
};
} // namespace

uint32_t ProgramMaker::addNode(uint32_t level, NodeKind kind,
                               llvm::StringRef op, llvm::StringRef name,
                               uint32_t container,
                               std::vector<uint32_t> parents) {
  uint32_t position = 1;
  for (const ProgramNode &other : program.nodes)
    position += other.level == level;
  ProgramNode &node = program.nodes.emplace_back();
  node.level = level;
  node.kind = kind;
  node.op = addString(program.strings, op);
  node.name = addString(program.strings, name);
  node.container = container;
  node.position = position;
  node.cost = 1;
  node.parents = std::move(parents);
  return uint32_t(program.nodes.size() - 1);
}

void ProgramMaker::addInstruction(uint32_t node, int64_t eachPs) {
  auto instruction = uint32_t(program.instructions.size());
  program.instructions.push_back({instruction, node});
  data.addOp(OpKey("main+" + std::to_string(instruction), "",
                   CodeKey{program.fingerprint, instruction}),
             eachPs, 10);
}

/// Stores the nodes of a level in pre-order, as positions require.
static void addLevels(ProgramMaker &maker, llvm::ArrayRef<RecordedOp> ops,
                      Loops loops) {
  uint32_t main =
      maker.addNode(0, NodeKind::Function, "func.func", "main", kNone, {});
  std::vector<uint32_t> inputs, bodies;
  for (const RecordedOp &op : ops)
    inputs.push_back(
        maker.addNode(0, NodeKind::Operation, op.op, op.name, main, {}));
  uint32_t lowered =
      maker.addNode(1, NodeKind::Function, "func.func", "main", kNone, {main});
  uint32_t loop = kNone;
  for (auto [op, input] : llvm::zip_equal(ops, inputs)) {
    if (loop == kNone || loops == Loops::OneEach)
      loop = maker.addNode(1, NodeKind::Loop, "scf.for", op.name, lowered,
                           {input});
    bodies.push_back(maker.addNode(1, NodeKind::Operation, "arith.addf",
                                   op.name, loop, {input}));
  }
  uint32_t last = maker.addNode(2, NodeKind::Function, "llvm.func", "main",
                                kNone, {lowered});
  for (auto [op, body] : llvm::zip_equal(ops, bodies))
    maker.addInstruction(maker.addNode(2, NodeKind::Operation, "llvm.fadd",
                                       op.name, last, {body}),
                         op.eachPs);
  for (auto [op, input] : llvm::zip_equal(ops, inputs))
    maker.data.run().work.push_back({"p", input, op.flops, op.bytes});
}

static void addGraph(Data &data, size_t ops) {
  for (size_t i = 0; i < ops; ++i) {
    graph::Node node;
    // After the module and its function.
    node.id = uint32_t(i + 2);
    data.graph.nodes.push_back(std::move(node));
    if (i)
      data.graph.edges.push_back({uint32_t(i - 1), uint32_t(i)});
  }
}

Data test::makeRecording(llvm::ArrayRef<RecordedOp> ops, Loops loops) {
  Data data;
  ProgramMaker maker(data);
  addLevels(maker, ops, loops);
  addGraph(data, ops.size());
  Run &run = data.run();
  run.machine.threads = 1;
  run.machine.flopsOneThread = run.machine.bytesOneThread = 1000000000;
  for (int i = 0; i < 10; ++i)
    run.iterations.add(kMs);
  data.profile.programs.push_back(std::move(maker.program));
  return data;
}
