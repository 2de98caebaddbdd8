//===- Analyzed.h - Tables of MindSpore's own analysis ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_ANALYZED_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_ANALYZED_H

#include "AiCpu.h"
#include "Files.h"
#include "Framework.h"
#include "Hwts.h"

namespace mlirprof::importer::mindspore {

/// An execution with the op that it belongs to: position in JobRecord::ops.
struct NamedRun {
  TaskRun run;
  uint32_t op = trace::kNone;
};

/// Reads framework_raw_N.csv: ops with their tensors, and the table of tasks.
void readFrameworkTable(llvm::StringRef text, Recording &recording,
                        TaskTable &table);
/// Reads output_timeline_data_N.txt: "op, stream, start, duration" in ms.
std::vector<NamedRun> readTimeline(llvm::StringRef text, Recording &recording);
/// Reads aicpu_intermediate_N.csv or output_data_preprocess_aicpu_N.txt.
std::vector<AiCpuEntry> readAiCpuTable(const RankFiles &files,
                                       Recording &recording);
/// Reads minddata_aicpu_N.txt: "node begin end queue size".
void readAiCpuWaitsText(llvm::StringRef text, Recording &recording);
/// Reads step_trace_raw_N_detail_time.csv, points in units of `ticks` ticks of
/// the clock, and the names of the points in step_trace_point_info_N.json.
void readStepTable(const RankFiles &files, uint64_t ticks,
                   Recording &recording);
/// Reads aicore_intermediate_N_detail.csv: sums of ops.
void readOpSums(llvm::StringRef text, Recording &recording);
/// Reads hccl_raw_N.csv and minddata_pipeline_raw_N.csv.
void readHcclTable(llvm::StringRef text, Recording &recording);
void readPipelineTable(llvm::StringRef text, Recording &recording);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_ANALYZED_H
