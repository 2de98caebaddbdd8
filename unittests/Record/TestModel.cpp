//===- TestModel.cpp - Small models for tests -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

std::unique_ptr<mlir::MLIRContext> mlirprof::makeContext() {
  static bool registered = (mlir::registerAllPasses(), true);
  (void)registered;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  return std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

static constexpr const char *kPipeline =
    "func.func(llvm-request-c-wrappers,convert-linalg-to-loops),convert-scf-to-"
    "openmp,canonicalize,"
    "convert-scf-to-cf,convert-math-to-libm,expand-strided-metadata,"
    "lower-affine,convert-openmp-to-llvm,convert-to-llvm,"
    "reconcile-unrealized-casts";

static Program addIdentities(mlir::ModuleOp module) {
  Program program;
  program.entry = "main";
  program.levels = {"llvm"};
  program.strings = {""};
  module.walk([&](mlir::Operation *op) {
    if (!prof::needsIdentity(op))
      return;
    ProgramNode node;
    node.op = uint32_t(program.strings.size());
    program.strings.push_back(op->getName().getStringRef().str());
    op->setLoc(prof::addIdentity(op->getLoc(), uint32_t(program.nodes.size())));
    program.nodes.push_back(node);
  });
  return program;
}

llvm::Expected<CompiledModel>
mlirprof::compileText(mlir::MLIRContext &context, llvm::StringRef text,
                      const Signature &signature) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return llvm::createStringError("the test's module does not parse");
  mlir::PassManager passes(&context, mlir::ModuleOp::getOperationName());
  if (mlir::failed(mlir::parsePassPipeline(kPipeline, passes)) ||
      mlir::failed(passes.run(*module)))
    return llvm::createStringError("the test's module does not lower");
  CompiledModel model;
  model.signature = signature;
  model.program = addIdentities(*module);
  if (llvm::Error error = emitObject(*module, "main", BackendOptions(), model))
    return std::move(error);
  return std::move(model);
}

ValueSignature mlirprof::arrayOf(std::vector<int64_t> shape) {
  ValueSignature value;
  value.elementType = "f32";
  value.shape = std::move(shape);
  return value;
}

ValueSignature mlirprof::scalarOf(llvm::StringRef type, unsigned bytes) {
  ValueSignature value;
  value.elementType = type.str();
  value.bytesPerElement = bytes;
  value.isScalar = true;
  return value;
}

HostTensor mlirprof::tensorOf(std::vector<int64_t> shape,
                              std::vector<float> values) {
  HostTensor tensor;
  tensor.elementType = "f32";
  tensor.shape = std::move(shape);
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

HostTensor mlirprof::indexOf(int64_t value) {
  HostTensor tensor;
  tensor.elementType = "index";
  tensor.bytesPerElement = sizeof value;
  tensor.bytes.resize(sizeof value);
  std::memcpy(tensor.bytes.data(), &value, sizeof value);
  return tensor;
}

std::vector<float> mlirprof::floatsOf(const HostTensor &tensor) {
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

size_t mlirprof::countSamples(const RunResult &result,
                              SampleClass sampleClass) {
  size_t count = 0;
  for (const Sample &sample : result.samples)
    count += sample.sampleClass == sampleClass;
  return count;
}

std::string mlirprof::opAt(const CompiledModel &model, uint64_t address) {
  const Program &program = model.program;
  for (const Instruction &instruction : program.instructions)
    if (instruction.address == address && instruction.node != kNone)
      return program.strings[program.nodes[instruction.node].op];
  return "";
}
