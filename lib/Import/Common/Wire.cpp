//===- Wire.cpp - Reading protobufs ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;

llvm::StringRef importer::describeWireError(const protozero::exception &error) {
  if (dynamic_cast<const protozero::end_of_buffer_exception *>(&error))
    return "the data ends in the middle of a field";
  if (dynamic_cast<const protozero::varint_too_long_exception *>(&error))
    return "a number is too long";
  if (dynamic_cast<const protozero::unknown_pbf_wire_type_exception *>(&error))
    return "a field has an unknown wire type";
  if (dynamic_cast<const protozero::invalid_tag_exception *>(&error))
    return "a field has an impossible number";
  if (dynamic_cast<const protozero::invalid_length_exception *>(&error))
    return "a field has an impossible length";
  return "not a protobuf";
}

llvm::Error importer::catchWireErrors(llvm::StringRef bytes,
                                      llvm::StringRef where,
                                      const char *const &position,
                                      llvm::function_ref<llvm::Error()> read) {
  llvm::StringRef what;
  try {
    return read();
  } catch (const protozero::exception &error) {
    what = describeWireError(error);
  } catch (const TooLarge &error) {
    return inputError(where,
                      "needs more than " + llvm::Twine(error.limit) +
                          " bytes of memory, far more than its size",
                      "The file is damaged; record it again.");
  } catch (const std::exception &) {
    return inputError(where, "cannot be read: out of memory",
                      "Record fewer steps, or read it on a larger machine.");
  }
  return inputError(where + ": byte " + llvm::Twine(position - bytes.data()),
                    what,
                    "The file is truncated or damaged; copy it again, or "
                    "record it again.");
}
