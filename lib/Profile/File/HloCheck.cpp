//===- HloCheck.cpp - Checking an HLO module after reading ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

static std::string at(llvm::StringRef field, size_t index,
                      llvm::StringRef what) {
  return (field + "[" + llvm::Twine(index) + "]: " + what).str();
}

/// Finds a frame that is called from itself, in any number of steps.
static std::string findFrameFault(const HloModule &module) {
  // 0 if unseen, else the frame at which the climb that reached it started.
  std::vector<uint32_t> seen(module.frames.size(), 0);
  for (uint32_t start = 1; start <= module.frames.size(); ++start) {
    uint32_t frame = start;
    while (frame != 0 && seen[frame - 1] == 0) {
      seen[frame - 1] = start;
      frame = module.frames[frame - 1].parent;
    }
    if (frame != 0 && seen[frame - 1] == start)
      return at("frames", start - 1, "the callers of the frame form a cycle");
  }
  return "";
}

/// The first element with the key of an earlier one, or their number. Elements
/// without a key ("" or 0) are not compared.
template <typename Element, typename Key>
static size_t findRepeat(const std::vector<Element> &elements, Key key) {
  std::vector<uint32_t> order(elements.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    int difference = key(elements[a]) < key(elements[b])   ? -1
                     : key(elements[b]) < key(elements[a]) ? 1
                                                           : 0;
    return difference ? difference < 0 : a < b;
  });
  const decltype(key(elements[0])) none = {};
  size_t first = elements.size();
  for (size_t i = 1; i < order.size(); ++i)
    if (key(elements[order[i]]) == key(elements[order[i - 1]]) &&
        key(elements[order[i]]) != none)
      first = std::min<size_t>(first, order[i]);
  return first;
}

/// Events and operands refer to instructions by name and by id.
template <typename Element>
static std::string findRepeats(const std::vector<Element> &elements,
                               llvm::StringRef field) {
  size_t repeat = findRepeat(
      elements, [](const Element &e) { return llvm::StringRef(e.name); });
  if (repeat != elements.size())
    return at(field, repeat, "the same name occurs before it");
  repeat = findRepeat(elements, [](const Element &e) { return e.id; });
  if (repeat != elements.size())
    return at(field, repeat, "the same id occurs before it");
  return "";
}

/// Computations are consecutive; the instructions of each refer to it, and its
/// root is among them. Readers ignore operands that the module does not
/// contain.
static std::string findPartFault(const HloModule &module) {
  uint64_t next = 0;
  bool hasEntry = module.entryComputationId == 0;
  for (const auto &[index, part] : llvm::enumerate(module.computations)) {
    if (part.firstInstruction != next)
      return at(
          "computations", index,
          "its instructions do not follow those of the computation before it");
    llvm::ArrayRef<HloInstruction> own =
        llvm::ArrayRef(module.instructions).slice(next, part.size);
    for (const HloInstruction &instruction : own)
      if (instruction.computation != index)
        return at("instructions", &instruction - module.instructions.data(),
                  "another computation contains it");
    auto isRoot = [&, id = part.rootId](const HloInstruction &instruction) {
      return instruction.id == id;
    };
    if (part.rootId != 0 && llvm::none_of(own, isRoot))
      return at("computations", index, "its root is not in it");
    next += part.size;
    hasEntry |= part.id == module.entryComputationId;
  }
  if (next != module.instructions.size())
    return at("instructions", next, "no computation contains it");
  return hasEntry ? "" : "entry_computation_id: the module does not have it";
}

static bool hasRightSizes(const HloShape &shape) {
  return llvm::all_of(shape.dimensions, HloShape::isSize) &&
         llvm::all_of(shape.tuple, hasRightSizes);
}

std::string schema::findHloFault(const HloModule &module) {
  std::string fault = findFrameFault(module);
  if (fault.empty())
    fault = findRepeats(module.computations, "computations");
  if (fault.empty())
    fault = findRepeats(module.instructions, "instructions");
  if (fault.empty())
    fault = findPartFault(module);
  for (size_t i = 0; fault.empty() && i != module.instructions.size(); ++i)
    if (!hasRightSizes(module.instructions[i].shape))
      fault = at("instructions", i, "its shape has a negative size");
  return fault;
}
