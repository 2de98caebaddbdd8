//===- OddModel.cpp - Models of odd shapes and types ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OddModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::test;

static bool isFloat(llvm::StringRef element) {
  return !element.starts_with("i");
}

std::string test::getZero(const std::string &element) {
  return element == "i1" ? "false" : isFloat(element) ? "0.0" : "0";
}

std::string test::getArith(const std::string &op, const std::string &element) {
  return "arith." + op + (isFloat(element) ? "f" : "i");
}

uint32_t OddWriter::draw(uint32_t count) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % count;
}

unsigned OddWriter::addDim(int64_t size, bool isDynamic) {
  dims.push_back({size, isDynamic, ""});
  return dims.size() - 1;
}

TypedTensor OddWriter::drawValues(const OddTensor &tensor, int64_t low,
                                  int64_t high) {
  TypedTensor data;
  data.element = tensor.element;
  int64_t count = 1;
  for (unsigned dim : tensor.dims) {
    data.shape.push_back(getSize(dim));
    count *= getSize(dim);
  }
  bool isHalf = data.element == "f16" || data.element == "bf16";
  for (int64_t i = 0; i < count; ++i)
    data.values.push_back(isFloat(data.element)
                              ? isHalf ? double(draw(3)) - 1
                                       : double(draw(128)) / 64 - 1
                              : double(low + draw(high - low)));
  return data;
}

/// The elements from `next` on of dimension `dim` and those after it.
static std::string listValues(const TypedTensor &data, size_t dim,
                              const double *&next) {
  if (dim == data.shape.size())
    return llvm::formatv(isFloat(data.element) ? "{0:f6}" : "{0:f0}", *next++)
        .str();
  std::vector<std::string> parts;
  for (int64_t i = 0; i < data.shape[dim]; ++i)
    parts.push_back(listValues(data, dim + 1, next));
  return "[" + llvm::join(parts, ", ") + "]";
}

OddTensor OddWriter::addWeights(std::vector<unsigned> shape,
                                std::string element, int64_t low,
                                int64_t high) {
  OddTensor tensor{"", std::move(shape), std::move(element)};
  TypedTensor data = drawValues(tensor, low, high);
  const double *next = data.values.data();
  tensor.name =
      addConstant("dense<" + listValues(data, 0, next) + ">", getType(tensor));
  return tensor;
}

OddTensor OddWriter::addArgument(std::vector<unsigned> shape,
                                 std::string element, int64_t low,
                                 int64_t high) {
  OddTensor tensor{"%a" + std::to_string(arguments.size()), std::move(shape),
                   std::move(element)};
  arguments.push_back(drawValues(tensor, low, high));
  for (auto [index, dim] : llvm::enumerate(tensor.dims)) {
    if (!dims[dim].isDynamic || !dims[dim].name.empty())
      continue;
    dims[dim].name = "%n" + std::to_string(dim);
    std::string at = addConstant(std::to_string(index), "index");
    add(dims[dim].name + " = tensor.dim " + tensor.name + ", " + at + " : " +
        getType(tensor));
  }
  head += (head.empty() ? "" : ", ") + tensor.name + ": " + getType(tensor);
  return tensor;
}

std::string OddWriter::getType(const OddTensor &tensor) const {
  std::string type = "tensor<";
  for (unsigned dim : tensor.dims)
    type += (isDynamic(dim) ? "?" : std::to_string(getSize(dim))) + "x";
  return type + tensor.element + ">";
}

std::string OddWriter::addConstant(const std::string &value,
                                   const std::string &type) {
  std::string name = newName();
  add(name + " = arith.constant " + value + (type == "i1" ? "" : " : " + type));
  return name;
}

OddTensor OddWriter::addEmpty(std::vector<unsigned> shape,
                              std::string element) {
  OddTensor tensor{newName(), std::move(shape), std::move(element)};
  std::vector<std::string> sizes;
  for (unsigned dim : tensor.dims)
    if (isDynamic(dim))
      sizes.push_back(dims[dim].name);
  add(tensor.name + " = tensor.empty(" + llvm::join(sizes, ", ") +
      ") : " + getType(tensor));
  return tensor;
}

OddTensor OddWriter::addFill(std::vector<unsigned> shape, std::string element,
                             const std::string &value) {
  std::string scalar = addConstant(value, element);
  OddTensor empty = addEmpty(std::move(shape), std::move(element));
  OddTensor tensor = empty;
  tensor.name = newName();
  std::string type = getType(tensor);
  add(tensor.name + " = linalg.fill ins(" + scalar + " : " + tensor.element +
      ") outs(" + empty.name + " : " + type + ") -> " + type);
  return tensor;
}

static std::string listOperands(const OddWriter &writer,
                                const std::vector<OddTensor> &tensors) {
  std::vector<std::string> names, types;
  for (const OddTensor &tensor : tensors) {
    names.push_back(tensor.name);
    types.push_back(writer.getType(tensor));
  }
  return "(" + llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + ")";
}

OddTensor OddWriter::addGeneric(const std::vector<OddTensor> &inputs,
                                const OddTensor &init, const OddMaps &maps,
                                const std::string &iterators,
                                const std::string &lines) {
  std::vector<std::string> loops, kinds, full, block;
  for (auto [index, kind] : llvm::enumerate(iterators)) {
    loops.push_back("d" + std::to_string(index));
    kinds.push_back(kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  }
  for (const std::string &map : maps)
    full.push_back("affine_map<(" + llvm::join(loops, ", ") + ") -> (" + map +
                   ")>");
  for (auto [index, input] : llvm::enumerate(inputs))
    block.push_back("%x" + std::to_string(index) + ": " + input.element);
  block.push_back("%o: " + init.element);
  OddTensor result = init;
  result.name = newName();
  std::string ins = inputs.empty() ? "" : " ins" + listOperands(*this, inputs);
  add(result.name + " = linalg.generic {indexing_maps = [" +
      llvm::join(full, ", ") + "], iterator_types = [" +
      llvm::join(kinds, ", ") + "]}" + ins + " outs" +
      listOperands(*this, {init}) + " {\n  ^bb0(" + llvm::join(block, ", ") +
      "):\n" + lines + "    linalg.yield %r : " + init.element + "\n  } -> " +
      getType(result));
  return result;
}

OddTensor OddWriter::addNamed(const std::string &op,
                              const std::vector<OddTensor> &inputs,
                              const OddTensor &init) {
  OddTensor result = init;
  result.name = newName();
  add(result.name + " = linalg." + op + " ins" + listOperands(*this, inputs) +
      " outs" + listOperands(*this, {init}) + " -> " + getType(result));
  return result;
}

OddModel OddWriter::finish() {
  OddModel model;
  std::vector<std::string> names, types;
  for (const OddTensor &tensor : results) {
    names.push_back(tensor.name);
    types.push_back(getType(tensor));
  }
  model.text = "func.func @main(" + head + ") -> (" + llvm::join(types, ", ") +
               ") {\n" + body + "  return " + llvm::join(names, ", ") + " : " +
               llvm::join(types, ", ") + "\n}\n";
  model.arguments = std::move(arguments);
  return model;
}
