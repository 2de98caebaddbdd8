//===- KernelNames.cpp - Facts in names of kernels ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelNames.h"
#include "TorchWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlirprof;
using namespace mlirprof::match;
using llvm::StringRef;

namespace {

/// Words in names of kernels, without underscores, by op.
struct Row {
  StringRef ops;
  StringRef words;
};

/// Only for ops whose own names are not in those of their kernels.
const Row kRows[] = {
    // Division by a number multiplies by its reciprocal.
    {"div true_divide", "divfunctor mulfunctor"},
    {"mul", "mulfunctor"},
    {"add sub rsub", "functoradd functorsub"},
    {"relu clamp_min clamp hardtanh", "clamp"},
    {"mean", "meanops"},
    {"sum", "sumfunctor"},
    {"reshape clone contiguous copy to to_copy flatten", "directcopykernel"},
    {"conv1d conv2d conv3d convolution", "fprop conv"},
    {"batch_norm", "bnfw"},
    {"scaled_dot_product_attention", "flashfwd fmha sdpa attention"},
};

std::string withoutUnderscores(StringRef text) {
  std::string plain;
  for (char c : text)
    if (c != '_')
      plain += c;
  return plain;
}

bool isProductName(StringRef op) {
  return llvm::is_contained(getTorchWork(op).own, "dot") &&
         op != "scaled_dot_product_attention";
}

} // namespace

KernelName::KernelName(StringRef name)
    : lower(name.lower()), plain(withoutUnderscores(lower)) {}

bool KernelName::isProduct() const {
  // "nvjet" are cuBLAS's kernels since the H100. Products in convolutions and
  // in attention have other names, too.
  return (has("gemm") || has("nvjet") || has("gemv")) && !has("fprop") &&
         !has("dgrad") && !has("wgrad") && !has("fmha");
}

/// "..._tn_n_tilesize..." of cuBLAS, "..._nn_align1" of CUTLASS, "..._TNT".
ProductLayout KernelName::getLayout() const {
  llvm::SmallVector<StringRef, 32> tokens;
  StringRef(lower).split(tokens, '_', -1, /*KeepEmpty=*/false);
  for (StringRef token : llvm::reverse(tokens)) {
    token = token.take_while([](char c) { return llvm::isAlnum(c); });
    if (token.size() < 2 || token.size() > 3 ||
        token.find_first_not_of("tn") != StringRef::npos)
      continue;
    return token.front() == 't' ? ProductLayout::Transposed
                                : ProductLayout::Plain;
  }
  return ProductLayout::Unknown;
}

bool KernelName::isContinuation() const {
  return has("splitkkernel") || has("splitkreduce");
}

bool KernelName::isPreparation() const {
  return has("directcopykernel") || has("converttensor") || has("nchwtonhwc") ||
         has("nhwctonchw") || StringRef(plain).starts_with("memset") ||
         StringRef(plain).starts_with("memcpy");
}

bool KernelName::mayCompute(StringRef op) const {
  if (isContinuation())
    return false;
  if (isProductName(op))
    return isProduct();
  if (isProduct())
    return false;
  std::string own = withoutUnderscores(op.lower());
  // Shorter names occur by chance.
  if (own.size() >= 3 && !isPreparation() && has(own))
    return true;
  for (const Row &row : kRows) {
    llvm::SmallVector<StringRef, 8> ops, words;
    row.ops.split(ops, ' ');
    row.words.split(words, ' ');
    if (llvm::is_contained(ops, op) &&
        llvm::any_of(words, [&](StringRef word) { return has(word); }))
      return true;
  }
  return false;
}
