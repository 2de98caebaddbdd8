//===- Files.h - The files of a recording of MindSpore ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_FILES_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_FILES_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlirprof::importer::mindspore {

enum class FileKind : uint8_t {
  None,
  // Raw files of Ascend's devices, in slices.
  Hwts,
  TrainingTrace,
  TsTrack,
  AiCpu,
  AiCpuWaits,
  TaskDescription,
  GraphDescription,
  TensorData,
  HashDictionary,
  StepInfo,
  Points,
  Pmu,
  // Files in the folder around theirs.
  HostStart,
  DeviceStart,
  DeviceInfo,
  // Files that MindSpore's recorder writes.
  StepFile,
  OpTimestamps,
  ActivityTimestamps,
  StartTime,
  GpuOpTypes,
  GpuOpDetails,
  GpuActivities,
  CpuOpTypes,
  CpuOpDetails,
  Pipeline,
  DeviceQueue,
  CpuUtilization,
  Memory,
  HcclTrace,
  // Files that its analysis writes.
  HwtsText,
  Timeline,
  OpComputeTime,
  AiCpuText,
  AiCpuWaitsText,
  FrameworkTable,
  AiCoreDetail,
  AiCoreType,
  AiCpuTable,
  StepTable,
  PointInfo,
  HcclTable,
  PipelineTable,
  FlopsText,
  ProfilerInfo,
  Last = ProfilerInfo,
};

struct FoundFile {
  FileKind kind = FileKind::None;
  std::string path;
  /// The number in its name; 0 without one.
  uint32_t device = 0;
  uint64_t slice = 0;
  /// Whether a raw file's name is that of the older graph engine.
  bool isGe = false;
};

/// Reads the name of a file; FileKind::None for other files. `folder` is
/// the name of the folder that holds it, and `grandparent` that of the folder
/// around this.
FoundFile classifyFile(llvm::StringRef name, llvm::StringRef folder = "",
                       llvm::StringRef grandparent = "");

/// The files of one rank, in order of slices, read into memory or mapped.
class RankFiles {
public:
  /// The folder that holds the rank's raw files, or its tables.
  std::string folder;
  uint32_t device = 0;
  /// The number in the names of files next to the raw ones where it is not that
  /// of the device; kNone otherwise.
  uint32_t rank = trace::kNone;
  std::vector<FoundFile> files;

  /// Opens all files. Empty ones are treated as absent.
  llvm::Error open();
  /// Adds a file that is in memory, which must outlive this.
  void add(FileKind kind, llvm::StringRef path, llvm::StringRef content);
  bool has(FileKind kind) const { return contents.count(kind); }
  /// The contents of the files of a kind.
  llvm::ArrayRef<llvm::StringRef> get(FileKind kind) const;
  /// The content of the first file of a kind, "" without one.
  llvm::StringRef getFirst(FileKind kind) const;
  /// The paths of the files of a kind, in the order of get().
  llvm::ArrayRef<std::string> getPaths(FileKind kind) const;
  bool isGe() const;
  /// 32 hexadecimal digits that identify the contents of all files.
  std::string hash() const;
  /// Fails if a file has changed since it was opened.
  llvm::Error checkUnchanged() const;

private:
  std::map<FileKind, std::vector<llvm::StringRef>> contents;
  std::map<FileKind, std::vector<std::string>> paths;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
};

class Recording;

/// Reads the files of one rank, which are open, and keeps what is damaged as
/// losses.
void readRank(const RankFiles &files, Recording &recording);

/// Whether the folder `path` holds files by which a recording is recognized.
bool holdsRecording(llvm::StringRef path);

/// Finds the files below `path` and groups them into ranks: raw files by their
/// folder and device, other files with the raw ones of their device, which lie
/// below them. Fails if there are too many files.
llvm::Expected<std::vector<RankFiles>> findRanks(llvm::StringRef path);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_FILES_H
