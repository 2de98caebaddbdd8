//===- Event.h - Events, tracks and their sink ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_EVENT_H
#define MLIR_PROF_TRACE_EVENT_H

#include "mlir-prof/Support/Loss.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlirprof::trace {

/// An index that points nowhere.
inline constexpr uint32_t kNone = ~uint32_t(0);

/// One timeline of a trace: a thread, a stream, a line of an XPlane.
struct Track {
  /// The group the producer put it in (plane, process); may be empty.
  std::string plane;
  /// Its position within the plane, from 0.
  uint32_t line = 0;
  /// The producer's own number for it.
  int64_t id = 0;
  std::string name;
  std::string displayName;
  /// Begin of the track on the trace's clock, ns.
  int64_t timestampNs = 0;
};

/// How the producer names what it measured.
enum class OpKeyKind : uint8_t {
  /// An instruction of an HLO module: module, programId, op.
  HloInstruction,
  /// A node of a framework's graph, or what a recording names in the words of
  /// the module: op (node path, location or name), kernel (kernel or op type),
  /// call (graphNode: the event's name, where op is a location; sequence: the
  /// number of the node in its graph).
  FrameworkNode,
  /// An instruction of a Program: module (its fingerprint), node (index into
  /// Program::instructions), op ("main+0x1a4"), kernel (the library function
  /// that it had called, or "").
  Code,
  /// What a probe measured: module (the program's fingerprint), node (index
  /// into Program::probes), op (its name).
  Probe,
  /// Time that no code of a model owns: op (a symbol), kernel ("waiting",
  /// "outside" ...).
  Outside,
  /// An op that a framework ran for a model that it does not know as a graph:
  /// op (its name, "aten::addmm"), kernel (what ran on a device for it, or ""),
  /// call (where in the program).
  FrameworkCall,
  /// A node of an ONNX graph: op (its name, behind those of the nodes whose
  /// graphs it is in: "loop/body_add"), kernel (its type, or what ran on a
  /// device for it), call (callers: the nodes around it; shapes), origin.
  OnnxNode,
};

/// Which part of a training step a call belongs to.
enum class CallPhase : uint8_t {
  /// All that is not one of the others, inference too.
  Forward,
  Backward,
  Optimizer,
};

/// Where in a model's program a framework ran an op. All of it repeats from
/// step to step, so that the calls of all steps add up. Empty and -1 mean
/// unknown.
struct FrameworkCall {
  /// Calls of modules around it, outermost first: {"Encoder_0", "Linear_3"}.
  std::vector<std::string> scope;
  /// Ops around it, outermost first: {"aten::linear"}.
  std::vector<std::string> callers;
  /// The model's source functions around it, outermost first:
  /// {"models.py(21): forward"}.
  std::vector<std::string> frames;
  /// Shapes of its inputs as JSON without spaces: "[[256,512],[512]]".
  std::string shapes;
  /// The node of the exported graph that it was run for, when the recording
  /// says so: "linear_1".
  std::string graphNode;
  /// Position among all ops of one call of the outermost module (outside of
  /// modules: of one step), in order of begin.
  uint32_t ordinal = kNone;
  /// The framework's number of the op for automatic differentiation, minus the
  /// smallest of its step; backward ops have that of their forward op.
  int64_t sequence = -1;
  CallPhase phase = CallPhase::Forward;
};

/// What is known of what a node that an optimizer made does.
enum class OriginKind : uint8_t {
  /// Nothing.
  Unknown,
  /// A node of the model has its name, and may not be all of it.
  SameName,
  /// The work of these nodes of the model, and of no other; without any it is
  /// the optimizer's own.
  Whole,
  /// Some of the work of these nodes, beside others.
  Part,
};

/// A node of the model that the user has.
struct OriginNode {
  /// Empty when it has none.
  std::string name;
  /// "Conv".
  std::string type;
  /// Position among the nodes of its type in its graph, and how many they are.
  uint32_t ordinal = 0;
  uint32_t alike = 0;
};

struct OpKey {
  OpKeyKind kind = OpKeyKind::FrameworkNode;
  std::string module;
  int64_t programId = 0;
  bool hasModule = false;
  bool hasProgramId = false;
  std::string op;
  std::string kernel;
  /// Code, Probe: what was measured, by its index; else 0.
  uint32_t node = 0;
  /// FrameworkCall; of OnnxNode the fields named there.
  FrameworkCall call;
  /// OnnxNode, in the order of their graph; and dispatches of IREE, as the dump
  /// of its stream phase locates them.
  OriginKind originKind = OriginKind::Unknown;
  std::vector<OriginNode> origins;
};

/// What an event is to the analyses, beside an interval with a name.
enum class EventRole : uint8_t {
  Plain,
  /// Marks that the asynchronous work started by the event with
  /// `flowOut == flowIn` has completed by this event's begin.
  Completion,
  /// One step of the outer loop (a training or inference step).
  Step,
};

/// One measured interval. All times are picoseconds relative to the anchor of
/// the trace's clock.
struct Event {
  uint32_t track = 0;
  /// Index of the name, as returned by EventSink::addName.
  uint32_t name = 0;
  int64_t beginPs = 0;
  int64_t endPs = 0;
  /// Index of the op key that was measured (EventSink::addOpKey), or kNone.
  uint32_t op = kNone;
  EventRole role = EventRole::Plain;
  bool hasFlowOut = false;
  bool hasFlowIn = false;
  /// Which execution of the program this event belongs to; consumers of a
  /// result are looked for within the same run only.
  uint64_t run = 0;
  /// Links the event that starts asynchronous work to the one that ends it.
  uint64_t flowOut = 0;
  uint64_t flowIn = 0;
  /// The step's number, for EventRole::Step.
  int64_t step = 0;
  /// Where the code of a probe was at its begin and its end, as an offset from
  /// the first function of its module; 0 when unknown.
  int64_t beginCode = 0;
  int64_t endCode = 0;
};

/// Receives a trace. An importer first adds tracks, names and op keys (also
/// later, before the first event that uses one) and then gives the events in
/// one order for all tracks: by (begin, -end), ties by position in the file.
class EventSink {
public:
  virtual ~EventSink();

  virtual uint32_t addTrack(Track track) = 0;
  virtual uint32_t addName(llvm::StringRef name) = 0;
  virtual uint32_t addOpKey(OpKey key) = 0;
  /// Says that the ops `consumers` use the result of `op`: its asynchronous
  /// work must have completed when one of them begins. Given once an op, before
  /// its first event.
  virtual void setConsumers(uint32_t op,
                            llvm::ArrayRef<uint32_t> consumers) = 0;
  virtual void event(const Event &event) = 0;
  /// Records what the importer could not keep.
  virtual void loss(llvm::StringRef name, uint64_t count, int64_t timePs) = 0;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_EVENT_H
