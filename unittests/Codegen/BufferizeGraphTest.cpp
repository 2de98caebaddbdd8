//===- BufferizeGraphTest.cpp - Lists of dispatches compute the same ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets random lists on tensors, and after bufferization on buffers. The
// content of a tensor or a buffer is a hash of its computation.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/BufferizeGraph.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/Hashing.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::dispatch;

namespace {

/// The content that a dispatch leaves in its destination.
uint64_t compute(RunOp run, ArrayRef<uint64_t> inputs, uint64_t before) {
  return llvm::hash_combine(run.getKernel(), llvm::hash_combine_range(inputs),
                            run.isUpdated(0) ? before : 0);
}

/// The results of a list on tensors.
class TensorInterpreter {
public:
  std::vector<uint64_t> run(func::FuncOp function) {
    std::vector<uint64_t> results;
    for (BlockArgument argument : function.getArguments())
      values[argument] = 100 + argument.getArgNumber();
    for (Operation &op : function.getBody().front())
      if (auto dispatch = dyn_cast<RunOp>(op)) {
        SmallVector<uint64_t> inputs;
        for (Value input : dispatch.getInputs())
          inputs.push_back(values.lookup(input));
        values[dispatch.getResult(0)] =
            compute(dispatch, inputs, values.lookup(dispatch.getOutputs()[0]));
      } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
        values[op.getResult(0)] = values.lookup(op.getOperand(0));
      } else if (isa<arith::ConstantOp>(op)) {
        values[op.getResult(0)] = 7;
      } else if (isa<func::ReturnOp>(op)) {
        for (Value result : op.getOperands())
          results.push_back(values.lookup(result));
      }
    return results;
  }

private:
  llvm::DenseMap<Value, uint64_t> values;
};

/// The results of a list on buffers; fails at what a list must not do.
class BufferInterpreter {
public:
  std::vector<uint64_t> run(func::FuncOp function);

private:
  struct Memory {
    uint64_t content = 0;
    bool isOwned = false, isFreed = false;
  };

  uint64_t read(Value buffer) {
    EXPECT_FALSE(memories[places.lookup(buffer)].isFreed);
    return memories[places.lookup(buffer)].content;
  }
  void write(Value buffer, uint64_t content) {
    Memory &memory = memories[places.lookup(buffer)];
    EXPECT_TRUE(memory.isOwned);
    EXPECT_FALSE(memory.isFreed);
    memory.content = content;
  }
  void add(Value buffer, Memory memory) {
    places[buffer] = memories.size();
    memories.push_back(memory);
  }
  void visitRun(RunOp run);
  void visit(Operation *op);

  std::vector<Memory> memories;
  llvm::DenseMap<Value, size_t> places;
};

void BufferInterpreter::visitRun(RunOp run) {
  Value output = run.getOutputs()[0];
  SmallVector<uint64_t> inputs;
  for (Value input : run.getInputs()) {
    inputs.push_back(read(input));
    // Kernels are compiled for arguments that are not the same memory.
    EXPECT_NE(places.lookup(input), places.lookup(output));
  }
  write(output, compute(run, inputs, read(output)));
}

void BufferInterpreter::visit(Operation *op) {
  if (auto run = dyn_cast<RunOp>(op)) {
    visitRun(run);
  } else if (isa<memref::AllocOp>(op)) {
    add(op->getResult(0), {0, /*isOwned=*/true});
  } else if (isa<memref::GetGlobalOp>(op)) {
    add(op->getResult(0), {7});
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    write(copy.getTarget(), read(copy.getSource()));
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    write(dealloc.getMemref(), 0);
    memories[places.lookup(dealloc.getMemref())].isFreed = true;
  } else {
    ASSERT_TRUE((isa<memref::CollapseShapeOp, memref::ExpandShapeOp,
                     memref::CastOp, func::ReturnOp>(op)))
        << op->getName().getStringRef().str();
    if (op->getNumResults() != 0)
      places[op->getResult(0)] = places.lookup(op->getOperand(0));
  }
}

std::vector<uint64_t> BufferInterpreter::run(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    add(argument, {100 + argument.getArgNumber()});
  for (Operation &op : function.getBody().front())
    visit(&op);
  std::vector<uint64_t> results;
  for (Value result :
       function.getBody().front().getTerminator()->getOperands()) {
    results.push_back(read(result));
    // The caller frees each result.
    write(result, 0);
    memories[places.lookup(result)].isFreed = true;
  }
  for (const Memory &memory : memories)
    EXPECT_EQ(memory.isOwned, memory.isFreed);
  return results;
}

class BufferizeGraphTest : public testing::Test {
protected:
  BufferizeGraphTest() {
    context.loadDialect<arith::ArithDialect, DispatchDialect, func::FuncDialect,
                        bufferization::BufferizationDialect,
                        memref::MemRefDialect, tensor::TensorDialect>();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module;
  }
  func::FuncOp getMain(ModuleOp module) {
    return module.lookupSymbol<func::FuncOp>("main");
  }
  std::string makeList(unsigned seed);
  std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }

  MLIRContext context;
};

constexpr llvm::StringLiteral kKernels = R"(
func.func private @one(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  attributes {dispatch.kernel}
func.func private @two(tensor<4xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  attributes {dispatch.kernel}
)";

/// A list in which any value may be read, updated, reshaped and returned again.
std::string BufferizeGraphTest::makeList(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> values = {"%x", "%y", "%c", "%d"};
  auto pick = [&] { return values[random() % values.size()]; };
  std::string text = kKernels.str();
  llvm::raw_string_ostream os(text);
  os << "func.func @main(%x: tensor<4xf32> {bufferization.writable = false}, "
        "%y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
        "%c = arith.constant dense<1.0> : tensor<4xf32>\n"
        "%d = arith.constant dense<1.0> : tensor<4xf32>\n"
        "%e = tensor.empty() : tensor<4xf32>\n";
  for (unsigned i = 0; i != 12; ++i) {
    std::string value = "%v" + std::to_string(i);
    if (random() % 4 == 0) {
      os << value << "s = tensor.expand_shape " << pick()
         << " [[0, 1]] output_shape [2, 2] : tensor<4xf32> into "
            "tensor<2x2xf32>\n"
         << value << " = tensor.collapse_shape " << value
         << "s [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>\n";
    } else {
      bool isTwo = random() % 2;
      std::string destination = random() % 2 ? "%e" : pick();
      os << value << " = dispatch.run " << (isTwo ? "@two" : "@one") << " ins("
         << pick() << (isTwo ? ", " + pick() : "") << " : tensor<4xf32>"
         << (isTwo ? ", tensor<4xf32>" : "") << ") outs(" << destination
         << " : tensor<4xf32>)" << (random() % 2 ? " updates [0]" : "")
         << " -> tensor<4xf32>\n";
    }
    values.push_back(value);
  }
  os << "return " << pick() << ", " << pick()
     << " : tensor<4xf32>, tensor<4xf32>\n}\n";
  return text;
}

TEST_F(BufferizeGraphTest, RandomListsComputeTheSame) {
  for (unsigned seed = 0; seed != 500; ++seed) {
    OwningOpRef<ModuleOp> module = parse(makeList(seed));
    ASSERT_TRUE(module);
    std::string before = print(*module);
    std::vector<uint64_t> expected = TensorInterpreter().run(getMain(*module));
    ASSERT_TRUE(codegen::bufferizeGraph(*module));
    ASSERT_TRUE(succeeded(verify(*module)));
    EXPECT_EQ(BufferInterpreter().run(getMain(*module)), expected);
    ASSERT_FALSE(HasFailure()) << before << print(*module);
  }
}

/// Where nothing reads the old content, there is nothing to copy.
TEST_F(BufferizeGraphTest, LastUsesAreUpdatedInPlace) {
  OwningOpRef<ModuleOp> module = parse((kKernels + R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = dispatch.run @one ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
    -> tensor<4xf32>
  %b = dispatch.run @one ins(%c : tensor<4xf32>) outs(%a : tensor<4xf32>)
    updates [0] -> tensor<4xf32>
  return %b : tensor<4xf32>
})")
                                           .str());
  ASSERT_TRUE(codegen::bufferizeGraph(*module));
  Block &body = getMain(*module).getBody().front();
  EXPECT_TRUE(llvm::hasSingleElement(body.getOps<memref::AllocOp>()));
  EXPECT_TRUE(body.getOps<memref::CopyOp>().empty());
  EXPECT_TRUE(body.getOps<memref::DeallocOp>().empty());
}

TEST_F(BufferizeGraphTest, EqualConstantsAreOne) {
  OwningOpRef<ModuleOp> module = parse(makeList(0));
  ASSERT_TRUE(codegen::bufferizeGraph(*module));
  EXPECT_TRUE(llvm::hasSingleElement(module->getOps<memref::GlobalOp>()));
}

TEST_F(BufferizeGraphTest, OtherModulesStayAsTheyAre) {
  const char *others[] = {
      // An argument that may be written, as that of a variable.
      R"(func.func @main(%x: tensor<4xf32> {bufferization.writable = true})
             -> tensor<4xf32> {
           %r = dispatch.run @one ins(%x : tensor<4xf32>)
             outs(%x : tensor<4xf32>) -> tensor<4xf32>
           return %r : tensor<4xf32>
         })",
      // An op that may need a copy.
      R"(func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
           %s = tensor.extract_slice %x[0] [4] [1]
             : tensor<8xf32> to tensor<4xf32>
           %r = dispatch.run @one ins(%s : tensor<4xf32>)
             outs(%s : tensor<4xf32>) -> tensor<4xf32>
           return %r : tensor<4xf32>
         })",
      // A size that is not known.
      R"(func.func @main(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
           %r = dispatch.run @two ins(%x, %y : tensor<4xf32>, tensor<?xf32>)
             outs(%y : tensor<?xf32>) -> tensor<?xf32>
           return %r : tensor<?xf32>
         })",
      // A call.
      R"(func.func private @f(tensor<4xf32>) -> tensor<4xf32>
         func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
           %r = dispatch.run @one ins(%x : tensor<4xf32>)
             outs(%x : tensor<4xf32>) -> tensor<4xf32>
           %s = call @f(%r) : (tensor<4xf32>) -> tensor<4xf32>
           return %s : tensor<4xf32>
         })",
      // Nothing to run.
      R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
           return %x : tensor<4xf32>
         })"};
  for (const char *other : others) {
    OwningOpRef<ModuleOp> module = parse((kKernels + other).str());
    ASSERT_TRUE(module);
    std::string before = print(*module);
    EXPECT_FALSE(codegen::bufferizeGraph(*module));
    EXPECT_EQ(print(*module), before);
  }
}

} // namespace
