//===- Inputs.h - Inputs of a model's runs ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_INPUTS_H
#define MLIR_PROF_RECORD_INPUTS_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Support/HostTensor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlirprof::record {

enum class InputKind : uint8_t { Random, Zeros, File };

/// The source of an argument. Arguments without one are random.
struct InputSpec {
  /// Name or position of the argument; empty: the next argument without a
  /// source.
  std::string argument;
  InputKind kind = InputKind::Random;
  uint64_t seed = 0;
  /// Random: the range, low included; for the default see makeArguments.
  std::optional<std::pair<double, double>> range;
  std::string path;
};

/// Dimensions of an argument whose type has dynamic ones.
struct ShapeSpec {
  std::string argument;
  /// One shape, or several that requests use in turn.
  std::vector<std::vector<int64_t>> shapes;
};

/// Reads [NAME=]random[:SEED[:LOW:HIGH]] | zeros | FILE.
llvm::Expected<InputSpec> parseInputSpec(llvm::StringRef text);
/// Reads [NAME=]8x1024[,1x1024...].
llvm::Expected<ShapeSpec> parseShapeSpec(llvm::StringRef text);

/// Makes the arguments of `signature`, one set for each request: with several
/// shapes, as many as the longest list has. Random numbers depend on the seed
/// and the argument's position only (splitmix64). Floats are uniform in [-1,
/// 1), scaled by sqrt(3 / K) in arrays of rank 2 and more, K being the
/// dimension before the last, so that matrix products keep their magnitude;
/// integers are 0 or 1, which is an index into any table with two rows. A
/// file's shape and element type must fit.
///
/// Before anything is allocated, the sizes of all arguments and of the results
/// whose shapes are known are compared with the memory that is available, and
/// with `memory`, the bytes that the model's process may add (0: no limit).
llvm::Expected<std::vector<Arguments>>
makeArguments(const compile::Signature &signature,
              llvm::ArrayRef<InputSpec> inputs,
              llvm::ArrayRef<ShapeSpec> shapes, uint64_t memory = 0);

/// The shapes of `request`, which must outlive them.
std::vector<llvm::ArrayRef<int64_t>> getShapes(const Arguments &request);

/// "6x50, 50x10": the shapes of all arguments except scalars.
std::string describeShapes(const Arguments &request);

/// The differences between an array and its expected values.
struct TensorComparison {
  uint64_t elements = 0;
  /// Elements that differ by more than atol + rtol * |expected|.
  uint64_t different = 0;
  /// Elements that are not finite although the expected ones are.
  uint64_t notFinite = 0;
  double maxAbsolute = 0;
  /// maxAbsolute divided by the largest |expected|.
  double relativeToMax = 0;

  bool isEqual() const { return different == 0 && notFinite == 0; }
};

/// Compares two arrays of numbers. Element types may differ (a float64
/// reference); shapes must not. Complex numbers differ by their distance in the
/// plane, integers exactly; values that are not finite must be the same on both
/// sides.
llvm::Expected<TensorComparison> compareTensors(const HostTensor &actual,
                                                const HostTensor &expected,
                                                double rtol, double atol);

/// Value of an element of any of the types that files may contain, as a double;
/// none if the type is not numeric. Complex numbers return their magnitude.
std::optional<double> getElement(const HostTensor &tensor, uint64_t index);

/// "tensor<1x56x56x64xf32>", for messages.
std::string describeType(const compile::ValueSignature &value);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_INPUTS_H
