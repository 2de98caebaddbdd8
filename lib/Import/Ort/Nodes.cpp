//===- Nodes.cpp - Nodes executed by ONNX Runtime -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::ort;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Limit on nested graphs that are distinguished; models have two or three.
static constexpr size_t kMostCallers = 16;

uint32_t Nodes::add(NodeInfo info) {
  std::string text;
  for (const std::string *part : {&info.name, &info.type, &info.shapes})
    text += std::to_string(part->size()) + '/' + *part;
  text += info.kernel;
  auto [it, isNew] = infoByText.try_emplace(text, uint32_t(infos.size()));
  if (isNew)
    infos.push_back(std::move(info));
  return it->second;
}

std::string ort::readShapes(llvm::StringRef text) {
  std::string shapes;
  // Between the braces are the name of a type and the brackets.
  bool isQuoted = false;
  for (char c : text) {
    isQuoted ^= c == '"';
    bool isShape =
        c == '[' || c == ']' || c == ',' || c == '-' || (c >= '0' && c <= '9');
    if (isShape && !isQuoted)
      shapes += c;
  }
  return shapes;
}

/// The dimensions in "[[2,3]]"; none if there are no shapes, or several.
static std::optional<llvm::SmallVector<StringRef>> getOnly(StringRef shapes) {
  llvm::SmallVector<StringRef> dimensions;
  if (!shapes.consume_front("[[") || !shapes.consume_back("]]") ||
      shapes.empty() || shapes.contains(']'))
    return std::nullopt;
  shapes.split(dimensions, ',');
  return dimensions;
}

std::string ort::addPackedWeights(StringRef type, std::string inputs,
                                  StringRef outputs) {
  // A bias would also determine the columns.
  bool isProduct = type == "MatMul" || type == "FusedMatMul" ||
                   type == "Gemm" || type == "FusedGemm";
  if (!isProduct)
    return inputs;
  auto left = getOnly(inputs), result = getOnly(outputs);
  // The dimensions that are not summed over are those of the result; otherwise
  // the left operand is transposed.
  if (!left || !result ||
      llvm::ArrayRef(*left).drop_back() != llvm::ArrayRef(*result).drop_back())
    return inputs;
  return llvm::formatv("{0},[{1},{2}]]", StringRef(inputs).drop_back(),
                       left->back(), result->back());
}

uint32_t Nodes::getOp(uint32_t caller, uint32_t info) {
  auto [it, isNew] = ops.try_emplace({caller, info}, kNone);
  if (!isNew)
    return it->second;
  const NodeInfo &node = infos[info];
  OpKey key;
  auto &details = key.make<OnnxNodeKey>();
  key.op = node.name;
  if (caller != kNone) {
    key.op = paths[caller] + "/" + node.name;
    details.callers = callersWithin[caller];
  }
  key.kernel = node.kernel.empty() ? node.type : node.kernel;
  details.shapes = InputShapes::parse(node.shapes);
  std::string path = key.op;
  std::vector<std::string> within = details.callers;
  within.push_back(node.name);
  it->second = builder.addOpKey(std::move(key));
  paths.try_emplace(it->second, std::move(path));
  callersWithin.try_emplace(it->second, std::move(within));
  return it->second;
}

uint32_t Nodes::begin(uint32_t track, int64_t beginPs, int64_t endPs,
                      uint32_t info) {
  if (info == 0)
    return kNone;
  if (open.size() <= track)
    open.resize(size_t(track) + 1);
  std::vector<Open> &stack = open[track];
  while (!stack.empty() && stack.back().endPs <= beginPs)
    stack.pop_back();
  // Times are whole microseconds: a node without duration that begins together
  // with another one ran before it, not in it.
  uint32_t caller = kNone;
  for (const Open &node : llvm::reverse(stack))
    if (node.beginPs < beginPs && endPs <= node.endPs) {
      caller = node.op;
      break;
    }
  if (caller != kNone && callersWithin[caller].size() > kMostCallers)
    caller = kNone;
  uint32_t op = getOp(caller, info);
  if (endPs > beginPs && stack.size() < kMostCallers)
    stack.push_back({beginPs, endPs, op});
  return op;
}

uint32_t Nodes::getKernel(uint32_t info) {
  return info == 0 ? kNone : getOp(kNone, info);
}
