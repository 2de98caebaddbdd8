// With its defaults, at height 1, of siblings, and with records of instances
// prof-instrument leaves the machine code of innermost loops as it is.

// DEFINE: %{lower} = convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts,prof-lower-probes
// DEFINE: %{compile} = opt -O3 -S -mtriple=x86_64-unknown-linux-gnu -mcpu=skylake-avx512
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(%{lower})' %s -o %t.plain.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower})' %s -o %t.op.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-linalg-to-loops,prof-instrument{scope=height:1},%{lower})' %s -o %t.height.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-linalg-to-loops,prof-instrument{scope=siblings},%{lower})' %s -o %t.siblings.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-linalg-to-loops,prof-instrument{scope=height:1},%{lower}{instances=100})' %s -o %t.instances.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.plain.mlir | %{compile} | llc -mcpu=skylake-avx512 -o %t.plain.s
// RUN: mlir-translate --mlir-to-llvmir %t.op.mlir | %{compile} | llc -mcpu=skylake-avx512 -o %t.op.s
// RUN: mlir-translate --mlir-to-llvmir %t.height.mlir | %{compile} | llc -mcpu=skylake-avx512 -o %t.height.s
// RUN: mlir-translate --mlir-to-llvmir %t.siblings.mlir | %{compile} | llc -mcpu=skylake-avx512 -o %t.siblings.s
// RUN: mlir-translate --mlir-to-llvmir %t.instances.mlir | %{compile} | llc -mcpu=skylake-avx512 -o %t.instances.s
// RUN: %python %S/Inputs/innermost.py %t.plain.s > %t.plain
// RUN: %python %S/Inputs/innermost.py %t.siblings.s | diff %t.plain -
// RUN: %python %S/Inputs/innermost.py %t.instances.s | diff %t.plain -
// RUN: %python %S/Inputs/innermost.py %t.op.s | diff %t.plain -
// RUN: %python %S/Inputs/innermost.py %t.height.s | diff %t.plain -
// The comparison is of something, and there are probes.
// RUN: FileCheck %s --input-file=%t.plain
// RUN: FileCheck %s --check-prefix=PROBES --input-file=%t.op.s
// RUN: FileCheck %s --check-prefix=PROBES --input-file=%t.height.s
// RUN: FileCheck %s --check-prefix=PROBES --input-file=%t.siblings.s
// RUN: FileCheck %s --check-prefix=PROBES --input-file=%t.instances.s
// RUN: grep -q prof_rt_instance %t.instances.s

// CHECK: vmulss
// CHECK: j{{[a-z]+}} n
// PROBES-COUNT-6: rdtsc

func.func @main(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.add ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
