//===- HloProducts.h - Products of a program and of a module ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLOPRODUCTS_H
#define MLIR_PROF_LIB_MATCH_HLO_HLOPRODUCTS_H

#include "HloMatcher.h"

#include <tuple>
#include <vector>

namespace mlirprof::match {

/// Elements of a product's result and factors, the smaller factor first; 0 if
/// unknown. A convolution only has its kernel: pads may be folded into it.
struct ProductSizes {
  uint64_t result = 0, first = 0, second = 0;

  bool operator<(const ProductSizes &other) const {
    return std::tie(result, first, second) <
           std::tie(other.result, other.first, other.second);
  }
  bool isKnown() const { return result && first; }
  bool agrees(const ProductSizes &other) const {
    auto isSame = [](uint64_t a, uint64_t b) { return !a || !b || a == b; };
    return isSame(result, other.result) && isSame(first, other.first) &&
           isSame(second, other.second);
  }
};

/// A product on either side.
struct HloProduct {
  uint32_t item = 0;
  uint32_t place = 0;
  ProductSizes sizes;
  llvm::SmallVector<uint32_t, 2> labels;
  /// XLA rewrites some products and leaves them without a name.
  bool isNameless = false;
  /// For a product without a name: the names of reshapes of its result.
  std::vector<std::string> namesBehind;
};

/// Whether it is a matrix product or a convolution.
bool isProduct(const profile::HloInstruction &instruction);

ProductSizes getProductSizes(mlir::Operation *op);
/// Those of the whole product, if the instruction computes parts that another
/// adds up.
ProductSizes getProductSizes(const HloProgram &program,
                             const profile::HloInstruction &instruction);

/// The sizes of the products that the compiler merged into `product`; empty if
/// it is one.
std::vector<ProductSizes>
getMergedSizes(const HloProgram &program,
               const profile::HloInstruction &product);

/// Elements of an array, or of the first array of a tuple; 0 if unknown.
uint64_t countElementsOf(const profile::HloShape &shape);
/// Whether an instruction only passes data on, and parts of a product on the
/// way to where they are added up.
bool passesParts(const profile::HloInstruction &instruction);

/// If `instruction` adds up the parts of a product whose sum the compiler split
/// (split-K), the cost of that; else 0.
uint64_t getSumCost(const HloProgram &program,
                    const profile::HloInstruction &instruction);

/// The number of matrix products and convolutions of the module.
uint32_t countProducts(const module::ModuleIndex &index);

/// Whether each product of the program is matched with one op, a product of its
/// sizes, and each of the module's `products` with one instruction: then there
/// is no evidence that the program was made from another state of the module.
/// Cheap, and true for most programs.
bool areProductsOneToOne(const module::ModuleIndex &index, uint32_t products,
                         const HloProgram &program);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLOPRODUCTS_H
