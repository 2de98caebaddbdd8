//===- ReplayCommand.cpp - The command line that replays a schedule -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Schedule.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;

/// `text` as one word of a POSIX shell.
static std::string quoteForShell(StringRef text) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || StringRef("@%_+=:,./-").contains(c);
  };
  if (!text.empty() && llvm::all_of(text, isPlain))
    return text.str();
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// `path` as the value of a pass option that is a list.
static llvm::Expected<std::string> quoteForPass(StringRef path) {
  if (path.find_first_of(" ,{}()'\"\n\t") == StringRef::npos)
    return path.str();
  return inputError("schedule '" + path + "'",
                    "the options of passes cannot contain this path",
                    "Use one without spaces, commas, quotes and brackets.");
}

llvm::Expected<std::string>
optimize::getReplayCommand(StringRef model, StringRef script,
                           const codegen::TargetModel &) {
  llvm::Expected<std::string> library = quoteForPass(script);
  if (!library)
    return library.takeError();
  std::vector<std::string> words = {
      "mlir-opt",
      // A name that begins with a dash is not an option.
      model.starts_with("-") && model != "-" ? "./" + model.str() : model.str(),
      "--transform-preload-library=transform-library-paths=" + *library,
      "--transform-interpreter", "--eliminate-empty-tensors",
      "--empty-tensor-to-alloc-tensor",
      "--transform-interpreter=entry-point=bufferize", "--canonicalize",
      "--cse", "--buffer-deallocation-pipeline",
      "--convert-bufferization-to-memref", "--convert-linalg-to-loops",
      "--transform-interpreter=entry-point=lower_vectors",
      "--convert-vector-to-scf=full-unroll", "--lower-affine", "--canonicalize",
      "--cse", "--loop-invariant-code-motion", "--convert-scf-to-cf",
      "--expand-strided-metadata", "--lower-affine",
      "--convert-complex-to-standard", "--arith-expand",
      "--math-expand-ops=ops=rsqrt",
      // Before the C library, which would take what is an instruction.
      "--convert-math-to-llvm", "--convert-math-to-libm",
      "--convert-vector-to-llvm=reassociate-fp-reductions",
      "--finalize-memref-to-llvm", "--convert-to-llvm", "--convert-ub-to-llvm",
      "--canonicalize", "--cse", "--reconcile-unrealized-casts"};
  std::string command;
  for (const std::string &word : words)
    command += (command.empty() ? "" : " ") + quoteForShell(word);
  return command;
}
