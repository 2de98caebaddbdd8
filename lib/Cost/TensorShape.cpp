//===- TensorShape.cpp - Dimensions of tensors of any dialect -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/TensorShape.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using llvm::StringRef;

bool cost::getTensorShape(mlir::Type type, std::vector<int64_t> &shape) {
  if (auto shaped = llvm::dyn_cast<mlir::RankedTensorType>(type)) {
    for (int64_t size : shaped.getShape())
      shape.push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
    return true;
  }
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef rest = text;
  if (!rest.contains("tensor<["))
    return false;
  rest = rest.split("tensor<[").second.split(']').first;
  while (!rest.empty()) {
    auto [size, more] = rest.split(',');
    int64_t value = -1;
    if (size.trim().getAsInteger(10, value))
      value = -1;
    shape.push_back(value);
    rest = more;
  }
  return true;
}
