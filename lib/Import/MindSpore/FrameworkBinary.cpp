//===- FrameworkBinary.cpp - Tasks and ops from MindSpore 1.6 on ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/TextLines.h"
#include "Framework.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {
class BinaryReader {
public:
  BinaryReader(const FrameworkFiles &files, Recording &recording,
               TaskTable &table)
      : files(files), recording(recording), table(table) {}
  void read();

private:
  void readHashes();
  void readTask(StringRef record);
  void readTensors(StringRef record);
  void readTensor(StringRef field, OpFacts &op);
  std::string readMix(StringRef field);
  template <typename Read>
  void readRecords(llvm::ArrayRef<StringRef> slices, uint16_t tag, Read &&read);

  const FrameworkFiles &files;
  Recording &recording;
  TaskTable &table;
  std::map<uint64_t, std::string> names;
  std::map<TaskId, uint32_t> opOfTask;
  /// By op, the task and iteration whose tensors are read.
  std::map<uint32_t, std::pair<TaskId, uint64_t>> firstTask;
  uint64_t foreign = 0, nameless = 0;
};
} // namespace

void BinaryReader::readHashes() {
  std::string joined = joinSlices(files.hashes);
  StringRef text = joined;
  while (!text.empty()) {
    auto [number, name] = takeLine(text).split(':');
    uint64_t hash;
    if (!number.trim().getAsInteger(10, hash) && !name.empty())
      names[hash] = name.trim().str();
  }
}

/// A flag, 7 bytes of filling, then a text or the hash of one. Releases do not
/// agree on the flag; hashes are those that the file of hashes lists.
std::string BinaryReader::readMix(StringRef field) {
  StringRef text = field.drop_front(8);
  auto known = names.find(readLittle<uint64_t>(text, 0));
  if (known != names.end())
    return known->second;
  return text.take_until([](char c) { return c == 0; }).str();
}

static Processor getProcessor(uint32_t type) {
  switch (type) {
  case 0:
    return Processor::AiCore;
  case 1:
    return Processor::AiCpu;
  case 2:
    return Processor::Aiv;
  case 10:
    return Processor::Hccl;
  case 11:
    return Processor::Runtime;
  default:
    return Processor::Unknown;
  }
}

void BinaryReader::readTask(StringRef record) {
  constexpr size_t kNameSize = 128, kTypeSize = 64;
  std::string name = readMix(record.substr(8, kNameSize));
  std::string type = readMix(record.substr(8 + kNameSize, kTypeSize));
  size_t rest = 8 + kNameSize + kTypeSize;
  uint32_t stream = readLittle<uint32_t>(record, rest + 28);
  uint32_t task = readLittle<uint32_t>(record, rest + 32);
  if (name.empty()) {
    ++nameless;
    return;
  }
  uint32_t op = recording.getOpNumber(name);
  OpFacts &facts = recording.job.ops[op];
  facts.type = recording.addName(type);
  facts.processor = getProcessor(readLittle<uint32_t>(record, 4));
  facts.blockDim = readLittle<uint32_t>(record, rest + 20);
  facts.stream = stream;
  table.add({stream, task}, op);
  opOfTask.try_emplace({stream, task}, op);
}

/// Numbers of formats and types may be 200 larger.
static uint32_t dropOffset(uint32_t number) {
  constexpr uint32_t kOffset = 200;
  return number > kOffset ? number - kOffset : number;
}

void BinaryReader::readTensor(StringRef field, OpFacts &op) {
  constexpr uint32_t kTypeBegin = 29;
  TensorFacts tensor;
  tensor.isOutput = readLittle<uint32_t>(field, 0) != 0;
  tensor.format = recording.addName(
      getFormatName(dropOffset(readLittle<uint32_t>(field, 4)), false));
  tensor.type = recording.addName(
      getTypeName(dropOffset(readLittle<uint32_t>(field, 8)), kTypeBegin));
  for (size_t i = 0; i != 8; ++i)
    if (uint32_t size = readLittle<uint32_t>(field, 12 + 4 * i))
      tensor.dimensions.push_back(size);
  for (const TensorFacts &other : op.tensors)
    tensor.index += other.isOutput == tensor.isOutput;
  op.tensors.push_back(std::move(tensor));
}

void BinaryReader::readTensors(StringRef record) {
  constexpr size_t kFirst = 28, kSize = 44, kMost = 5;
  uint64_t iteration = readLittle<uint64_t>(record, 8);
  TaskId task = {readLittle<uint32_t>(record, 16),
                 readLittle<uint32_t>(record, 20)};
  auto known = opOfTask.find(task);
  if (known == opOfTask.end()) {
    ++nameless;
    return;
  }
  OpFacts &op = recording.job.ops[known->second];
  // The tasks of an op, and its iterations, have the same tensors; one may need
  // several records.
  auto [first, isFirst] =
      firstTask.try_emplace(known->second, std::make_pair(task, iteration));
  if (first->second != std::make_pair(task, iteration))
    return;
  size_t count = std::min<size_t>(uint8_t(record[24]), kMost);
  for (size_t i = 0; i != count; ++i)
    readTensor(record.substr(kFirst + i * kSize, kSize), op);
}

template <typename Read>
void BinaryReader::readRecords(llvm::ArrayRef<StringRef> slices, uint16_t tag,
                               Read &&read) {
  constexpr size_t kSize = 256;
  SliceReader bytes(slices);
  StringRef record;
  while ((record = bytes.peek(kSize)).size() == kSize) {
    if (readLittle<uint16_t>(record, 0) == 0x5a5a &&
        readLittle<uint16_t>(record, 2) == tag)
      read(record);
    else
      ++foreign;
    bytes.skip(kSize);
  }
  foreign += !record.empty();
}

void BinaryReader::read() {
  constexpr uint16_t kTaskTag = 23, kTensorTag = 24;
  readHashes();
  readRecords(files.tasks, kTaskTag,
              [&](StringRef record) { readTask(record); });
  readRecords(files.tensors, kTensorTag,
              [&](StringRef record) { readTensors(record); });
  recording.addLoss("record of the framework that is cut or not understood",
                    foreign);
  recording.addLoss("record of the framework without the name of an op",
                    nameless);
}

void mindspore::readFrameworkBinary(const FrameworkFiles &files,
                                    Recording &recording, TaskTable &table) {
  BinaryReader(files, recording, table).read();
}
