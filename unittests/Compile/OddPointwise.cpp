//===- OddPointwise.cpp - Reductions, pointwise ops and data movement -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OddModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::test;

static const std::vector<int64_t> kSizes = {1, 2, 5, 8, 16, 31, 77};

/// "d0, d1, ..." of the dimensions of `rank` that are in `mask`, in `order`.
static std::string listDims(const std::vector<unsigned> &order, unsigned mask) {
  std::vector<std::string> names;
  for (unsigned dim : order)
    if (mask >> dim & 1)
      names.push_back("d" + std::to_string(dim));
  return llvm::join(names, ", ");
}

static std::vector<unsigned> pickShape(OddWriter &writer, unsigned rank) {
  std::vector<unsigned> shape;
  for (unsigned i = 0; i < rank; ++i)
    shape.push_back(writer.addDim(
        i + 1 == rank && writer.draw(6) == 0 ? 1000 : writer.pick(kSizes),
        writer.draw(4) == 0));
  return shape;
}

static std::vector<unsigned> pickOrder(OddWriter &writer, unsigned rank) {
  std::vector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = i;
  for (unsigned i = rank; i > 1; --i)
    std::swap(order[i - 1], order[writer.draw(i)]);
  return order;
}

static std::vector<unsigned> select(const std::vector<unsigned> &shape,
                                    const std::vector<unsigned> &order,
                                    unsigned mask) {
  std::vector<unsigned> selected;
  for (unsigned dim : order)
    if (mask >> dim & 1)
      selected.push_back(shape[dim]);
  return selected;
}

void test::writeReduction(OddWriter &writer) {
  unsigned rank = 1 + writer.draw(3), all = (1u << rank) - 1;
  std::vector<unsigned> shape = pickShape(writer, rank);
  unsigned kept = writer.draw(all); // Never all.
  std::vector<unsigned> read = pickOrder(writer, rank),
                        stored = pickOrder(writer, rank);
  struct Kind {
    std::string element, op, start;
  };
  auto kind = writer.pick<Kind>({{"f32", "addf", "0.0"},
                                 {"f32", "maximumf", "-9.0"},
                                 {"f64", "minimumf", "9.0"},
                                 {"f64", "addf", "1.0"},
                                 {"f16", "maximumf", "-9.0"},
                                 {"bf16", "minimumf", "9.0"},
                                 {"i32", "addi", "3"},
                                 {"i64", "maxsi", "-9"},
                                 {"i8", "xori", "0"},
                                 {"i1", "ori", "false"},
                                 {"i32", "muli", "1"}});
  std::string iterators;
  for (unsigned i = 0; i < rank; ++i)
    iterators += kept >> i & 1 ? 'p' : 'r';
  int64_t low = kind.element == "i1" ? 0 : -3,
          high = kind.element == "i1" ? 2 : 4;
  OddTensor input =
      writer.addArgument(select(shape, read, all), kind.element, low, high);
  std::vector<unsigned> result = select(shape, stored, kept);
  std::string places = listDims(stored, kept);
  if (writer.draw(3) == 0) { // Frameworks' keepdims.
    bool isFirst = writer.flip();
    result.insert(isFirst ? result.begin() : result.end(), writer.addDim(1));
    llvm::StringRef comma = places.empty() ? "" : ", ";
    places = (isFirst ? "0" + comma + places : places + comma + "0").str();
  }
  writer.addResult(writer.addGeneric(
      {input}, writer.addFill(result, kind.element, kind.start),
      {listDims(read, all), places}, iterators,
      "    %r = arith." + kind.op + " %x0, %o : " + kind.element + "\n"));
}

/// Arithmetic on %x0, %x1 and the indices that ends in %r.
static std::string pickLines(OddWriter &writer, const std::string &element,
                             unsigned rank) {
  std::string index = std::to_string(writer.draw(rank));
  std::string type = " : " + element + "\n";
  if (element == "i1")
    return "    %r = arith.xori %x0, %x1" + type;
  if (element[0] == 'i') {
    std::string to = element == "i64" ? "i64" : element;
    return "    %i = linalg.index " + index + " : index\n" +
           "    %j = arith.index_cast %i : index to " + to + "\n" +
           "    %s = arith.addi %x0, %j" + type +
           "    %c = arith.cmpi slt, %s, %x1" + type +
           "    %r = arith.select %c, %s, %x1" + type;
  }
  std::string sum = "    %s = arith.addf %x0, %x1" + type;
  if (element == "f16" || element == "bf16")
    return sum + "    %w = arith.extf %s : " + element + " to f32\n" +
           "    %m = arith.mulf %w, %w : f32\n" +
           "    %r = arith.truncf %m : f32 to " + element + "\n";
  std::string function = writer.pick<std::string>(
      {"exp", "tanh", "erf", "absf", "sin", "cos", "ceil", "log1p", "sqrt",
       "rsqrt", "expm1", "atan"});
  std::string two = "    %q = arith.mulf %s, %s" + type +
                    "    %one = arith.constant 1.0" + type +
                    "    %t = arith.addf %q, %one" + type;
  return sum + two + "    %r = math." + function + " %t" + type;
}

void test::writePointwise(OddWriter &writer) {
  unsigned rank = 1 + writer.draw(4), all = (1u << rank) - 1;
  std::vector<unsigned> shape = pickShape(writer, rank);
  std::string element = writer.pick<std::string>(
      {"f32", "f32", "f32", "f64", "f16", "bf16", "i8", "i32", "i64", "i1"});
  std::vector<unsigned> first = pickOrder(writer, rank),
                        second = pickOrder(writer, rank),
                        stored = pickOrder(writer, rank);
  unsigned mask = writer.draw(all + 1);
  int64_t low = element == "i1" ? 0 : -3, high = element == "i1" ? 2 : 4;
  OddTensor x = writer.addArgument(select(shape, first, all), element, low,
                                   high),
            y = writer.addArgument(select(shape, second, mask), element, low,
                                   high);
  writer.addResult(writer.addGeneric(
      {x, y}, writer.addEmpty(select(shape, stored, all), element),
      {listDims(first, all), listDims(second, mask), listDims(stored, all)},
      std::string(rank, 'p'), pickLines(writer, element, rank)));
}

void test::writeGather(OddWriter &writer) {
  unsigned words = writer.addDim(writer.pick<int64_t>({3, 100})),
           width = writer.addDim(writer.pick(kSizes)),
           count = writer.addDim(writer.pick(kSizes), writer.flip());
  std::string element = writer.pick<std::string>({"f32", "f16", "i64"});
  OddTensor table = writer.addArgument({words, width}, element),
            indices =
                writer.addArgument({count}, "i64", 0, writer.getSize(words));
  OddTensor rows = writer.addGeneric(
      {indices}, writer.addEmpty({count, width}, element), {"d0", "d0, d1"},
      "pp",
      "    %i = arith.index_cast %x0 : i64 to index\n"
      "    %j = linalg.index 1 : index\n"
      "    %r = tensor.extract " +
          table.name + "[%i, %j] : " + writer.getType(table) + "\n");
  writer.addResult(rows);
  // Every other element, and blocks.
  int64_t half = (writer.getSize(width) + 1) / 2;
  unsigned halves = writer.addDim(half);
  writer.addResult(writer.addGeneric({table},
                                     writer.addEmpty({words, halves}, element),
                                     {"d0, d1 * 2", "d0, d1"}, "pp",
                                     "    %r = " + getArith("add", element) +
                                         " %x0, %x0 : " + element + "\n"));
}

void test::writeMovement(OddWriter &writer) {
  unsigned n = writer.addDim(1 + writer.draw(4)),
           h = writer.addDim(writer.pick<int64_t>({3, 9, 16})),
           w = writer.addDim(writer.pick<int64_t>({5, 17, 32}));
  std::string element = writer.pick<std::string>({"f32", "i8", "f64"});
  OddTensor x = writer.addArgument({n, h, w}, element);
  std::string value =
      writer.addConstant(element[0] == 'i' ? "7" : "0.5", element);
  int64_t low = writer.draw(3), high = writer.draw(3);
  OddTensor padded{writer.newName(),
                   {n, h, writer.addDim(writer.getSize(w) + low + high)},
                   element};
  writer.add(
      padded.name + " = tensor.pad " + x.name + " low[0, 0, " +
      std::to_string(low) + "] high[0, 0, " + std::to_string(high) +
      "] {\n  ^bb0(%i: index, %j: index, %k: index):\n    tensor.yield " +
      value + " : " + element + "\n  } : " + writer.getType(x) + " to " +
      writer.getType(padded));
  writer.addResult(padded);
  OddTensor both{
      writer.newName(), {n, writer.addDim(2 * writer.getSize(h)), w}, element};
  writer.add(both.name + " = tensor.concat dim(1) " + x.name + ", " + x.name +
             " : (" + writer.getType(x) + ", " + writer.getType(x) + ") -> " +
             writer.getType(both));
  writer.addResult(both);
  OddTensor flat{writer.newName(),
                 {n, writer.addDim(writer.getSize(h) * writer.getSize(w))},
                 element};
  writer.add(flat.name + " = tensor.collapse_shape " + x.name +
             " [[0], [1, 2]] : " + writer.getType(x) + " into " +
             writer.getType(flat));
  OddTensor slice{writer.newName(),
                  {n, writer.addDim((writer.getSize(flat.dims[1]) - 1) / 2)},
                  element};
  std::string rows = std::to_string(writer.getSize(n)),
              columns = std::to_string(writer.getSize(slice.dims[1]));
  writer.add(slice.name + " = tensor.extract_slice " + flat.name + "[0, 1] [" +
             rows + ", " + columns + "] [1, 2] : " + writer.getType(flat) +
             " to " + writer.getType(slice));
  writer.addResult(slice);
}
