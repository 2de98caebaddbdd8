// Code for a processor without bf16 does not call the compiler's runtime: not for
// vectors that go from iteration to iteration, nor under the mask of the last one.

// RUN: %mlir-prof record %s --cpu=x86-64-v3 --shape=77 --mode=time --iterations=1 --no-peak --save-object=%t.o -o %t.mlprof
// RUN: llvm-nm --undefined-only %t.o | FileCheck %s
// CHECK-NOT: bf2
// CHECK: malloc
// CHECK-NOT: bf2

func.func @main(%x: tensor<?xbf16>) -> (tensor<bf16>, tensor<?xbf16>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xbf16>
  %nine = arith.constant 9.0 : bf16
  %e = tensor.empty() : tensor<bf16>
  %f = linalg.fill ins(%nine : bf16) outs(%e : tensor<bf16>) -> tensor<bf16>
  %least = linalg.reduce ins(%x : tensor<?xbf16>) outs(%f : tensor<bf16>) dimensions = [0]
    (%in: bf16, %least: bf16) {
      %0 = arith.minimumf %in, %least : bf16
      linalg.yield %0 : bf16
    }
  %all = tensor.empty(%size) : tensor<?xbf16>
  %squares = linalg.map { arith.mulf } ins(%x, %x : tensor<?xbf16>, tensor<?xbf16>) outs(%all : tensor<?xbf16>)
  return %least, %squares : tensor<bf16>, tensor<?xbf16>
}
