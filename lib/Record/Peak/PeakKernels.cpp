//===- PeakKernels.cpp - Code that reaches a machine's peak ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakKernels.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace mlirprof;
using namespace mlirprof::record;
using namespace llvm;

namespace {
/// Writes the functions as LLVM's IR. Loops are unrolled by hand, so that they
/// need no optimizer.
class KernelWriter {
public:
  KernelWriter(Module &module, unsigned lanes)
      : module(module), builder(module.getContext()),
        vector(FixedVectorType::get(builder.getFloatTy(), lanes)),
        lanes(lanes) {}

  void writeMultiplyAdd();
  void writeRead();

private:
  Function *begin(StringRef name, ArrayRef<Type *> arguments);
  void writeLoop(Function *function, ArrayRef<Value *> initial,
                 function_ref<void(Value *, MutableArrayRef<Value *>)> body);
  void finish(Function *function, ArrayRef<Value *> sums);

  Module &module;
  IRBuilder<> builder;
  FixedVectorType *vector;
  unsigned lanes;
  SmallVector<Value *> last;
};
} // namespace

Function *KernelWriter::begin(StringRef name, ArrayRef<Type *> arguments) {
  auto *type = FunctionType::get(builder.getVoidTy(), arguments, false);
  Function *function =
      Function::Create(type, Function::ExternalLinkage, name, module);
  // LLVM avoids the widest registers on some processors by default.
  function->addFnAttr("prefer-vector-width", utostr(32 * lanes));
  builder.SetInsertPoint(
      BasicBlock::Create(module.getContext(), "entry", function));
  return function;
}

/// A loop over the function's first argument, which is at least 1, that carries
/// vectors; `body` replaces them. Leaves them in `last`.
void KernelWriter::writeLoop(
    Function *function, ArrayRef<Value *> initial,
    function_ref<void(Value *, MutableArrayRef<Value *>)> body) {
  BasicBlock *entry = builder.GetInsertBlock();
  auto *loop = BasicBlock::Create(module.getContext(), "loop", function);
  auto *exit = BasicBlock::Create(module.getContext(), "exit", function);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  PHINode *counter = builder.CreatePHI(builder.getInt64Ty(), 2);
  counter->addIncoming(builder.getInt64(0), entry);
  SmallVector<PHINode *> carried;
  SmallVector<Value *> values;
  for (Value *value : initial) {
    carried.push_back(builder.CreatePHI(vector, 2));
    carried.back()->addIncoming(value, entry);
    values.push_back(carried.back());
  }
  body(counter, values);
  Value *next = builder.CreateAdd(counter, builder.getInt64(1));
  counter->addIncoming(next, loop);
  for (auto [phi, value] : zip_equal(carried, values))
    phi->addIncoming(value, loop);
  builder.CreateCondBr(builder.CreateICmpSLT(next, function->getArg(0)), loop,
                       exit);
  builder.SetInsertPoint(exit);
  last.assign(values.begin(), values.end());
}

/// Stores the sum of `sums`, so that no computation is dead.
void KernelWriter::finish(Function *function, ArrayRef<Value *> sums) {
  Value *sum = sums.front();
  for (Value *other : sums.drop_front())
    sum = builder.CreateFAdd(sum, other);
  builder.CreateAlignedStore(sum, function->getArg(function->arg_size() - 1),
                             Align(4));
  builder.CreateRetVoid();
}

void KernelWriter::writeMultiplyAdd() {
  Function *function =
      begin("multiply_add", {builder.getInt64Ty(), builder.getPtrTy()});
  auto splat = [&](double value) {
    return ConstantVector::getSplat(
        ElementCount::getFixed(lanes),
        ConstantFP::get(builder.getFloatTy(), value));
  };
  // Values converge to 1: neither overflow nor denormal numbers, which are
  // slow. Chains that began alike would be merged.
  SmallVector<Value *> initial;
  for (unsigned chain = 0; chain < PeakKernels::kChains; ++chain)
    initial.push_back(splat(chain + 1));
  Value *factor = splat(0.999), *addend = splat(0.001);
  writeLoop(function, initial, [&](Value *, MutableArrayRef<Value *> values) {
    for (Value *&value : values)
      value = builder.CreateIntrinsic(Intrinsic::fma, {vector},
                                      {value, factor, addend});
  });
  finish(function, last);
}

void KernelWriter::writeRead() {
  Function *function = begin(
      "read", {builder.getInt64Ty(), builder.getPtrTy(), builder.getPtrTy()});
  unsigned perBlock = PeakKernels::kBlockBytes / (4 * lanes);
  unsigned sums = std::min(perBlock, 8u);
  SmallVector<Value *> initial(sums, Constant::getNullValue(vector));
  writeLoop(
      function, initial, [&](Value *block, MutableArrayRef<Value *> values) {
        Value *base = builder.CreateMul(
            block, builder.getInt64(PeakKernels::kBlockBytes / 4));
        for (unsigned i = 0; i < perBlock; ++i) {
          Value *at = builder.CreateGEP(
              builder.getFloatTy(), function->getArg(1),
              builder.CreateAdd(base, builder.getInt64(i * lanes)));
          Value *data = builder.CreateAlignedLoad(vector, at, Align(4 * lanes));
          values[i % sums] = builder.CreateFAdd(values[i % sums], data);
        }
      });
  finish(function, last);
}

/// Lanes of the widest vectors of this processor.
static unsigned getLanes() {
  StringMap<bool> features = sys::getHostCPUFeatures();
  if (features.lookup("avx512f"))
    return 16;
  return features.lookup("avx") ? 8 : 4;
}

static Expected<orc::ThreadSafeModule>
makeModule(const DataLayout &layout, const Triple &triple, unsigned lanes) {
  auto context = std::make_unique<LLVMContext>();
  auto module = std::make_unique<Module>("peak", *context);
  module->setDataLayout(layout);
  module->setTargetTriple(triple);
  KernelWriter writer(*module, lanes);
  writer.writeMultiplyAdd();
  writer.writeRead();
  return orc::ThreadSafeModule(std::move(module), std::move(context));
}

PeakKernels::PeakKernels() = default;
PeakKernels::PeakKernels(PeakKernels &&) = default;
PeakKernels &PeakKernels::operator=(PeakKernels &&) = default;
PeakKernels::~PeakKernels() = default;

uint64_t PeakKernels::flopsPerRound() const {
  return uint64_t(kChains) * lanes * 2;
}

Expected<PeakKernels> PeakKernels::create() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  PeakKernels kernels;
  kernels.lanes = getLanes();
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*target))
                 .create();
  if (!jit)
    return jit.takeError();
  auto module = makeModule((*jit)->getDataLayout(), (*jit)->getTargetTriple(),
                           kernels.lanes);
  if (!module)
    return module.takeError();
  if (Error error = (*jit)->addIRModule(std::move(*module)))
    return std::move(error);
  auto multiplyAdd = (*jit)->lookup("multiply_add");
  if (!multiplyAdd)
    return multiplyAdd.takeError();
  auto read = (*jit)->lookup("read");
  if (!read)
    return read.takeError();
  kernels.multiplyAdd = multiplyAdd->toPtr<void(int64_t, float *)>();
  kernels.read = read->toPtr<void(int64_t, const float *, float *)>();
  kernels.jit = std::move(*jit);
  return std::move(kernels);
}
