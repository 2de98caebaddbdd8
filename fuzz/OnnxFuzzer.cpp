//===- OnnxFuzzer.cpp - Fuzzes the reader of ONNX models ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first four bytes are the length of the original model; the rest is the
// optimized one.
//
//===----------------------------------------------------------------------===//

#include "../lib/Import/Onnx/Clusters.h"
#include "../lib/Import/Onnx/Model.h"
#include "llvm/Support/Endian.h"

using namespace mlirprof;

static importer::onnx::Model read(llvm::StringRef bytes) {
  llvm::Expected<importer::onnx::Model> model =
      importer::onnx::readModel(bytes, "input");
  if (model)
    return std::move(*model);
  llvm::consumeError(model.takeError());
  importer::onnx::Model none;
  none.graphs.emplace_back();
  return none;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  size_t length = 0;
  if (size >= 4) {
    length = llvm::support::endian::read32le(data);
    bytes = bytes.drop_front(4);
  }
  importer::onnx::Model original = read(bytes.take_front(length));
  importer::onnx::Model optimized = read(bytes.substr(length));
  for (const importer::onnx::Graph &before : original.graphs)
    for (const importer::onnx::Graph &after : optimized.graphs)
      for (const importer::onnx::NodeOrigin &origin :
           importer::onnx::findOrigins(before, after))
        for (uint32_t node : origin.nodes)
          if (node >= before.nodes.size())
            __builtin_trap();
  return 0;
}
