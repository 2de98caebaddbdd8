//===- InputShapes.h - Shapes of an op's inputs -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_INPUTSHAPES_H
#define MLIR_PROF_PROFILE_INPUTSHAPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace mlirprof::profile {

/// One input of an op: a tensor, a scalar (no sizes), or a list of inputs.
struct InputShape {
  std::vector<int64_t> sizes;
  /// For a list; `sizes` is empty then.
  std::vector<InputShape> elements;

  auto tie() const { return std::tie(sizes, elements); }
};

/// The shapes of an op's inputs, as far as its recording contains them.
class InputShapes {
public:
  InputShapes() = default;
  /// Inputs that are all tensors.
  explicit InputShapes(std::vector<std::vector<int64_t>> tensors);

  /// Reads "[[256,512],[]]", the form in files: numbers within lists, without
  /// spaces. Other text is kept unchanged, without shapes; "" means unknown.
  static InputShapes parse(llvm::StringRef text);
  /// The inverse of parse().
  std::string print() const;

  /// Whether the recording does not describe the inputs.
  bool empty() const { return !isKnown && other.empty(); }
  llvm::ArrayRef<InputShape> getInputs() const { return inputs; }
  /// The sizes of the inputs that are tensors of at least `leastRank`
  /// dimensions, in order.
  std::vector<std::vector<int64_t>> getTensors(size_t leastRank = 1) const;

  auto tie() const { return std::tie(inputs, isKnown, other); }

private:
  std::vector<InputShape> inputs;
  /// Distinguishes an op known not to have inputs from unknown inputs.
  bool isKnown = false;
  /// Text that is not a list of shapes.
  std::string other;
};

inline bool operator==(const InputShape &a, const InputShape &b) {
  return a.tie() == b.tie();
}
inline bool operator<(const InputShape &a, const InputShape &b) {
  return a.tie() < b.tie();
}
inline bool operator==(const InputShapes &a, const InputShapes &b) {
  return a.tie() == b.tie();
}
inline bool operator<(const InputShapes &a, const InputShapes &b) {
  return a.tie() < b.tie();
}

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_INPUTSHAPES_H
