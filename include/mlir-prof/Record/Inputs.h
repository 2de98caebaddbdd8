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
/// shapes, as many as the longest list has. Random numbers are those of
/// fillRandom(). A file's shape and element type must fit.
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

/// "tensor<1x56x56x64xf32>", for messages.
std::string describeType(const compile::ValueSignature &value);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_INPUTS_H
