//===- RunValues.cpp - Arguments and results of a run ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunValues.h"
#include "RunPool.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static bool fits(const ValueSignature &value, const HostTensor &tensor) {
  if (value.elementType != tensor.elementType ||
      value.bytesPerElement != tensor.bytesPerElement ||
      value.shape.size() != tensor.shape.size())
    return false;
  uint64_t bytes = tensor.bytesPerElement;
  for (auto [wanted, given] : llvm::zip_equal(value.shape, tensor.shape)) {
    if (given < 0 || (wanted >= 0 && wanted != given))
      return false;
    if (llvm::MulOverflow<int64_t>(int64_t(bytes), given,
                                   reinterpret_cast<int64_t &>(bytes)))
      return false;
  }
  return tensor.bytes.size() == bytes;
}

llvm::Error record::checkArguments(const Signature &signature,
                                   llvm::ArrayRef<HostTensor> arguments) {
  if (arguments.size() != signature.arguments.size())
    return inputError("arguments", llvm::Twine(arguments.size()) + " given, " +
                                       llvm::Twine(signature.arguments.size()) +
                                       " expected");
  for (auto [value, tensor] : llvm::zip_equal(signature.arguments, arguments))
    if (!fits(value, tensor))
      return inputError(
          value.name, "the model takes " + describeSizes(value.shape) +
                          value.elementType + ", not " +
                          describeSizes(tensor.shape) + tensor.elementType +
                          " of " + llvm::Twine(tensor.bytes.size()) + " bytes");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// Words of a descriptor before its sizes.
static constexpr size_t kSizes = 3;

static std::vector<int64_t> makeDescriptor(const HostTensor &tensor) {
  size_t bytes = std::max<size_t>(tensor.bytes.size(), 1);
  void *data = runpool::allocate(bytes, /*alignment=*/64);
  std::memcpy(data, tensor.bytes.data(), tensor.bytes.size());
  size_t rank = tensor.shape.size();
  std::vector<int64_t> words(kSizes + 2 * rank);
  words[0] = words[1] = reinterpret_cast<int64_t>(data);
  int64_t stride = 1;
  for (size_t i = rank; i-- != 0;) {
    words[kSizes + i] = tensor.shape[i];
    words[kSizes + rank + i] = stride;
    stride *= tensor.shape[i];
  }
  return words;
}

RunValues::RunValues(const Signature &signature,
                     llvm::ArrayRef<HostTensor> arguments)
    : signature(signature) {
  auto makeScalar = [](unsigned bytes) {
    return Words(llvm::divideCeil(std::max(bytes, 1u), sizeof(int64_t)));
  };
  for (auto [value, tensor] : llvm::zip_equal(signature.arguments, arguments)) {
    if (!value.isScalar) {
      values.push_back(makeDescriptor(tensor));
      continue;
    }
    values.push_back(makeScalar(value.bytesPerElement));
    std::memcpy(values.back().data(), tensor.bytes.data(), tensor.bytes.size());
  }
  for (const ValueSignature &value : signature.results)
    values.push_back(value.isScalar ? makeScalar(value.bytesPerElement)
                                    : Words(kSizes + 2 * value.shape.size()));
  for (Words &words : values)
    addresses.push_back(words.data());
}

void RunValues::restoreArguments(llvm::ArrayRef<HostTensor> arguments) {
  for (auto [i, tensor] : llvm::enumerate(arguments)) {
    void *data = signature.arguments[i].isScalar
                     ? static_cast<void *>(values[i].data())
                     : reinterpret_cast<void *>(values[i][1]);
    std::memcpy(data, tensor.bytes.data(), tensor.bytes.size());
  }
}

void RunValues::releaseResults() {
  // Results may be the same array, an argument, or a constant.
  llvm::SmallVector<int64_t> kept;
  size_t first = signature.arguments.size();
  for (size_t i = 0; i != first; ++i)
    if (!signature.arguments[i].isScalar)
      kept.push_back(values[i][0]);
  for (size_t i = 0; i != signature.results.size(); ++i) {
    if (signature.results[i].isScalar)
      continue;
    int64_t allocated = std::exchange(values[first + i][0], 0);
    void *pointer = reinterpret_cast<void *>(allocated);
    if (llvm::is_contained(kept, allocated) || !runpool::owns(pointer))
      continue;
    kept.push_back(allocated);
    runpool::release(pointer);
  }
}

/// Whether the elements lie in row-major order without gaps.
static bool isContiguous(llvm::ArrayRef<int64_t> sizes,
                         llvm::ArrayRef<int64_t> strides) {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- != 0;) {
    if (sizes[d] != 1 && strides[d] != expected)
      return false;
    expected *= sizes[d];
  }
  return true;
}

/// Copies an array of any strides into row-major order.
static std::vector<char> gather(llvm::ArrayRef<int64_t> words, size_t rank,
                                uint64_t bytesPerElement) {
  llvm::ArrayRef<int64_t> sizes = words.slice(kSizes, rank);
  llvm::ArrayRef<int64_t> strides = words.slice(kSizes + rank, rank);
  uint64_t count = 1;
  for (int64_t size : sizes)
    count *= uint64_t(std::max<int64_t>(size, 0));
  std::vector<char> bytes(count * bytesPerElement);
  const char *data = reinterpret_cast<const char *>(words[1]) +
                     words[2] * int64_t(bytesPerElement);
  if (count != 0 && isContiguous(sizes, strides)) {
    std::memcpy(bytes.data(), data, bytes.size());
    return bytes;
  }
  std::vector<int64_t> index(rank, 0);
  for (uint64_t i = 0; i != count; ++i) {
    int64_t offset = 0;
    for (size_t d = 0; d != rank; ++d)
      offset += index[d] * strides[d];
    std::memcpy(&bytes[i * bytesPerElement],
                data + offset * int64_t(bytesPerElement), bytesPerElement);
    for (size_t d = rank; d-- != 0;) {
      if (++index[d] != sizes[d])
        break;
      index[d] = 0;
    }
  }
  return bytes;
}

bool RunValues::saveArray(const ValueSignature &value, const Words &words,
                          const SharedFile &file) const {
  size_t rank = value.shape.size();
  std::vector<char> bytes = gather(words, rank, value.bytesPerElement);
  return file.write(&words[kSizes], rank * sizeof(int64_t)) &&
         file.write(bytes.data(), bytes.size());
}

/// Whether the values that a child saves include the arguments.
static bool keepsArguments(const Signature &signature, KeptValues keep) {
  return keep == KeptValues::OutputsAndArguments || signature.results.empty();
}

bool RunValues::save(KeptValues keep, const SharedFile &file) const {
  size_t first = signature.arguments.size();
  auto saveValue = [&](const ValueSignature &value, const Words &words) {
    return value.isScalar ? file.write(words.data(), value.bytesPerElement)
                          : saveArray(value, words, file);
  };
  for (size_t i = 0; i != signature.results.size(); ++i)
    if (!saveValue(signature.results[i], values[first + i]))
      return false;
  if (!keepsArguments(signature, keep))
    return true;
  for (size_t i = 0; i != first; ++i)
    if (!saveValue(signature.arguments[i], values[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

/// Takes one value off the front of `bytes`; false if they end too early.
static bool readValue(const ValueSignature &value, llvm::StringRef &bytes,
                      HostTensor &tensor) {
  tensor.elementType = value.elementType;
  tensor.bytesPerElement = value.bytesPerElement;
  size_t rank = value.isScalar ? 0 : value.shape.size();
  if (bytes.size() / sizeof(int64_t) < rank)
    return false;
  tensor.shape.resize(rank);
  std::memcpy(tensor.shape.data(), bytes.data(), rank * sizeof(int64_t));
  bytes = bytes.drop_front(rank * sizeof(int64_t));
  if (llvm::any_of(tensor.shape, [](int64_t size) { return size < 0; }))
    return false;
  // Does not have elements, however large the other dimensions are.
  bool isEmpty = llvm::is_contained(tensor.shape, 0);
  unsigned __int128 size = isEmpty ? 0 : value.bytesPerElement;
  for (int64_t dimension : tensor.shape) {
    size *= uint64_t(dimension);
    if (size > bytes.size())
      return false;
  }
  if (size > bytes.size())
    return false;
  tensor.bytes.assign(bytes.begin(), bytes.begin() + size_t(size));
  bytes = bytes.drop_front(size_t(size));
  return true;
}

llvm::Error record::readValues(const Signature &signature, KeptValues keep,
                               llvm::StringRef bytes,
                               std::vector<HostTensor> &results,
                               std::vector<HostTensor> &arguments) {
  auto readAll = [&](llvm::ArrayRef<ValueSignature> values,
                     std::vector<HostTensor> &tensors) {
    for (const ValueSignature &value : values)
      if (!readValue(value, bytes, tensors.emplace_back()))
        return false;
    return true;
  };
  if (readAll(signature.results, results) &&
      (!keepsArguments(signature, keep) ||
       readAll(signature.arguments, arguments)) &&
      bytes.empty())
    return llvm::Error::success();
  results.clear();
  arguments.clear();
  return inputError("results", "the data from the model's process are damaged",
                    "The model may have written outside of its memory.");
}
