//===- HloReader.cpp - Reads HLO protos -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/HloReader.h"
#include "../Common/Wire.h"
#include "HloFrames.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseSet.h"

#include <unordered_set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using pbf_reader = mlirprof::ProtoReader;
using protozero::pbf_wire_type;

namespace {

/// Limit on nested tuples; compilers do not create deeper ones.
constexpr unsigned kMaxShapeDepth = 32;

class HloReader {
public:
  HloReader(HloModule &module, LossList &losses, MemoryBudget &budget,
            const char *&position)
      : module(module), losses(losses), budget(budget), position(position) {}

  void read(pbf_reader reader);

private:
  void readModule(pbf_reader reader);
  void readComputation(pbf_reader reader);
  void readInstruction(pbf_reader reader, HloInstruction &instruction);
  void readMetadata(pbf_reader reader, HloInstruction &instruction);
  void readShape(pbf_reader reader, HloShape &shape, unsigned depth);
  void readDotDimensions(pbf_reader reader, HloInstruction &instruction);
  void readIntegers(pbf_reader &reader, std::vector<int64_t> &into);
  std::string readString(pbf_reader &reader) {
    return toRef(reader.get_view()).str();
  }
  void checkFrames();
  void checkSizes(HloShape &shape);
  void checkReferences();
  template <typename Element>
  void makeUnique(std::vector<Element> &elements, llvm::StringRef what);

  HloModule &module;
  LossList &losses;
  MemoryBudget &budget;
  const char *&position;
};

/// A repeated integer: packed, or one by one.
void HloReader::readIntegers(pbf_reader &reader, std::vector<int64_t> &into) {
  if (reader.wire_type() == pbf_wire_type::varint) {
    charge(budget, sizeof(int64_t));
    into.push_back(reader.get_int64());
  } else if (reader.wire_type() == pbf_wire_type::length_delimited) {
    for (int64_t value : reader.get_packed_int64()) {
      charge(budget, sizeof(int64_t));
      into.push_back(value);
    }
  } else {
    losses.add("field of an HLO proto with an unexpected type");
    reader.skip();
  }
}

void HloReader::readShape(pbf_reader reader, HloShape &shape, unsigned depth) {
  while (reader.next()) {
    switch (reader.tag()) {
    case 2:
      if (reader.wire_type() == pbf_wire_type::varint)
        shape.elementType = reader.get_uint32();
      else
        reader.skip();
      break;
    case 3:
      readIntegers(reader, shape.dimensions);
      break;
    case 4:
      if (reader.wire_type() != pbf_wire_type::length_delimited) {
        reader.skip();
      } else if (depth == kMaxShapeDepth) {
        losses.add("HLO shape nested too deeply");
        reader.skip();
      } else {
        charge(budget, sizeof(HloShape));
        readShape(reader.get_message(), shape.tuple.emplace_back(), depth + 1);
      }
      break;
    default:
      reader.skip();
    }
  }
}

void HloReader::readMetadata(pbf_reader reader, HloInstruction &instruction) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(1):
      instruction.opType = readString(reader);
      break;
    case bytesField(2):
      instruction.opName = readString(reader);
      break;
    case bytesField(3):
      instruction.sourceFile = readString(reader);
      break;
    case varintField(4):
      instruction.sourceLine = reader.get_uint32();
      break;
    case varintField(15):
      instruction.frame = reader.get_uint32();
      break;
    default:
      reader.skip();
    }
  }
}

void HloReader::readDotDimensions(pbf_reader reader,
                                  HloInstruction &instruction) {
  while (reader.next()) {
    if (reader.tag() == 1)
      readIntegers(reader, instruction.lhsContractingDimensions);
    else
      reader.skip();
  }
}

void HloReader::readInstruction(pbf_reader reader,
                                HloInstruction &instruction) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(1):
      instruction.name = readString(reader);
      break;
    case bytesField(2):
      instruction.opcode = readString(reader);
      break;
    case bytesField(3):
      readShape(reader.get_message(), instruction.shape, 0);
      break;
    case bytesField(7):
      readMetadata(reader.get_message(), instruction);
      break;
    case varintField(9):
      instruction.parameterNumber = reader.get_int64();
      break;
    case bytesField(11):
      instruction.fusionKind = readString(reader);
      break;
    case bytesField(28):
      instruction.customCallTarget = readString(reader);
      break;
    case bytesField(30):
      readDotDimensions(reader.get_message(), instruction);
      break;
    case varintField(35):
      instruction.id = reader.get_int64();
      break;
    case bytesField(36):
    case varintField(36):
      readIntegers(reader, instruction.operandIds);
      break;
    case bytesField(38):
    case varintField(38):
      readIntegers(reader, instruction.calledComputationIds);
      break;
    default:
      reader.skip();
    }
  }
}

void HloReader::readComputation(pbf_reader reader) {
  charge(budget, sizeof(HloComputation));
  HloComputation computation;
  computation.firstInstruction = uint32_t(module.instructions.size());
  while (position = reader.data().data(), reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(1):
      computation.name = readString(reader);
      break;
    case bytesField(2): {
      charge(budget, sizeof(HloInstruction));
      HloInstruction &instruction = module.instructions.emplace_back();
      instruction.computation = uint32_t(module.computations.size());
      readInstruction(reader.get_message(), instruction);
      break;
    }
    case varintField(5):
      computation.id = reader.get_int64();
      break;
    case varintField(6):
      computation.rootId = reader.get_int64();
      break;
    case varintField(7):
      computation.isFusion = reader.get_uint64() != 0;
      break;
    default:
      reader.skip();
    }
  }
  computation.size =
      uint32_t(module.instructions.size()) - computation.firstInstruction;
  module.computations.push_back(std::move(computation));
}

void HloReader::readModule(pbf_reader reader) {
  while (position = reader.data().data(), reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(1):
      module.name = readString(reader);
      break;
    case bytesField(2):
      module.entryComputationName = readString(reader);
      break;
    case bytesField(3):
      readComputation(reader.get_message());
      break;
    case varintField(5):
      module.id = reader.get_int64();
      break;
    case varintField(6):
      module.entryComputationId = reader.get_int64();
      break;
    case bytesField(17):
      module.frames = readStackFrames(reader.get_message(), losses, budget);
      break;
    default:
      reader.skip();
    }
  }
}

void HloReader::checkFrames() {
  for (HloInstruction &instruction : module.instructions) {
    if (instruction.frame <= module.frames.size())
      continue;
    losses.add("HLO instruction refers to a stack frame that does not exist");
    instruction.frame = 0;
  }
}

void HloReader::checkSizes(HloShape &shape) {
  for (int64_t &dimension : shape.dimensions) {
    if (HloShape::isSize(dimension))
      continue;
    losses.add("HLO shape with a negative size, treated as dynamic");
    dimension = -1;
  }
  for (HloShape &element : shape.tuple)
    checkSizes(element);
}

/// If several elements share a name and an id, the first one keeps them, as in
/// look-ups.
template <typename Element>
void HloReader::makeUnique(std::vector<Element> &elements,
                           llvm::StringRef what) {
  llvm::DenseSet<llvm::CachedHashStringRef> names;
  // Not DenseSet: hostile ids may equal its reserved keys.
  std::unordered_set<int64_t> ids;
  for (Element &element : elements) {
    if (!element.name.empty() &&
        !names.insert(llvm::CachedHashStringRef(element.name)).second) {
      losses.add(("HLO " + what + " whose name another one has").str());
      element.name.clear();
    }
    if (element.id != 0 && !ids.insert(element.id).second) {
      losses.add(("HLO " + what + " whose id another one has").str());
      element.id = 0;
    }
  }
}

/// Drops references to missing roots and a missing entry.
void HloReader::checkReferences() {
  bool hasEntry = module.entryComputationId == 0;
  for (HloComputation &computation : module.computations) {
    hasEntry |= computation.id == module.entryComputationId;
    llvm::ArrayRef<HloInstruction> own =
        llvm::ArrayRef(module.instructions)
            .slice(computation.firstInstruction, computation.size);
    if (computation.rootId == 0 ||
        llvm::any_of(own, [&](const HloInstruction &instruction) {
          return instruction.id == computation.rootId;
        }))
      continue;
    losses.add("HLO computation whose root is not in it");
    computation.rootId = 0;
  }
  if (hasEntry)
    return;
  losses.add("HLO module without the computation that is its entry");
  module.entryComputationId = 0;
}

void HloReader::read(pbf_reader reader) {
  bool hasModule = false;
  while (position = reader.data().data(), reader.next()) {
    if (reader.tag_and_type() == bytesField(1)) {
      hasModule = true;
      readModule(reader.get_message());
    } else {
      reader.skip();
    }
  }
  if (!hasModule)
    losses.add("HLO proto without a module");
  checkFrames();
  for (HloInstruction &instruction : module.instructions)
    checkSizes(instruction.shape);
  makeUnique(module.computations, "computation");
  makeUnique(module.instructions, "instruction");
  checkReferences();
}

} // namespace

llvm::Error importer::readHloProto(llvm::StringRef bytes, llvm::StringRef where,
                                   HloModule &module, LossList &losses,
                                   MemoryBudget *shared) {
  MemoryBudget own = makeHloBudget(bytes.size());
  MemoryBudget &budget = shared ? *shared : own;
  const char *position = bytes.data();
  return catchWireErrors(bytes, where, position, [&] {
    HloReader(module, losses, budget, position)
        .read(pbf_reader(bytes.data(), bytes.size()));
    return llvm::Error::success();
  });
}
