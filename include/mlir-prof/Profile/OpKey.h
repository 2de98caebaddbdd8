//===- OpKey.h - What producers call what they measured ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op key has a name, what ran for it, and details of one kind out of
// Producers.def. Order, equality and identity (KeyOrder.h) go by two ties of
// each kind: tieModule() is of what stands around the op and is compared before
// its name, tie() of the rest. Who only shows keys, or asks what all kinds may
// know, takes KeyTraits.h.
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

/// A node of a framework's graph, or what a recording names in the words of the
/// module: op (the node's path, its location or name), kernel (its kernel or op
/// type).
struct GraphNodeKey {
  /// The graph that it is in, where a model has several.
  std::optional<std::string> graph = {};
  /// The event's name, where op is a location.
  std::string eventName = {};
  /// The number of the node in its graph, or -1.
  int64_t number = -1;

  auto tieModule() const { return std::tie(graph); }
  auto tie() const { return std::tie(eventName, number); }
};

/// An instruction of a Program: op ("main+0x1a4"), kernel (the library function
/// that it had called, "kernel", or "").
struct CodeKey {
  /// The program's fingerprint.
  std::string program = {};
  /// Index into Program::instructions.
  uint32_t instruction = 0;
  /// Whether reports show the program as the module: all that is recorded.
  bool isShown = true;

  auto tieModule() const { return std::tie(program, isShown); }
  auto tie() const { return std::tie(instruction); }
};

/// What a probe measured: op (the name of its op).
struct ProbeKey {
  /// The program's fingerprint.
  std::string program = {};
  /// Index into Program::probes.
  uint32_t probe = 0;
  /// As CodeKey::isShown.
  bool isShown = true;

  auto tieModule() const { return std::tie(program, isShown); }
  auto tie() const { return std::tie(probe); }
};

/// Why no code of a model owns some time.
enum class OutsideKind : uint8_t {
  /// It ran elsewhere.
  Outside,
  /// Threads waited for each other.
  Waiting,
  /// The model was made ready.
  Initialization,
  /// Schedules were searched for.
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

/// Which part of a training step a call belongs to.
enum class CallPhase : uint8_t {
  /// All that is not one of the others, inference too.
  Forward,
  Backward,
  Optimizer,
};

/// An op that a framework ran for a model that it does not know as a graph: op
/// (its name, "aten::addmm"), kernel (what ran on a device for it, or ""). The
/// details say where in the model's program. All of it repeats from step to
/// step, so that the calls of all steps add up. Empty and -1 mean unknown.
struct FrameworkCallKey {
  /// Calls of modules around it, outermost first: {"Encoder_0", "Linear_3"}.
  std::vector<std::string> scope = {};
  /// Ops around it, outermost first: {"aten::linear"}.
  std::vector<std::string> callers = {};
  /// The model's source functions around it, outermost first.
  std::vector<SourcePosition> frames = {};
  /// Of its inputs.
  InputShapes shapes = {};
  /// The node of the exported graph that it was run for, when the recording
  /// says so: "linear_1".
  std::string graphNode = {};
  /// Position among all ops of one call of the outermost module (outside of
  /// modules: of one step), in order of begin.
  uint32_t ordinal = trace::kNone;
  /// The framework's number of the op for automatic differentiation, minus the
  /// smallest of its step; backward ops have that of their forward op.
  int64_t sequence = -1;
  CallPhase phase = CallPhase::Forward;

  auto tieModule() const { return std::tie(); }
  auto tie() const {
    return std::tie(scope, callers, frames, shapes, graphNode, ordinal,
                    sequence, phase);
  }
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
  std::string name = {};
  /// "Conv".
  std::string type = {};
  /// Position among the nodes of its type in its graph, and how many they are.
  uint32_t ordinal = 0;
  uint32_t alike = 0;

  auto tie() const { return std::tie(name, type, ordinal, alike); }
};

/// The nodes of the model that something was made of.
struct NodeOrigins {
  OriginKind kind = OriginKind::Unknown;
  std::vector<OriginNode> nodes = {};

  auto tie() const { return std::tie(kind, nodes); }
};

/// A node of an ONNX graph: op (its name, behind those of the nodes whose
/// graphs it is in: "loop/body_add"), kernel (its type, or what ran on a device
/// for it).
struct OnnxNodeKey {
  /// The nodes around it, outermost first.
  std::vector<std::string> callers = {};
  /// Of its inputs.
  InputShapes shapes = {};
  /// In the order of their graph.
  NodeOrigins origins = {};

  auto tieModule() const { return std::tie(); }
  auto tie() const { return std::tie(callers, shapes, origins); }
};

/// A dispatch of a function to a device's queue: op (the function).
struct DispatchKey {
  /// The command buffer that it stands in; none of a dispatch that a program
  /// gave to a queue by itself.
  std::optional<uint64_t> commandBuffer = {};
  /// Its place in the compiler's module, "EXECUTE/DISPATCH", or "".
  std::string place = {};
  /// Position among the dispatches of its command buffer or submission.
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

/// Code at a source line, as debug information tells it: op
/// ("model.mlir:12:5"), kernel (the symbol of the machine code's function).
/// makeSourceLineKey() makes it.
struct SourceLineKey {
  /// The line and those of the calls that were inlined around it, outermost
  /// first; not empty.
  std::vector<SourcePosition> frames = {};

  /// The innermost first.
  std::vector<SourcePosition> getChain() const {
    return {frames.rbegin(), frames.rend()};
  }
  auto tieModule() const { return std::tie(); }
  auto tie() const { return std::tie(frames); }
};

/// What a newer version wrote, or a file that contradicts itself: kept, so that
/// it can be written again, and nothing else is known of it.
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

/// What a producer calls what it measured.
struct OpKey {
  OpKey() = default;
  template <typename T>
  OpKey(std::string op, std::string kernel, T details)
      : op(std::move(op)), kernel(std::move(kernel)),
        details(std::in_place_type<T>, std::move(details)) {}

  /// What each kind says.
  std::string op;
  std::string kernel;
  KeyDetails details = GraphNodeKey();

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(details);
  }
  /// Null when the key is of another kind.
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

/// The fingerprint of the program that `key` is a place in (Code, Probe); null
/// for all other kinds. The profile may not hold it.
const std::string *findProgramOf(const OpKey &key);
/// Whether `key` is of a place in a program.
inline bool isOfProgram(const OpKey &key) {
  return key.is<CodeKey>() || key.is<ProbeKey>();
}

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_OPKEY_H
