//===- JobSchema.h - The fields of the messages of jobs ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Schema.h, which includes it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_JOBSCHEMA_H
#define MLIR_PROF_LIB_PROFILE_FILE_JOBSCHEMA_H

#include "JobMessage.h"

#include <array>

namespace mlirprof::profile::schema {

template <typename T>
struct Fields;
template <typename T>
struct EnumNames;

template <>
struct EnumNames<Processor> {
  static constexpr std::array<llvm::StringLiteral, 8> names = {
      "UNKNOWN_PROCESSOR", "AI_CORE", "AI_CPU", "AIV", "HCCL",
      "RUNTIME",           "GPU",     "HOST"};
};

template <>
struct EnumNames<LinkKind> {
  static constexpr std::array<llvm::StringLiteral, 4> names = {
      "UNKNOWN_LINK", "SDMA", "RDMA", "WAIT"};
};

template <>
struct Fields<DeviceFacts> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "cube_cores", m.cubeCores);
    v(2, "vector_cores", m.vectorCores);
    v(3, "cube_hz", m.cubeHz);
    v(4, "vector_hz", m.vectorHz);
    v(5, "origin_ticks", m.originTicks);
    v(6, "tick_hz", m.tickHz);
  }
};

template <>
struct Fields<StepPoints> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "number", m.number);
    v(2, "begin_ps", m.beginPs);
    v(3, "first_ps", m.firstPs);
    v(4, "last_ps", m.lastPs);
    v(5, "end_ps", m.endPs);
    v.plusOne(6, "first_op_plus_one", m.firstOp);
    v.plusOne(7, "last_op_plus_one", m.lastOp);
    v.plusOne(8, "end_op_plus_one", m.endOp);
  }
};

template <>
struct Fields<Collective> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "step", m.step);
    v.plusOne(2, "op_plus_one", m.op);
    v.plusOne(3, "stream_plus_one", m.stream);
    v(4, "begin_ps", m.beginPs);
    v(5, "end_ps", m.endPs);
  }
};

template <>
struct Fields<AiCpuRun> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v.plusOne(1, "op_plus_one", m.op);
    v.plusOne(2, "type_plus_one", m.type);
    v(3, "begin_ps", m.beginPs);
    v(4, "end_ps", m.endPs);
    v(5, "submit_ps", m.submitPs);
    v(6, "schedule_ps", m.schedulePs);
    v(7, "before_run_ps", m.beforeRunPs);
    v(8, "after_run_ps", m.afterRunPs);
    v(9, "total_ps", m.totalPs);
    v(10, "dispatch_ps", m.dispatchPs);
    v(11, "execution_ps", m.executionPs);
    v(12, "compute_ps", m.computePs);
    v(13, "memcpy_ps", m.memcpyPs);
  }
};

template <>
struct Fields<TensorFacts> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "is_output", m.isOutput);
    v(2, "index", m.index);
    v.plusOne(3, "format_plus_one", m.format);
    v.plusOne(4, "type_plus_one", m.type);
    v(5, "dimensions", m.dimensions);
  }
};

template <>
struct Fields<OpFacts> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v.plusOne(1, "op_plus_one", m.op);
    v.plusOne(2, "type_plus_one", m.type);
    v.plusOne(3, "graph_plus_one", m.graph);
    v(4, "processor", m.processor);
    v(5, "block_dim", m.blockDim);
    v.plusOne(6, "stream_plus_one", m.stream);
    v(7, "tensors", m.tensors);
    v(8, "cube_flops", m.cubeFlops);
    v(9, "vector_flops", m.vectorFlops);
    v(10, "counted", m.counted);
  }
};

template <>
struct Fields<KernelFacts> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v.plusOne(1, "kernel_plus_one", m.kernel);
    v.plusOne(2, "type_plus_one", m.type);
    v.plusOne(3, "op_plus_one", m.op);
    v.plusOne(4, "stream_plus_one", m.stream);
    v.plusOne(5, "block_plus_one", m.block);
    v.plusOne(6, "grid_plus_one", m.grid);
    v(7, "count", m.count);
    v(8, "total_ps", m.totalPs);
  }
};

template <>
struct Fields<BatchCost> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "batch", m.batch);
    v(2, "pipeline_ps", m.pipelinePs);
    v(3, "push_ps", m.pushPs);
    v(4, "total_ps", m.totalPs);
  }
};

template <>
struct Fields<Queue> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v.plusOne(1, "id_plus_one", m.id);
    v.plusOne(2, "name_plus_one", m.name);
    v(3, "workers", m.workers);
    v(4, "children", m.children);
    v(5, "capacity", m.capacity);
    v(6, "interval_ps", m.intervalPs);
    v(7, "sizes", m.sizes);
    v(8, "times_ps", m.timesPs);
    v(9, "waits_ps", m.waitsPs);
    v(10, "costs", m.costs);
  }
};

template <>
struct Fields<HostSamples> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v.plusOne(1, "owner_plus_one", m.owner);
    v.plusOne(2, "metric_plus_one", m.metric);
    v(3, "interval_ps", m.intervalPs);
    v(4, "values", m.values);
  }
};

template <>
struct Fields<LinkTransfer> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "step", m.step);
    v.plusOne(2, "op_plus_one", m.op);
    v(3, "source", m.source);
    v(4, "destination", m.destination);
    v(5, "kind", m.kind);
    v(6, "count", m.count);
    v(7, "bytes", m.bytes);
    v(8, "duration_ps", m.durationPs);
  }
};

template <>
struct Fields<TensorLife> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "id", m.id);
    v(2, "bytes", m.bytes);
    v.plusOne(3, "type_plus_one", m.type);
    v(4, "first_node", m.firstNode);
    v(5, "last_node", m.lastNode);
    v.plusOne(6, "reason_plus_one", m.reason);
  }
};

template <>
struct Fields<MemoryPlan> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "graph", m.graph);
    v(2, "capacity_bytes", m.capacityBytes);
    v(3, "static_bytes", m.staticBytes);
    v(4, "nodes", m.nodes);
    v(5, "tensors", m.tensors);
    v.plusOne(6, "first_op_plus_one", m.firstOp);
    v.plusOne(7, "last_op_plus_one", m.lastOp);
  }
};

template <>
struct Fields<JobMessage> {
  template <typename V, typename T>
  static void visit(V &v, T &m) {
    v(1, "run", m.run);
    v.plusOne(2, "rank_plus_one", m.job.rank);
    v.plusOne(3, "device_plus_one", m.job.device);
    v(4, "device_facts", m.job.deviceFacts);
    v(5, "names", m.job.names);
    v(6, "steps", m.job.steps);
    v(7, "collectives", m.job.collectives);
    v(8, "ai_cpu_runs", m.job.aiCpuRuns);
    v(9, "ops", m.job.ops);
    v(10, "kernels", m.job.kernels);
    v(11, "queues", m.job.queues);
    v(12, "host_samples", m.job.hostSamples);
    v(13, "transfers", m.job.transfers);
    v(14, "memory", m.job.memory);
  }
};

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_JOBSCHEMA_H
