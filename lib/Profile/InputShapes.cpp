//===- InputShapes.cpp - Shapes of an op's inputs -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/InputShapes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using llvm::StringRef;

/// Limit on nested lists, for hostile text.
static constexpr unsigned kMaxDepth = 8;

InputShapes::InputShapes(std::vector<std::vector<int64_t>> tensors)
    : isKnown(true) {
  for (std::vector<int64_t> &sizes : tensors)
    inputs.push_back({std::move(sizes), {}});
}

static bool parseSizes(StringRef &text, std::vector<int64_t> &sizes) {
  do {
    int64_t size;
    if (text.consumeInteger(10, size))
      return false;
    sizes.push_back(size);
  } while (text.consume_front(","));
  return text.consume_front("]");
}

static bool parseList(StringRef &text, std::vector<InputShape> &inputs,
                      unsigned depth) {
  if (depth == kMaxDepth || !text.consume_front("["))
    return false;
  if (text.consume_front("]"))
    return true;
  do {
    InputShape &input = inputs.emplace_back();
    StringRef inside = text.drop_front(text.starts_with("[") ? 1 : 0);
    if (inside.starts_with("[")) {
      if (!parseList(text, input.elements, depth + 1))
        return false;
      continue;
    }
    if (!text.consume_front("[") ||
        (!text.consume_front("]") && !parseSizes(text, input.sizes)))
      return false;
  } while (text.consume_front(","));
  return text.consume_front("]");
}

static void printList(llvm::ArrayRef<InputShape> inputs, std::string &out) {
  out += '[';
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (number)
      out += ',';
    if (!input.elements.empty()) {
      printList(input.elements, out);
      continue;
    }
    out += '[';
    for (auto [at, size] : llvm::enumerate(input.sizes)) {
      if (at)
        out += ',';
      out += std::to_string(size);
    }
    out += ']';
  }
  out += ']';
}

InputShapes InputShapes::parse(StringRef text) {
  InputShapes shapes;
  StringRef rest = text;
  shapes.isKnown = parseList(rest, shapes.inputs, 0) && rest.empty();
  // A number may have leading zeros.
  if (!shapes.isKnown || shapes.print() != text) {
    shapes = InputShapes();
    shapes.other = text.str();
  }
  return shapes;
}

std::string InputShapes::print() const {
  if (!isKnown)
    return other;
  std::string text;
  printList(inputs, text);
  return text;
}

std::vector<std::vector<int64_t>>
InputShapes::getTensors(size_t leastRank) const {
  std::vector<std::vector<int64_t>> tensors;
  for (const InputShape &input : inputs)
    if (input.elements.empty() && input.sizes.size() >= leastRank)
      tensors.push_back(input.sizes);
  return tensors;
}
