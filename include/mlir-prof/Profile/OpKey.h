//===- OpKey.h - What producers call what they measured ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_OPKEY_H
#define MLIR_PROF_PROFILE_OPKEY_H

#include "mlir-prof/Profile/InputShapes.h"
#include "mlir-prof/Profile/SourcePosition.h"
#include "mlir-prof/Trace/Event.h"

namespace mlirprof::profile {

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
  /// The model's source functions around it, outermost first.
  std::vector<SourcePosition> frames;
  /// Of its inputs.
  InputShapes shapes;
  /// The node of the exported graph that it was run for, when the recording
  /// says so: "linear_1".
  std::string graphNode;
  /// Position among all ops of one call of the outermost module (outside of
  /// modules: of one step), in order of begin.
  uint32_t ordinal = trace::kNone;
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

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_OPKEY_H
