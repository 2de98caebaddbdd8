// A model of linalg on tensors with stock tools: mlir-opt with the plugin, which
// repairs identities on the way, mlir-translate, clang. What the program leaves
// is reported at the levels that the pipeline has kept.

// DEFINE: %{name} =
// DEFINE: %{probes} =
// DEFINE: %{flags} =
// DEFINE: %{loops} = one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-loops)
// DEFINE: %{lower} = convert-scf-to-cf,expand-strided-metadata,lower-affine,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts
// DEFINE: %{compile} = %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="%{loops}"},prof-snapshot{level=loops},prof-instrument{scope=op},prof-track{pipeline="%{lower}"},prof-snapshot{level=llvm},prof-lower-probes{%{probes}},prof-lines)' %s -o %t.%{name}.mlir
// DEFINE: %{object} = mlir-translate --mlir-to-llvmir %t.%{name}.mlir -o %t.%{name}.ll && clang -Wno-override-module -O2 -fPIC -c %t.%{name}.ll -o %t.%{name}.o
// DEFINE: %{link} = %cc %S/Inputs/ahead-of-time-tensors.c %t.%{name}.o %{flags} -o %t.%{name}
// DEFINE: %{run} = env MLIR_PROF_FILE=%t.%{name}.raw %t.%{name}
// DEFINE: %{report} = %mlir-prof report %t.%{name}.mlprof --format=csv --sort=index

// REDEFINE: %{name} = inline
// REDEFINE: %{probes} = probe=inline
// REDEFINE: %{flags} = %build_root/lib/libprof_rt.a -lpthread
// RUN: %{compile} && %{object} && %{link}
// RUN: %{run} | FileCheck %s --check-prefix=NUMBERS
// RUN: %mlir-prof import %t.inline.raw -o %t.inline.mlprof
// RUN: %{report} --by=op --level=input | %python %S/Inputs/columns.py op count | FileCheck %s
// RUN: %{report} --by=op --level=loops | %python %S/Inputs/columns.py op count | FileCheck %s --check-prefix=LOOPS

// REDEFINE: %{name} = call
// REDEFINE: %{probes} = probe=call
// RUN: %{compile} && %{object} && %{link}
// RUN: %{run} | FileCheck %s --check-prefix=NUMBERS
// RUN: %mlir-prof import %t.call.raw -o %t.call.mlprof
// RUN: %{report} --by=op --level=input | %python %S/Inputs/columns.py op count | FileCheck %s

// NUMBERS: 0 wrong
// CHECK: func.func 3
// CHECK-NEXT: linalg.fill 3
// CHECK-NEXT: linalg.matmul 3
// LOOPS: func.func 3
// LOOPS-NEXT: scf.for 3
// LOOPS-NEXT: scf.for 3

// A handler of the target's own, and nothing else of the runtime: each begin and
// each end is a call, the address tells which.
// REDEFINE: %{name} = handler
// REDEFINE: %{probes} = probe=call metadata=false
// REDEFINE: %{flags} = -DOWN_HANDLER
// RUN: %{compile} && %{object} && %{link}
// RUN: %t.handler | FileCheck %s --check-prefix=HANDLER
// HANDLER: 0 wrong
// HANDLER-NEXT: probe 0: 6 calls from 2 places
// HANDLER-NEXT: probe 1: 6 calls from 2 places
// HANDLER-NEXT: probe 2: 6 calls from 2 places
// HANDLER-NOT: probe

func.func @dense(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>)
    -> tensor<16x8xf32> attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8xf32>)
    -> tensor<16x8xf32>
  %product = linalg.matmul
    ins(%a, %b : tensor<16x32xf32>, tensor<32x8xf32>)
    outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %product : tensor<16x8xf32>
}
