//===- OddProducts.cpp - Sums of products of odd shapes -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OddModel.h"

using namespace mlirprof;
using namespace mlirprof::test;

static const std::vector<int64_t> kSizes = {1, 3, 7, 8, 16, 33, 77, 100, 197};

/// %r = %o + %x0 * %x1 in the type of the result.
static std::string getProduct(const std::string &from, const std::string &to) {
  std::string lines, left = "%x0", right = "%x1";
  if (from != to) {
    std::string extend = from[0] == 'i' ? "extsi" : "extf";
    for (std::string *side : {&left, &right}) {
      std::string wide = *side + "w";
      lines += "    " + wide + " = arith." + extend + " " + *side + " : " +
               from + " to " + to + "\n";
      *side = wide;
    }
  }
  lines += "    %p = " + getArith("mul", to) + " " + left + ", " + right +
           " : " + to + "\n";
  return lines + "    %r = " + getArith("add", to) + " %o, %p : " + to + "\n";
}

/// max(x + bias, 0), bias along the last dimension.
static OddTensor addBias(OddWriter &writer, const OddTensor &value,
                         const OddTensor &bias) {
  const std::string &element = value.element;
  std::string all, zero = writer.addConstant(getZero(element), element);
  for (size_t i = 0; i < value.dims.size(); ++i)
    all += (i ? ", d" : "d") + std::to_string(i);
  std::string last = "d" + std::to_string(value.dims.size() - 1);
  std::string most = element[0] == 'i' ? "arith.maxsi" : "arith.maximumf";
  return writer.addGeneric(
      {value, bias}, writer.addEmpty(value.dims, element), {all, last, all},
      std::string(value.dims.size(), 'p'),
      "    %s = " + getArith("add", element) + " %x0, %x1 : " + element +
          "\n    %r = " + most + " %s, " + zero + " : " + element + "\n");
}

void test::writeProduct(OddWriter &writer) {
  using Types = std::pair<std::string, std::string>;
  auto [from, to] = writer.pick<Types>({{"f32", "f32"},
                                        {"f32", "f32"},
                                        {"f64", "f64"},
                                        {"f16", "f16"},
                                        {"bf16", "f32"},
                                        {"i8", "i32"},
                                        {"i32", "i32"}});
  unsigned b = writer.addDim(1 + writer.draw(8), writer.draw(4) == 0);
  unsigned m = writer.addDim(writer.pick(kSizes), writer.draw(3) == 0);
  unsigned n = writer.addDim(writer.pick(kSizes), writer.draw(4) == 0);
  unsigned k = writer.addDim(writer.pick(kSizes), writer.draw(4) == 0);
  bool leftTurned = writer.flip(), rightTurned = writer.flip(),
       isBatched = writer.flip();
  std::vector<unsigned> left = {m, k}, right = {k, n}, out = {m, n};
  OddMaps maps = {"d1, d3", "d3, d2", "d1, d2"};
  if (leftTurned)
    left = {k, m}, maps[0] = "d3, d1";
  if (rightTurned)
    right = {n, k}, maps[1] = "d2, d3";
  // Without a batch the first loop runs once.
  if (!isBatched)
    b = writer.addDim(1);
  left.insert(left.begin(), b);
  out.insert(out.begin(), b);
  maps[0] = "d0, " + maps[0];
  maps[2] = "d0, " + maps[2];
  if (isBatched && writer.flip()) {
    right.insert(right.begin(), b);
    maps[1] = "d0, " + maps[1];
  }
  OddTensor x = writer.addArgument(left, from),
            y = writer.addArgument(right, from),
            bias = writer.addArgument({n}, to);
  OddTensor result =
      writer.addGeneric({x, y}, writer.addFill(out, to, getZero(to)), maps,
                        "pppr", getProduct(from, to));
  if (writer.flip())
    result = addBias(writer, result, bias);
  writer.addResult(result);
}

void test::writeAttention(OddWriter &writer) {
  unsigned heads = writer.addDim(1 + writer.draw(3));
  unsigned rows =
      writer.addDim(writer.pick<int64_t>({1, 7, 33, 77}), writer.flip());
  unsigned keys =
      writer.addDim(writer.pick<int64_t>({5, 33, 100}), writer.draw(3) == 0);
  unsigned size = writer.addDim(writer.pick<int64_t>({8, 20, 64}));
  OddTensor q = writer.addArgument({heads, rows, size}, "f32"),
            k = writer.addArgument({heads, keys, size}, "f32"),
            v = writer.addArgument({heads, keys, size}, "f32");
  std::string product = getProduct("f32", "f32");
  OddTensor scores = writer.addGeneric(
      {q, k}, writer.addFill({heads, rows, keys}, "f32", "0.0"),
      {"d0, d1, d3", "d0, d2, d3", "d0, d1, d2"}, "pppr", product);
  OddTensor weights = scores;
  if (writer.flip()) {
    OddTensor empty = writer.addEmpty(scores.dims, "f32");
    weights.name = writer.newName();
    std::string type = writer.getType(scores);
    writer.add(weights.name + " = linalg.softmax dimension(2) ins(" +
               scores.name + " : " + type + ") outs(" + empty.name + " : " +
               type + ") -> " + type);
  } else {
    OddTensor most = writer.addGeneric(
        {scores}, writer.addFill({heads, rows}, "f32", "-1.0e30"),
        {"d0, d1, d2", "d0, d1"}, "ppr",
        "    %r = arith.maximumf %x0, %o : f32\n");
    OddTensor powers = writer.addGeneric(
        {scores, most}, writer.addEmpty(scores.dims, "f32"),
        {"d0, d1, d2", "d0, d1", "d0, d1, d2"}, "ppp",
        "    %d = arith.subf %x0, %x1 : f32\n    %r = math.exp %d : f32\n");
    OddTensor sums = writer.addGeneric(
        {powers}, writer.addFill({heads, rows}, "f32", "0.0"),
        {"d0, d1, d2", "d0, d1"}, "ppr", "    %r = arith.addf %x0, %o : f32\n");
    weights =
        writer.addGeneric({powers, sums}, writer.addEmpty(scores.dims, "f32"),
                          {"d0, d1, d2", "d0, d1", "d0, d1, d2"}, "ppp",
                          "    %r = arith.divf %x0, %x1 : f32\n");
  }
  writer.addResult(writer.addGeneric(
      {weights, v}, writer.addFill({heads, rows, size}, "f32", "0.0"),
      {"d0, d1, d3", "d0, d3, d2", "d0, d1, d2"}, "pppr", product));
}
