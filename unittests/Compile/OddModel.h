//===- OddModel.h - Models of odd shapes and types --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates small models whose sizes do not fit vectors and whose types,
// layouts and dynamic dimensions are drawn from a seed: the same model for the
// same seed, on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_COMPILE_ODDMODEL_H
#define MLIR_PROF_UNITTESTS_COMPILE_ODDMODEL_H

#include "JitModel.h"

#include <string>
#include <vector>

namespace mlirprof::test {

/// A model and the arguments of its call.
struct OddModel {
  std::string text;
  std::vector<TypedTensor> arguments;
};

/// A tensor of the model under construction.
struct OddTensor {
  std::string name;
  /// As returned by OddWriter::addDim.
  std::vector<unsigned> dims;
  std::string element;
};

/// An indexing map's results, as "d0, d2".
using OddMaps = std::vector<std::string>;

class OddWriter {
public:
  explicit OddWriter(uint32_t seed) : state(seed * 2654435761u + 12345) {}

  /// A number in [0, count).
  uint32_t draw(uint32_t count);
  template <typename T>
  T pick(const std::vector<T> &choices) {
    return choices[draw(choices.size())];
  }
  bool flip() { return draw(2) != 0; }

  /// A dimension; the size of a dynamic one is known from the first argument
  /// that has it.
  unsigned addDim(int64_t size, bool isDynamic = false);
  int64_t getSize(unsigned dim) const { return dims[dim].size; }
  /// The size as an operand of slices.
  std::string getSizeText(unsigned dim) const {
    return isDynamic(dim) ? dims[dim].name : std::to_string(getSize(dim));
  }
  bool isDynamic(unsigned dim) const { return dims[dim].isDynamic; }

  /// An argument of random values: integers are in [low, high), floats are in
  /// [-1, 1) in steps of 1/64, halves one of -1, 0 and 1, so that sums and sums
  /// of products are exact, in any order.
  OddTensor addArgument(std::vector<unsigned> shape, std::string element,
                        int64_t low = -3, int64_t high = 4);
  /// A constant with such values, of a static shape.
  OddTensor addWeights(std::vector<unsigned> shape, std::string element,
                       int64_t low = -3, int64_t high = 4);
  std::string getType(const OddTensor &tensor) const;
  /// A line of the body.
  void add(const std::string &line) { body += "  " + line + "\n"; }
  std::string newName() { return "%v" + std::to_string(names++); }
  std::string addConstant(const std::string &value, const std::string &type);
  OddTensor addEmpty(std::vector<unsigned> shape, std::string element);
  /// A tensor full of `value`.
  OddTensor addFill(std::vector<unsigned> shape, std::string element,
                    const std::string &value);
  /// A linalg.generic; the last map is that of `init`, whose element is "%o" in
  /// `lines`, those of the inputs "%x0", "%x1" ... It yields "%r". `iterators`
  /// has a letter, p or r, for each loop.
  OddTensor addGeneric(const std::vector<OddTensor> &inputs,
                       const OddTensor &init, const OddMaps &maps,
                       const std::string &iterators, const std::string &lines);
  /// A named op of linalg: "conv_2d_nhwc_hwcf {...}".
  OddTensor addNamed(const std::string &op,
                     const std::vector<OddTensor> &inputs,
                     const OddTensor &init);
  void addResult(const OddTensor &tensor) { results.push_back(tensor); }

  OddModel finish();

private:
  struct Dim {
    int64_t size;
    bool isDynamic;
    /// The value that holds a dynamic size.
    std::string name;
  };

  TypedTensor drawValues(const OddTensor &tensor, int64_t low, int64_t high);

  uint32_t state;
  unsigned names = 0;
  std::vector<Dim> dims;
  std::string head, body;
  std::vector<TypedTensor> arguments;
  std::vector<OddTensor> results;
};

/// The text of zero in constants of type "f32" and others.
std::string getZero(const std::string &element);
/// "arith.addf" or "arith.addi" for `op` "add".
std::string getArith(const std::string &op, const std::string &element);

/// The kinds of models; each draws from `writer`.
void writeProduct(OddWriter &writer);
void writeAttention(OddWriter &writer);
void writeConvolution(OddWriter &writer);
void writePooling(OddWriter &writer);
void writeTransposed(OddWriter &writer);
void writeReduction(OddWriter &writer);
void writePointwise(OddWriter &writer);
void writeGather(OddWriter &writer);
void writeMovement(OddWriter &writer);
void writeChain(OddWriter &writer);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_COMPILE_ODDMODEL_H
