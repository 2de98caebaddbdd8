//===- HloFrames.cpp - Stack frames of HLO protos -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloFrames.h"
#include "../Common/Wire.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using pbf_reader = mlirprof::ProtoReader;

namespace {

/// Numbers in the proto are 1-based; 0 means none.
struct FileLocation {
  uint32_t file = 0;
  uint32_t function = 0;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;
};
struct StackFrame {
  uint32_t location = 0;
  uint32_t parent = 0;
};

/// Reads a message whose fields 1..count are all varints into `numbers`.
void readNumbers(pbf_reader reader, llvm::MutableArrayRef<uint32_t *> numbers) {
  while (reader.next()) {
    bool isKnown = reader.wire_type() == protozero::pbf_wire_type::varint &&
                   reader.tag() >= 1 && reader.tag() <= numbers.size();
    if (isKnown)
      *numbers[reader.tag() - 1] = reader.get_uint32();
    else
      reader.skip();
  }
}

class FrameTable {
public:
  FrameTable(LossList &losses, MemoryBudget &budget)
      : losses(losses), budget(budget) {}

  void read(pbf_reader reader);
  std::vector<SourceFrame> build();

private:
  SourceFrame makeFrame(const StackFrame &frame);
  std::string getName(llvm::ArrayRef<llvm::StringRef> names, uint32_t number);
  void breakCycles();

  LossList &losses;
  MemoryBudget &budget;
  std::vector<llvm::StringRef> files;
  std::vector<llvm::StringRef> functions;
  std::vector<FileLocation> locations;
  std::vector<StackFrame> frames;
};

void FrameTable::read(pbf_reader reader) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(1):
      charge(budget, sizeof(llvm::StringRef));
      files.push_back(toRef(reader.get_view()));
      break;
    case bytesField(2):
      charge(budget, sizeof(llvm::StringRef));
      functions.push_back(toRef(reader.get_view()));
      break;
    case bytesField(3): {
      charge(budget, sizeof(FileLocation));
      FileLocation &at = locations.emplace_back();
      uint32_t *fields[] = {&at.file,   &at.function, &at.line,
                            &at.column, &at.endLine,  &at.endColumn};
      readNumbers(reader.get_message(), fields);
      break;
    }
    case bytesField(4): {
      charge(budget, sizeof(StackFrame) + sizeof(SourceFrame));
      StackFrame &frame = frames.emplace_back();
      uint32_t *fields[] = {&frame.location, &frame.parent};
      readNumbers(reader.get_message(), fields);
      break;
    }
    default:
      reader.skip();
    }
  }
}

std::string FrameTable::getName(llvm::ArrayRef<llvm::StringRef> names,
                                uint32_t number) {
  if (number == 0)
    return "";
  if (number > names.size()) {
    losses.add("HLO stack frame refers to a name that does not exist");
    return "";
  }
  llvm::StringRef name = names[number - 1];
  // Every frame repeats names; a hostile file could exhaust the memory that
  // way. Half of the remaining budget is for the rest of the file.
  if (name.size() > budget.getLeft() / 2 || !budget.charge(name.size())) {
    losses.add("name in an HLO stack frame left out: too many bytes of names");
    return "";
  }
  return name.str();
}

SourceFrame FrameTable::makeFrame(const StackFrame &frame) {
  SourceFrame result;
  result.parent = frame.parent;
  if (frame.location == 0 || frame.location > locations.size()) {
    losses.add("HLO stack frame without a location");
    return result;
  }
  const FileLocation &at = locations[frame.location - 1];
  result.file = getName(files, at.file);
  result.function = getName(functions, at.function);
  result.line = at.line;
  result.column = at.column;
  result.endLine = at.endLine;
  result.endColumn = at.endColumn;
  return result;
}

/// Makes the parents a forest, so that following them terminates.
void FrameTable::breakCycles() {
  // 0 is unseen, 1 on the current chain, 2 known to end.
  std::vector<uint8_t> state(frames.size() + 1, 0);
  state[0] = 2;
  std::vector<uint32_t> chain;
  for (uint32_t start = 1; start <= frames.size(); ++start) {
    for (uint32_t at = start; state[at] != 2;) {
      state[at] = 1;
      chain.push_back(at);
      uint32_t &parent = frames[at - 1].parent;
      if (parent > frames.size() || state[parent] == 1) {
        losses.add("HLO stack frame with an impossible parent");
        parent = 0;
      }
      at = parent;
    }
    for (uint32_t at : chain)
      state[at] = 2;
    chain.clear();
  }
}

std::vector<SourceFrame> FrameTable::build() {
  breakCycles();
  std::vector<SourceFrame> result;
  result.reserve(frames.size());
  for (const StackFrame &frame : frames)
    result.push_back(makeFrame(frame));
  return result;
}

} // namespace

std::vector<SourceFrame> importer::readStackFrames(pbf_reader reader,
                                                   LossList &losses,
                                                   MemoryBudget &budget) {
  FrameTable table(losses, budget);
  table.read(reader);
  return table.build();
}
