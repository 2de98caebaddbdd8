//===- KernelNames.h - Facts in names of kernels ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_KERNELNAMES_H
#define MLIR_PROF_LIB_MATCH_TORCH_KERNELNAMES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlirprof::match {

/// The first matrix of a product, in the column-major order of cuBLAS: the
/// weights of a layer are transposed.
enum class ProductLayout : uint8_t { Unknown, Plain, Transposed };

/// Facts that libraries write into the names of their kernels.
class KernelName {
public:
  explicit KernelName(llvm::StringRef name);

  /// Whether it multiplies matrices.
  bool isProduct() const;
  ProductLayout getLayout() const;
  /// Whether it finishes what the kernel before it began: it adds the parts of
  /// a product whose inner dimension was split.
  bool isContinuation() const;
  /// Whether it only moves or converts numbers, or sets them to 0.
  bool isPreparation() const;
  /// Whether it can compute an op of the framework with the plain name `op`
  /// (getPlainName).
  bool mayCompute(llvm::StringRef op) const;

private:
  bool has(llvm::StringRef word) const {
    return llvm::StringRef(plain).contains(word);
  }

  /// In lower case, and that without underscores.
  std::string lower;
  std::string plain;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_KERNELNAMES_H
