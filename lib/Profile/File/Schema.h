//===- Schema.h - The fields of a profile's messages ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One list of fields per struct: number, name as in proto/profile.proto,
// member. The protobuf and JSON readers and writers are visitors of these
// lists, so that a new field is one line here and one in the .proto. A visitor
// has
//   operator()(number, name, member)  for scalars, enums, strings, messages and
//                                     vectors of them,
//   bytes(number, name, string)       for proto type `bytes`,
//   zigzag(number, name, vector)      for proto type `repeated sint64`,
//   plusOne(number, name, member)     for an unsigned integer in which 0 stands
//                                     for the member's -1 (or kNone),
//   kIsJson                           whether it reads or writes JSON.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_SCHEMA_H
#define MLIR_PROF_LIB_PROFILE_FILE_SCHEMA_H

#include "JobSchema.h"
#include "Wire.h"
#include "mlir-prof/Profile/Profile.h"

#include <array>

namespace mlirprof::profile::schema {

/// Value of Document::schema, which distinguishes the JSON form from other
/// JSON.
inline constexpr llvm::StringLiteral kSchema = "mlir-prof.profile/1";

/// `Fields<T>::visit(visitor, value)`; `value` is a T or a const T.
template <typename T>
struct Fields;

/// Names of an enum's values as in the .proto, by number.
template <typename T>
struct EnumNames;

template <>
struct EnumNames<Quantity> {
  static constexpr std::array<llvm::StringLiteral, 13> names = {
      "EXECUTE",     "SELF",   "COMPLETE", "BOUNDED",     "BYTES",
      "FLOPS",       "CYCLES", "SAMPLES",  "RAW_EXECUTE", "RAW_SELF",
      "STEADY_SELF", "LAUNCH", "QUEUE"};
};

template <>
struct EnumNames<DeviceWork> {
  static constexpr std::array<llvm::StringLiteral, 8> names = {
      "NO_DEVICE",    "KERNEL",         "COPY_TO_DEVICE",
      "COPY_TO_HOST", "COPY_ON_DEVICE", "COPY_BETWEEN_DEVICES",
      "SET_MEMORY",   "OTHER_WORK"};
};

template <>
struct EnumNames<KeyKind> {
  static constexpr std::array<llvm::StringLiteral, 7> names = {
      "HLO_INSTRUCTION", "FRAMEWORK_NODE", "CODE",     "PROBE",
      "OUTSIDE",         "FRAMEWORK_CALL", "ONNX_NODE"};
};

template <>
struct EnumNames<OriginKind> {
  static constexpr std::array<llvm::StringLiteral, 4> names = {
      "UNKNOWN", "SAME_NAME", "WHOLE", "PART"};
};

template <>
struct EnumNames<CallPhase> {
  static constexpr std::array<llvm::StringLiteral, 3> names = {
      "FORWARD", "BACKWARD", "OPTIMIZER"};
};

template <>
struct EnumNames<NodeKind> {
  static constexpr std::array<llvm::StringLiteral, 6> names = {
      "OPERATION", "LOOP", "FUNCTION", "CALL", "BRANCH", "BODY"};
};

template <>
struct EnumNames<ProbeKind> {
  static constexpr std::array<llvm::StringLiteral, 5> names = {
      "FUNCTION", "LOOP", "OPERATION", "PARALLEL", "WORK"};
};

template <>
struct EnumNames<scope::TickSource> {
  static constexpr std::array<llvm::StringLiteral, 4> names = {
      "UNKNOWN_TICKS", "COUNTER", "SYSTEM_CLOCK", "TEST"};
};

template <>
struct EnumNames<scope::CounterSource> {
  static constexpr std::array<llvm::StringLiteral, 4> names = {
      "NO_COUNTERS", "COUNTER_INSTRUCTION", "SYSTEM_CALL", "SOFTWARE"};
};

template <>
struct EnumNames<ValueKind> {
  static constexpr std::array<llvm::StringLiteral, 4> names = {
      "DIMENSIONS", "TRIPS", "BRANCH", "ARGUMENTS"};
};

template <>
struct Fields<OriginNode> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "type", m.type);
    v(3, "ordinal", m.ordinal);
    v(4, "alike", m.alike);
  }
};

template <>
struct Fields<KeyRecord> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "kind", m.kind);
    v(2, "module", m.module);
    v(3, "has_module", m.hasModule);
    v(4, "program_id", m.programId);
    v(5, "has_program_id", m.hasProgramId);
    v(6, "op", m.op);
    v(7, "kernel", m.kernel);
    v(8, "node", m.node);
    v(9, "scope", m.scope);
    v(10, "callers", m.callers);
    v(11, "frames", m.frames);
    v(12, "shapes", m.shapes);
    v(13, "graph_node", m.graphNode);
    v.plusOne(14, "ordinal_plus_one", m.ordinal);
    v.plusOne(15, "sequence_plus_one", m.sequence);
    v(16, "phase", m.phase);
    v(17, "origin_kind", m.originKind);
    v(18, "origins", m.origins);
    v(19, "device_work", m.deviceWork);
  }
};

template <>
struct Fields<SourceFrame> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "file", m.file);
    v(2, "function", m.function);
    v(3, "line", m.line);
    v(4, "column", m.column);
    v(5, "end_line", m.endLine);
    v(6, "end_column", m.endColumn);
    v(7, "parent", m.parent);
  }
};

template <>
struct Fields<HloShape> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "element_type", m.elementType);
    v(2, "dimensions", m.dimensions);
    v(3, "tuple", m.tuple);
  }
};

template <>
struct Fields<HloInstruction> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "opcode", m.opcode);
    v(3, "id", m.id);
    v(4, "shape", m.shape);
    v(5, "op_name", m.opName);
    v(6, "op_type", m.opType);
    v(7, "source_file", m.sourceFile);
    v(8, "source_line", m.sourceLine);
    v(9, "frame", m.frame);
    v(10, "fusion_kind", m.fusionKind);
    v(11, "custom_call_target", m.customCallTarget);
    v(12, "parameter_number", m.parameterNumber);
    v(13, "operand_ids", m.operandIds);
    v(14, "called_computation_ids", m.calledComputationIds);
    v(15, "lhs_contracting_dimensions", m.lhsContractingDimensions);
    v(16, "computation", m.computation);
  }
};

template <>
struct Fields<HloComputation> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "id", m.id);
    v(3, "root_id", m.rootId);
    v(4, "is_fusion", m.isFusion);
    v(5, "first_instruction", m.firstInstruction);
    v(6, "size", m.size);
  }
};

template <>
struct Fields<HloModule> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "program_id", m.programId);
    v(3, "id", m.id);
    v(4, "entry_computation_name", m.entryComputationName);
    v(5, "entry_computation_id", m.entryComputationId);
    v(6, "computations", m.computations);
    v(7, "instructions", m.instructions);
    v(8, "frames", m.frames);
  }
};

template <>
struct Fields<ElidedValues> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "op", m.op);
    v(2, "hash", m.hash);
  }
};

template <>
struct Fields<IrModule> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "level", m.level);
    v(2, "name", m.name);
    v(3, "source", m.source);
    v(4, "fingerprint", m.fingerprint);
    v(5, "operations", m.operations);
    v(6, "elided", m.elided);
    v.bytes(7, "bytecode", m.bytecode);
    v(8, "program", m.program);
    v(9, "values", m.values);
  }
};

template <>
struct Fields<ProgramNode> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "level", m.level);
    v(2, "kind", m.kind);
    v(3, "op", m.op);
    v(4, "name", m.name);
    v(5, "location", m.location);
    v(6, "file", m.file);
    v(7, "line", m.line);
    v.plusOne(8, "container_plus_one", m.container);
    v.plusOne(9, "position_plus_one", m.position);
    v(10, "cost", m.cost);
    v.plusOne(11, "trips_plus_one", m.trips);
    v(12, "parents", m.parents);
    v(13, "callers", m.callers);
  }
};

template <>
struct Fields<ProgramProbe> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "kind", m.kind);
    v.plusOne(2, "node_plus_one", m.node);
    v.plusOne(3, "parent_plus_one", m.parent);
    v(4, "depth", m.depth);
    v(5, "height", m.height);
  }
};

template <>
struct Fields<MachineFunction> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "begin", m.begin);
    v(3, "end", m.end);
  }
};

template <>
struct Fields<MachineLoop> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "begin", m.begin);
    v(2, "end", m.end);
    v(3, "calls", m.calls);
  }
};

template <>
struct Fields<Instruction> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "address", m.address);
    v.plusOne(2, "node_plus_one", m.node);
    v(3, "text", m.text);
    v.plusOne(4, "loop_plus_one", m.loop);
  }
};

template <>
struct Fields<ValueSite> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "kind", m.kind);
    v.plusOne(2, "node_plus_one", m.node);
    v(3, "names", m.names);
  }
};

using InstanceOrigin = std::pair<uint32_t, uint32_t>;
template <>
struct Fields<InstanceOrigin> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "op", m.first);
    v(2, "origin", m.second);
  }
};

template <>
struct Fields<ProgramInstance> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "node", m.node);
    v(2, "kernel", m.kernel);
    v(3, "origins", m.origins);
  }
};

template <>
struct Fields<MachineCall> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "address", m.address);
    v(2, "instance", m.instance);
  }
};

template <>
struct Fields<Program> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "fingerprint", m.fingerprint);
    v(2, "entry", m.entry);
    v(3, "pipeline", m.pipeline);
    v(4, "target", m.target);
    v(5, "levels", m.levels);
    v(6, "strings", m.strings);
    v(7, "nodes", m.nodes);
    v(8, "probes", m.probes);
    v(9, "functions", m.functions);
    v(10, "loops", m.loops);
    v(11, "instructions", m.instructions);
    v(12, "sites", m.sites);
    v(13, "instances", m.instances);
    v(14, "calls", m.calls);
  }
};

template <>
struct Fields<ValueCount> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "tuple", m.tuple);
    v(2, "count", m.count);
  }
};

template <>
struct Fields<ValueTable> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "kind", m.kind);
    v(2, "program", m.program);
    v.plusOne(3, "node_plus_one", m.node);
    v(4, "names", m.names);
    v(5, "entries", m.entries);
    v(6, "other", m.other);
    v.plusOne(7, "instance_plus_one", m.instance);
  }
};

template <>
struct Fields<NodeWork> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "program", m.program);
    v.plusOne(2, "node_plus_one", m.node);
    v(3, "flops", m.flops);
    v(4, "bytes", m.bytes);
  }
};

template <>
struct Fields<SummaryWire> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "count", m.count);
    v(2, "sum", m.sum);
    v(3, "sum_squares_low", m.sumSquaresLow);
    v(4, "sum_squares_high", m.sumSquaresHigh);
    v(5, "min", m.min);
    v(6, "max", m.max);
    v(7, "saturated", m.saturated);
    v(8, "histogram_first", m.histogramFirst);
    v(9, "histogram_counts", m.histogramCounts);
  }
};

template <>
struct Fields<Measurement> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "quantity", m.quantity);
    v(2, "summary", m.summary);
  }
};

template <>
struct Fields<EventSummary> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "track", m.track);
    v(2, "name", m.name);
    v(3, "total", m.total);
    v(4, "self", m.self);
  }
};

template <>
struct Fields<OpSummary> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "op", m.op);
    v(2, "first_begin_ps", m.firstBeginPs);
    v(3, "measurements", m.measurements);
  }
};

template <>
struct Fields<Step> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "number", m.number);
    v(2, "begin_ps", m.beginPs);
    v(3, "duration_ps", m.durationPs);
    v(4, "op_busy_ps", m.opBusyPs);
    v(5, "op_inflight_ps", m.opInflightPs);
  }
};

template <>
struct Fields<TrackInfo> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "plane", m.plane);
    v(2, "line", m.line);
    v(3, "id", m.id);
    v(4, "name", m.name);
    v(5, "display_name", m.displayName);
    v(6, "timestamp_ns", m.timestampNs);
    v(7, "events", m.events);
    v(8, "partial_overlaps", m.partialOverlaps);
    v.plusOne(9, "device_plus_one", m.device);
    v(10, "busy_ps", m.busyPs);
  }
};

template <>
struct Fields<DevicePeak> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "per_second", m.perSecond);
  }
};

template <>
struct Fields<DeviceWait> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "host", m.host);
    v(2, "time", m.time);
  }
};

template <>
struct Fields<DeviceInfo> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "number", m.number);
    v(2, "name", m.name);
    v(3, "memory_bytes", m.memoryBytes);
    v(4, "processors", m.processors);
    v(5, "peaks", m.peaks);
    v(6, "busy_ps", m.busyPs);
    v(7, "kernel_busy_ps", m.kernelBusyPs);
    v(8, "copy_busy_ps", m.copyBusyPs);
    v(9, "idle", m.idle);
    v(10, "waits", m.waits);
  }
};

template <>
struct Fields<Producer> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "format", m.format);
    v(2, "name", m.name);
    v(3, "version", m.version);
  }
};

template <>
struct Fields<Machine> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "host", m.host);
    v(2, "cpu", m.cpu);
    v(3, "features", m.features);
    v(4, "threads", m.threads);
    v(5, "os", m.os);
    v(6, "flops_one_thread", m.flopsOneThread);
    v(7, "flops_all_threads", m.flopsAllThreads);
    v(8, "bytes_one_thread", m.bytesOneThread);
    v(9, "bytes_all_threads", m.bytesAllThreads);
  }
};

template <>
struct Fields<Clock> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "anchor_ns", m.anchorNs);
    v(3, "has_anchor", m.hasAnchor);
  }
};

using Fact = std::pair<std::string, std::string>;
template <>
struct Fields<Fact> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.first);
    v(2, "value", m.second);
  }
};

template <>
struct Fields<Loss> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "count", m.count);
    v(3, "time_ps", m.timePs);
  }
};

template <>
struct Fields<Run> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "hash", m.hash);
    v(2, "source", m.source);
    v(3, "producer", m.producer);
    v(4, "machine", m.machine);
    v(5, "clock", m.clock);
    v(6, "facts", m.facts);
    v(7, "tracks", m.tracks);
    v(8, "events", m.events);
    v(9, "ops", m.ops);
    v(10, "steps", m.steps);
    v(11, "op_busy_ps", m.opBusyPs);
    v(12, "op_inflight_ps", m.opInflightPs);
    v(13, "losses", m.losses);
    v(14, "values", m.values);
    v(15, "work", m.work);
    v(16, "sample_period_ps", m.samplePeriodPs);
    v(17, "iterations", m.iterations);
    v(18, "folded", m.folded);
    v(19, "devices", m.devices);
  }
};

template <>
struct Fields<EventBlock> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "run", m.run);
    v(2, "track", m.track);
    v(3, "name", m.name);
    v(4, "op_plus_one", m.opPlusOne);
    v.zigzag(5, "begin_delta_ps", m.beginDeltaPs);
    v(6, "duration_ps", m.durationPs);
    v.zigzag(7, "begin_code", m.beginCode);
    v.zigzag(8, "end_code", m.endCode);
    v.zigzag(9, "launch_offset", m.launchOffset);
  }
};

template <>
struct Fields<scope::Site> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "file", m.file);
    v(3, "line", m.line);
    v(4, "type", m.type);
    v(5, "level", m.level);
    v(6, "role", m.role);
  }
};

template <>
struct Fields<scope::Thread> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "number", m.number);
    v(2, "id", m.id);
    v(3, "name", m.name);
    v(4, "has_ended", m.hasEnded);
    v(5, "is_device", m.isDevice);
    v(6, "overwritten", m.overwritten);
    v.plusOne(7, "device_plus_one", m.device);
  }
};

template <>
struct Fields<scope::Clock> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "first_ticks", m.firstTicks);
    v(2, "first_monotonic_ns", m.firstMonotonicNs);
    v(3, "anchor_ns", m.anchorNs);
    v(4, "ps", m.ps);
    v(5, "ticks", m.ticks);
    v(6, "drift_ns", m.driftNs);
    v(7, "source", m.source);
    v(8, "offset_error_ps", m.offsetErrorPs);
    v(9, "error_ps", m.errorPs);
  }
};

template <>
struct Fields<ScopeSums> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "site", m.site);
    v(2, "thread", m.thread);
    v(3, "generation", m.generation);
    v(4, "calls", m.calls);
    v(5, "total", m.total);
    v(6, "self", m.self);
    v(7, "min", m.min);
    v(8, "max", m.max);
    v(9, "children", m.children);
    v(10, "inside", m.inside);
    v(11, "histogram_first", m.histogramFirst);
    v(12, "histogram_counts", m.histogramCounts);
  }
};

template <>
struct Fields<ScopeRecord> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "run", m.run);
    v(2, "process", m.process);
    v(3, "parent_process", m.parentProcess);
    v(4, "clock", m.clock);
    v(5, "cost_window_ps", m.costWindowPs);
    v(6, "cost_pair_ps", m.costPairPs);
    v(7, "has_events", m.hasEvents);
    v(8, "has_statistics", m.hasStatistics);
    v(9, "sample_every", m.sampleEvery);
    v(10, "sites", m.sites);
    v(11, "threads", m.threads);
    v(12, "statistics", m.statistics);
    v(13, "places", m.places);
    v(14, "losses", m.losses);
    v(15, "counters", m.counters);
    v(16, "count_costs", m.countCosts);
    v(17, "devices", m.devices);
    v(18, "wants_devices", m.wantsDevices);
  }
};

template <>
struct Fields<scope::CountCost> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "window_ps", m.windowPs);
    v(2, "pair_ps", m.pairPs);
  }
};

template <>
struct Fields<scope::Device::Reading> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "host_ps", m.hostPs);
    v(2, "device", m.device);
    v(3, "error_ps", m.errorPs);
  }
};

template <>
struct Fields<scope::Device> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "name", m.name);
    v(2, "readings", m.readings);
    v(3, "errors_ps", m.errorsPs);
  }
};

template <>
struct Fields<CountBlock> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "run", m.run);
    v(2, "event_delta", m.eventDelta);
    v(3, "known", m.known);
    v(4, "values", m.values);
    v(5, "costs", m.costs);
  }
};

template <>
struct Fields<ScopeBlock> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "run", m.run);
    v(2, "site", m.site);
    v(3, "thread", m.thread);
    v.zigzag(4, "parent_offset", m.parentOffset);
    v.zigzag(5, "begin_delta_ps", m.beginDeltaPs);
    v(6, "duration_ps", m.durationPs);
    v(7, "self_ps", m.selfPs);
    v(8, "flags", m.flags);
    v.zigzag(9, "first_offset", m.firstOffset);
    v(10, "cost_ps", m.costPs);
    v(11, "self_cost_ps", m.selfCostPs);
  }
};

template <>
struct Fields<MemoryBlock> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "run", m.run);
    v.zigzag(2, "at_delta_ps", m.atDeltaPs);
    v(3, "event_plus_one", m.eventPlusOne);
    v(4, "thread_plus_one", m.threadPlusOne);
    v(5, "place", m.place);
    v(6, "type", m.type);
    v.zigzag(7, "bytes", m.bytes);
    v(8, "address", m.address);
    v(9, "allocated", m.allocated);
    v(10, "reserved", m.reserved);
    v(11, "peak_allocated", m.peakAllocated);
    v(12, "peak_reserved", m.peakReserved);
  }
};

template <>
struct Fields<UnknownSection> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "type", m.type);
    v(2, "codec", m.codec);
    v(3, "content_length", m.contentLength);
    v.bytes(4, "payload", m.payload);
  }
};

template <>
struct Fields<UnknownFields> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "path", m.path);
    v.bytes(2, "fields", m.fields);
  }
};

/// Field numbers of the outermost message, which sections consist of.
enum DocumentField : uint32_t {
  kFieldSchema = 1,
  kFieldMinor = 2,
  kFieldStrings = 3,
  kFieldOpKeys = 4,
  kFieldHloModules = 5,
  kFieldIrModules = 6,
  kFieldRuns = 7,
  kFieldKeptEvents = 8,
  kFieldPrograms = 11,
  kFieldScopes = 12,
  kFieldScopeEvents = 13,
  kFieldMemoryEvents = 14,
  kFieldScopeCounts = 15,
  kFieldJobs = 200,
};

template <typename P>
struct Fields<Document<P>> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    // `schema` stays first, where isProfileJson expects it.
    v(kFieldSchema, "schema", m.schema);
    v(kFieldMinor, "minor", m.minor);
    v(kFieldStrings, "strings", m.profile.strings);
    v(kFieldOpKeys, "op_keys", m.profile.opKeys);
    v(kFieldHloModules, "hlo_modules", m.profile.hloModules);
    v(kFieldIrModules, "ir_modules", m.profile.irModules);
    v(kFieldRuns, "runs", m.profile.runs);
    v(kFieldKeptEvents, "kept_events", m.keptEvents);
    // The binary form stores both at their places.
    if constexpr (V::kIsJson) {
      v(9, "unknown_sections", m.profile.unknownSections);
      v(10, "unknown_fields", m.profile.unknownFields);
    }
    v(kFieldPrograms, "programs", m.profile.programs);
    v(kFieldScopes, "scopes", m.scopes.records);
    v(kFieldScopeEvents, "scope_events", m.scopes.events);
    v(kFieldMemoryEvents, "memory_events", m.scopes.memory);
    v(kFieldScopeCounts, "scope_counts", m.scopes.counts);
    v(kFieldJobs, "jobs", m.jobs);
  }
};

/// Sets every field to proto3's default for an absent one, which is not always
/// the struct's own default.
class FieldClearer {
public:
  [[maybe_unused]] static constexpr bool kIsJson = false;

  template <typename T>
  static void clear(T &message) {
    FieldClearer clearer;
    Fields<T>::visit(clearer, message);
  }
  template <typename T>
  void operator()(uint32_t, llvm::StringLiteral, T &member) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      member = T();
  }
  template <typename T>
  void bytes(uint32_t, llvm::StringLiteral, T &) {}
  template <typename T>
  void zigzag(uint32_t, llvm::StringLiteral, T &) {}
  template <typename T>
  void plusOne(uint32_t, llvm::StringLiteral, T &member) {
    member = T(-1);
  }
};

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_SCHEMA_H
