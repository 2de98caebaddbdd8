//===- OpKey.h - Keys of measured ops ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op key has a name, a kernel (the code that ran for it), and details of one
// kind out of Producers.def. Order, equality and identity (KeyOrder.h) go by
// two ties of each kind: tieModule() covers the surroundings of the op and is
// compared before its name, tie() covers the rest. Code that only shows keys,
// or reads facts that all kinds may have, includes KeyTraits.h.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_OPKEY_H
#define MLIR_PROF_PROFILE_OPKEY_H

#include "mlir-prof/Profile/InputShapes.h"
#include "mlir-prof/Profile/SourcePosition.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <variant>

namespace mlirprof::profile {

/// An instruction of an HLO module: op is its name.
struct HloInstructionKey {
  std::optional<std::string> module = {};
  std::optional<int64_t> programId = {};

  /// The module's name, "" without one.
  llvm::StringRef getModule() const {
    return module ? llvm::StringRef(*module) : "";
  }
  /// Files were sorted by the number, which is 0 without one.
  auto tieModule() const {
    return std::tuple_cat(
        std::tie(module),
        std::make_tuple(programId.value_or(0), programId.has_value()));
  }
  auto tie() const { return std::tie(); }
};

/// A node of a framework's graph, or an op that a recording names in the words
/// of the module: op (the node's path, its location or name), kernel (its
/// kernel or op type).
struct GraphNodeKey {
  /// The graph that contains it, if a model has several.
  std::optional<std::string> graph = {};
  /// The event's name, if op is a location.
  std::string eventName = {};
  /// The number of the node in its graph, or -1.
  int64_t number = -1;

  auto tieModule() const { return std::tie(graph); }
  auto tie() const { return std::tie(eventName, number); }
};

/// An instruction of a Program: op ("main+0x1a4"), kernel (the library function
/// that it called, "kernel", or "").
struct CodeKey {
  /// The program's fingerprint.
  std::string program = {};
  /// Index into Program::instructions.
  uint32_t instruction = 0;
  /// Whether reports show the program as the module: only that is recorded.
  bool isShown = true;
  /// The dispatch that ran it: index into Program::instances, or kNone if
  /// unknown or not a dispatch.
  uint32_t instance = trace::kNone;

  auto tieModule() const { return std::tie(program, isShown); }
  auto tie() const { return std::tie(instruction, instance); }
};

/// An op that a probe measured: op (its name).
struct ProbeKey {
  /// The program's fingerprint.
  std::string program = {};
  /// Index into Program::probes.
  uint32_t probe = 0;
  /// As in CodeKey.
  bool isShown = true;
  uint32_t instance = trace::kNone;

  auto tieModule() const { return std::tie(program, isShown); }
  auto tie() const { return std::tie(probe, instance); }
};

/// The reason why no code of a model owns some time.
enum class OutsideKind : uint8_t {
  /// It ran elsewhere.
  Outside,
  /// Threads waited for each other.
  Waiting,
  /// Threads looked for work of others.
  Stealing,
  /// The executor of dispatches chose, started or ended one.
  Executor,
  /// The model was initialized.
  Initialization,
  /// Schedules were searched.
  Tuning,
  /// As the kernel says.
  Other,
};

/// Time that no code of a model owns: op (a symbol), kernel (the kind as text,
/// as makeOutsideKey() sets it).
struct OutsideKey {
  OutsideKind kind = OutsideKind::Outside;

  auto tieModule() const { return std::tie(); }
  auto tie() const { return std::tie(kind); }
};

/// The part of a training step to which a call belongs.
enum class CallPhase : uint8_t {
  /// All other calls, including inference.
  Forward,
  Backward,
  Optimizer,
};

/// An op that a framework ran for a model that it does not know as a graph: op
/// (its name, "aten::addmm"), kernel (the device function that ran for it, or
/// ""). The details say where in the model's program. All fields repeat from
/// step to step, so that the calls of all steps add up. Empty and -1 mean
/// unknown.
struct FrameworkCallKey {
  /// Calls of modules around it, outermost first: {"Encoder_0", "Linear_3"}.
  std::vector<std::string> scope = {};
  /// Ops around it, outermost first: {"aten::linear"}.
  std::vector<std::string> callers = {};
  /// The model's source functions around it, outermost first.
  std::vector<SourcePosition> frames = {};
  /// Shapes of its inputs.
  InputShapes shapes = {};
  /// The node of the exported graph for which it was run, if the recording
  /// contains it: "linear_1".
  std::string graphNode = {};
  /// Position among all ops of one call of the outermost module (outside of
  /// modules: of one step), in order of begin.
  uint32_t ordinal = trace::kNone;
  /// The framework's number of the op for automatic differentiation, relative
  /// to the smallest of its step; backward ops have that of their forward op.
  int64_t sequence = -1;
  CallPhase phase = CallPhase::Forward;

  auto tieModule() const { return std::tie(); }
  auto tie() const {
    return std::tie(scope, callers, frames, shapes, graphNode, ordinal,
                    sequence, phase);
  }
};

/// How a node created by an optimizer relates to nodes of the original model.
enum class OriginKind : uint8_t {
  /// Unknown.
  Unknown,
  /// A node of the model has the same name, and may not be all of it.
  SameName,
  /// Exactly the work of these nodes of the model; without any, it is the
  /// optimizer's own work.
  Whole,
  /// A part of the work of these nodes, together with other work.
  Part,
};

/// A node of the user's model.
struct OriginNode {
  /// Empty if it does not have a name.
  std::string name = {};
  /// "Conv".
  std::string type = {};
  /// Position among the nodes of its type in its graph, and the number of
  /// these.
  uint32_t ordinal = 0;
  uint32_t alike = 0;

  auto tie() const { return std::tie(name, type, ordinal, alike); }
};

/// The nodes of the model from which something was made.
struct NodeOrigins {
  OriginKind kind = OriginKind::Unknown;
  std::vector<OriginNode> nodes = {};

  auto tie() const { return std::tie(kind, nodes); }
};

/// A node of an ONNX graph: op (its name, after those of the nodes whose graphs
/// contain it: "loop/body_add"), kernel (its type, or the device function that
/// ran for it).
struct OnnxNodeKey {
  /// The nodes around it, outermost first.
  std::vector<std::string> callers = {};
  /// Shapes of its inputs.
  InputShapes shapes = {};
  /// In the order of their graph.
  NodeOrigins origins = {};

  auto tieModule() const { return std::tie(); }
  auto tie() const { return std::tie(callers, shapes, origins); }
};

/// A dispatch of a function to a device's queue: op (the function).
struct DispatchKey {
  /// The command buffer that contains it; none if a program submitted the
  /// dispatch to a queue by itself.
  std::optional<uint64_t> commandBuffer = {};
  /// Its place in the compiler's module, "EXECUTE/DISPATCH", or "".
  std::string place = {};
  /// Position among the dispatches of its command buffer or submission. Never
  /// kNone: files tell dispatches from calls by it.
  uint32_t ordinal = 0;
  /// Position among all commands of its command buffer, or -1.
  int64_t command = -1;
  /// As the compiler's module locates them: "NAME" or "FILE:LINE:COLUMN", its
  /// own first.
  NodeOrigins origins = {};

  /// "command buffer 3" or "no command buffer".
  std::string printScope() const;

  auto tieModule() const { return std::tie(); }
  /// Files were sorted by the scope as text.
  auto tie() const {
    return std::tuple_cat(std::make_tuple(printScope()),
                          std::tie(place, ordinal, command, origins));
  }
};

/// Code at a source line, according to debug information: op
/// ("model.mlir:12:5"), kernel (the symbol of the machine code's function).
/// makeSourceLineKey() makes it.
struct SourceLineKey {
  /// The line and those of the calls that were inlined around it, outermost
  /// first; not empty.
  std::vector<SourcePosition> frames = {};

  /// Innermost first.
  std::vector<SourcePosition> getChain() const {
    return {frames.rbegin(), frames.rend()};
  }
  auto tieModule() const { return std::tie(); }
  auto tie() const { return std::tie(frames); }
};

/// A key of a newer version, or of a file that contradicts itself: kept, so
/// that it can be written again; everything else about it is unknown.
struct UnknownKey {
  /// The message OpKey of proto/profile.proto without op and kernel.
  std::string record = {};

  auto tieModule() const { return std::tie(); }
  auto tie() const { return std::tie(record); }
};

/// All kinds, in the order of the list.
using KeyDetails = std::variant<
#define MLIRPROF_PRODUCER(NAME, KIND) NAME##Key,
#include "mlir-prof/Profile/Producers.def"
    UnknownKey>;

/// Work that a device does, as opposed to code of the host.
enum class DeviceWork : uint8_t {
  /// Not work of a device: code of the host.
  None,
  Kernel,
  CopyToDevice,
  CopyToHost,
  CopyOnDevice,
  CopyBetweenDevices,
  SetMemory,
  /// Anything else, and copies of unknown direction.
  Other,
};

/// "host", "kernel", "copy to device".
llvm::StringRef toString(DeviceWork work);
/// Whether it moves bytes.
inline bool isCopy(DeviceWork work) {
  return work >= DeviceWork::CopyToDevice &&
         work <= DeviceWork::CopyBetweenDevices;
}

/// A producer's name for a measured op.
struct OpKey {
  OpKey() = default;
  template <typename T>
  OpKey(std::string op, std::string kernel, T details)
      : op(std::move(op)), kernel(std::move(kernel)),
        details(std::in_place_type<T>, std::move(details)) {}

  /// The fields of all kinds.
  std::string op;
  std::string kernel;
  /// If a device did the work; its times are those on the device.
  DeviceWork work = DeviceWork::None;
  KeyDetails details = GraphNodeKey();

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(details);
  }
  /// Null if the key is of another kind.
  template <typename T>
  const T *getIf() const {
    return std::get_if<T>(&details);
  }
  template <typename T>
  T *getIf() {
    return std::get_if<T>(&details);
  }
  /// The key must be of this kind.
  template <typename T>
  const T &get() const {
    return *getIf<T>();
  }
  template <typename T>
  T &get() {
    return *getIf<T>();
  }
  /// Makes it a key of this kind.
  template <typename T>
  T &make(T value = T()) {
    return details.emplace<T>(std::move(value));
  }
};

/// Number of `T` among the kinds.
template <typename T, size_t I = 0>
constexpr size_t getKindIndex() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, KeyDetails>, T>)
    return I;
  else
    return getKindIndex<T, I + 1>();
}

/// A key of time outside of the model; `text`, the kernel, says why.
OpKey makeOutsideKey(llvm::StringRef op, llvm::StringRef text);
OpKey makeOutsideKey(llvm::StringRef op, OutsideKind kind);
/// "waiting"; "" for Other.
llvm::StringRef toString(OutsideKind kind);

/// The key of code at `chain`, the innermost first, which is not empty.
/// `symbol`, not empty, is the machine code's function.
OpKey makeSourceLineKey(llvm::ArrayRef<SourcePosition> chain,
                        llvm::StringRef symbol);

/// The dispatch that `key` names (Code, Probe); else kNone.
uint32_t getInstance(const OpKey &key);
/// The fingerprint of the program in which `key` is a place (Code, Probe); null
/// for all other kinds. The profile may lack the program.
const std::string *findProgramOf(const OpKey &key);
/// Whether `key` is a place in a program.
inline bool isOfProgram(const OpKey &key) {
  return key.is<CodeKey>() || key.is<ProbeKey>();
}

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_OPKEY_H
