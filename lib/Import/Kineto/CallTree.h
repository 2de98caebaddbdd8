//===- CallTree.h - Positions of ops in the model's program -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_KINETO_CALLTREE_H
#define MLIR_PROF_LIB_IMPORT_KINETO_CALLTREE_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Trace/IntegerMap.h"

#include <map>
#include <vector>

namespace mlirprof::importer::kineto {

/// The kind of an event, by its category.
enum class Category : uint8_t {
  Op,
  Annotation,
  Python,
  /// A call of the device's runtime, which starts work on the device.
  Runtime,
  /// Work on a device.
  Kernel,
  Copy,
  SetMemory,
  /// An annotation repeated on a device.
  DeviceAnnotation,
  Other,
};

inline bool isDeviceWork(Category category) {
  return category >= Category::Kernel && category <= Category::SetMemory;
}

/// Lists of names with shared prefixes: modules, ops and functions around an
/// event. Number 0 is the empty list.
class Paths {
public:
  Paths() : entries(1) {}
  uint32_t add(uint32_t parent, uint32_t name) {
    uint32_t &path = numbers[uint64_t(parent) << 32 | name];
    if (path == trace::kNone) {
      path = uint32_t(entries.size());
      entries.push_back({parent, name});
    }
    return path;
  }
  /// The names, outermost first.
  std::vector<uint32_t> get(uint32_t path) const;

private:
  struct Entry {
    uint32_t parent = 0;
    uint32_t name = 0;
  };
  std::vector<Entry> entries;
  trace::IntegerMap numbers;
};

/// Follows the events of all threads in order and creates op keys of ops: the
/// names around each, and its position within its call of the model or its
/// step.
class CallTree {
public:
  struct Input {
    int64_t beginPs = 0;
    int64_t endPs = 0;
    uint32_t thread = 0;
    uint32_t name = 0;
    Category category = Category::Other;
    /// For ops: their sequence number plus one, or 0.
    uint64_t sequencePlusOne = 0;
    /// For runtime calls and device work: their correlation, or 0.
    uint64_t correlation = 0;
    /// For ops: number of their shapes, see addShapes().
    uint32_t shapes = 0;
    /// For annotations that state it: the phase of the ops within.
    profile::CallPhase phase = profile::CallPhase::Forward;
  };

  explicit CallTree(profile::ProfileBuilder &builder)
      : builder(builder), shapes(1) {}

  /// The number of the shapes "[[2, 3], [3]]"; 0 for none.
  uint32_t addShapes(llvm::StringRef text);
  /// The op key of an event, or kNone if the event is not a measurement.
  uint32_t add(const Input &input);
  /// The number of the step that an annotation marks; false if it does not mark
  /// one.
  bool getStep(uint32_t name, int64_t &step) const;
  void reportLosses();

private:
  /// The context of everything within an event.
  struct Context {
    uint32_t ops = 0;
    uint32_t modules = 0;
    uint32_t frames = 0;
    /// Name of the annotation, without "fx:", plus one.
    uint32_t graphNode = 0;
    uint64_t sequencePlusOne = 0;
    profile::CallPhase phase = profile::CallPhase::Forward;
    /// Op key of the innermost op.
    uint32_t op = trace::kNone;
  };
  /// A call of the device's runtime.
  struct Launch {
    Context context;
    /// Its name, which differs for each graph of a step.
    uint32_t name = 0;
    bool isGraph = false;
    /// Number of pieces of work that it has started so far.
    uint32_t works = 0;
    uint64_t correlation = 0;
  };
  struct Open {
    int64_t endPs;
    Context context;
  };
  struct Thread {
    std::vector<Open> stack;
    /// Number of ops so far in the call of the outermost module, and outside of
    /// modules in the step.
    uint32_t inModule = 0;
    uint32_t inStep = 0;
    uint64_t step = 0;
  };
  /// An op key in numeric form.
  struct Key {
    uint32_t name = 0;
    uint32_t ops = 0;
    uint32_t modules = 0;
    uint32_t frames = 0;
    uint32_t graphNode = 0;
    uint32_t shapes = 0;
    uint32_t ordinal = trace::kNone;
    uint32_t sequence = trace::kNone;
    uint32_t phase = 0;
  };
  /// The facts encoded in an event's name.
  struct NameFacts {
    bool isKnown = false;
    bool isModule = false;
    bool isForward = false;
    bool isBackward = false;
    bool isOptimizer = false;
    bool isStep = false;
    /// Whether a call of this name replays a graph of work.
    bool isGraphLaunch = false;
    int64_t step = 0;
    /// The name of the module or graph node alone.
    uint32_t shortName = trace::kNone;
  };

  Thread &getThread(uint32_t number);
  Context getContext(Thread &thread, const Input &input);
  const NameFacts &getFacts(uint32_t name);
  uint32_t addOp(Thread &thread, const Input &input, Context &context);
  uint32_t takeOrdinal(Thread &thread, const Input &input,
                       const Context &context);
  uint32_t getSequence(const Input &input, const Context &context);
  void enterStep(const Input &input);
  profile::OpKey makeKey(const Key &key) const;
  std::vector<std::string> getNames(uint32_t path) const;
  void launch(const Input &input, const Context &context);
  uint32_t getGraphName(const Input &input);
  uint32_t addDeviceWork(const Input &input);
  profile::OpKey makeDeviceKey(const Input &input, const Launch *launch,
                               uint32_t position) const;
  profile::DeviceWork getWork(const Input &input) const;

  profile::ProfileBuilder &builder;
  /// As in FrameworkCallKey::shapes, as text.
  std::vector<std::string> shapes;
  llvm::StringMap<uint32_t> shapesByText;
  std::vector<Thread> threads;
  Paths paths;
  std::vector<NameFacts> facts;
  llvm::StringMap<uint32_t> opByKey;
  std::vector<Key> keys;
  /// Index into `keys` by the builder's number.
  std::vector<uint32_t> keyOfOp;

  uint64_t stepCount = 0;
  int64_t stepEndPs = std::numeric_limits<int64_t>::min();
  uint64_t stepSequencePlusOne = 0;

  /// Calls by correlation, as indices into `launches`, a ring.
  trace::IntegerMap launchOf;
  std::vector<Launch> launches;
  size_t nextLaunch = 0;
  uint32_t graphsInStep = 0;
  /// Op keys of device work.
  std::map<std::vector<uint32_t>, uint32_t> deviceKeys;
  uint64_t unlaunched = 0;
  int64_t unlaunchedPs = 0;
  uint64_t beyond = 0;
  int64_t beyondPs = 0;
};

} // namespace mlirprof::importer::kineto

#endif // MLIR_PROF_LIB_IMPORT_KINETO_CALLTREE_H
