// RUN: %mlir-prof-opt %s --cpu-allow-contraction | FileCheck %s

// CHECK-LABEL: llvm.func @arithmetic
// CHECK: llvm.fmul %arg0, %arg1 {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK: llvm.fadd %{{.*}}, %arg1 {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
// CHECK: llvm.fsub %{{.*}}, %arg0 {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK: llvm.fdiv %{{.*}}, %arg0 : f32
llvm.func @arithmetic(%a: f32, %b: f32) -> f32 {
  %0 = llvm.fmul %a, %b : f32
  %1 = llvm.fadd %0, %b {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %2 = llvm.fsub %1, %a : f32
  %3 = llvm.fdiv %2, %a : f32
  llvm.return %3 : f32
}
