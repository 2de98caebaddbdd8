//===- FrameworkText.cpp - Tasks and ops up to MindSpore 1.5 --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/TextLines.h"
#include "Framework.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static constexpr auto kBlanks = llvm::StringLiteral::withInnerNUL(" \t\r\n\0");

/// "op_name block_dim task_id stream_id", and before that the graph's name in
/// files of the older graph engine.
static bool readTask(StringRef line, Recording &recording, TaskTable &table) {
  llvm::SmallVector<StringRef, 8> parts;
  line.split(parts, ' ', -1, /*KeepEmpty=*/false);
  if (parts.size() != 4 && parts.size() != 5)
    return false;
  uint32_t blockDim, task, stream;
  auto numbers = llvm::ArrayRef(parts).take_back(3);
  if (numbers[0].getAsInteger(10, blockDim) ||
      numbers[1].getAsInteger(10, task) || numbers[2].getAsInteger(10, stream))
    return false;
  StringRef name = parts[parts.size() - 4];
  uint32_t op = recording.getOpNumber(name);
  OpFacts &facts = recording.job.ops[op];
  facts.blockDim = blockDim;
  facts.stream = stream;
  if (parts.size() == 5)
    facts.graph = recording.addName(parts[0]);
  table.add({stream, task}, op);
  return true;
}

/// The types of all tensors of a file, whose begin is known when all were seen.
static uint32_t guessTypeBegin(StringRef text) {
  constexpr uint32_t kOld = 26, kNew = 30, kLastOld = kOld + 15;
  constexpr llvm::StringLiteral kField = "_data_type:";
  uint32_t begin = kOld;
  for (size_t at = 0; (at = text.find(kField, at)) != StringRef::npos;) {
    at += kField.size();
    uint32_t number;
    StringRef rest = text.drop_front(at);
    if (!rest.consumeInteger(10, number) && number > kLastOld)
      begin = kNew;
  }
  return begin;
}

namespace {
/// Reads graph_desc_info: "op_name:N op_type:T input_id:0 input_format:F
/// input_data_type:43 input_shape:\"2,3\" ... output_id:0 ...".
class GraphReader {
public:
  GraphReader(const FrameworkFiles &files, Recording &recording)
      : files(files), recording(recording), text(joinSlices(files.graphs)),
        typeBegin(files.isGe ? 0 : guessTypeBegin(text)) {}

  void read();

private:
  void addField(StringRef field, StringRef value);
  TensorFacts *addTensor(StringRef index, bool isOutput);

  const FrameworkFiles &files;
  Recording &recording;
  std::string text;
  uint32_t typeBegin;
  uint32_t op = kNone;
  TensorFacts *tensor = nullptr;
};
} // namespace

TensorFacts *GraphReader::addTensor(StringRef index, bool isOutput) {
  TensorFacts facts;
  facts.isOutput = isOutput;
  if (op == kNone || index.getAsInteger(10, facts.index))
    return nullptr;
  std::vector<TensorFacts> &tensors = recording.job.ops[op].tensors;
  for (const TensorFacts &known : tensors)
    if (known.isOutput == isOutput && known.index == facts.index)
      return nullptr;
  tensors.push_back(std::move(facts));
  return &tensors.back();
}

void GraphReader::addField(StringRef field, StringRef value) {
  uint32_t number;
  bool isNumber = !value.getAsInteger(10, number);
  if (field == "op_name") {
    op = value.empty() ? kNone : recording.getOpNumber(value);
    tensor = nullptr;
  } else if (field == "op_type" && op != kNone) {
    recording.job.ops[op].type = recording.addName(value);
  } else if (field == "input_id" || field == "output_id") {
    tensor = addTensor(value, field == "output_id");
  } else if (tensor && field.ends_with("_format")) {
    tensor->format = recording.addName(
        isNumber ? getFormatName(number, files.isGe) : value.str());
  } else if (tensor && field.ends_with("_data_type")) {
    tensor->type = recording.addName(isNumber ? getTypeName(number, typeBegin)
                                              : value.str());
  } else if (tensor && field.ends_with("_shape")) {
    tensor->dimensions = parseList<int64_t>(value);
  }
}

void GraphReader::read() {
  // Rows may go on in the next line or slice, so only fields count.
  StringRef rest = text;
  while (!(rest = rest.ltrim(kBlanks)).empty()) {
    size_t end = rest.find_first_of(kBlanks);
    StringRef part = rest.take_front(end);
    rest = rest.drop_front(part.size());
    auto [field, value] = part.split(':');
    addField(field, value);
  }
}

void mindspore::readFrameworkText(const FrameworkFiles &files,
                                  Recording &recording, TaskTable &table) {
  std::string joined = joinSlices(files.tasks);
  StringRef text = joined;
  uint64_t foreign = 0;
  while (!text.empty()) {
    StringRef line = takeLine(text).trim(kBlanks);
    if (!line.empty() && !readTask(line, recording, table))
      ++foreign;
  }
  recording.addLoss("line of a task description that is not understood",
                    foreign);
  GraphReader(files, recording).read();
}
