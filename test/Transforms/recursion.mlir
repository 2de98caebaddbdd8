// The time of what calls itself is that of the outermost calls; what each did
// itself adds up to it. The clock counts its readings.

// DEFINE: %{lower} = convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts
// DEFINE: %{name} =
// DEFINE: %{options} =
// DEFINE: %{compile} = %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes{%{options}})' %s -o %t.%{name}.mlir
// DEFINE: %{object} = mlir-translate --mlir-to-llvmir %t.%{name}.mlir | llc -O2 -relocation-model=pic -filetype=obj -o %t.%{name}.o
// DEFINE: %{link} = %cc %S/Inputs/ahead-of-time.c %t.%{name}.o %build_root/lib/libprof_rt.a -lpthread -o %t.%{name}
// DEFINE: %{run} = env MLIR_PROF_FILE=%t.%{name}.raw %t.%{name}
// DEFINE: %{print} = %python %S/Inputs/raw_slots.py %t.%{name}.raw

// REDEFINE: %{name} = inline
// REDEFINE: %{options} = clock=runtime
// RUN: %{compile} && %{object} && %{link} && %{run} && %{print} | FileCheck %s
// REDEFINE: %{name} = call
// REDEFINE: %{options} = probe=call
// RUN: %{compile} && %{object} && %{link} && %{run} && %{print} | FileCheck %s --check-prefix=CALL

// Two readings a probe: 18 in the model, of which 14 in @down.
// CHECK: probe 0: 20 times, 65 ticks, 35 of its own
// CHECK-NEXT: probe 1: 15 times, 55 ticks, 30 of its own
// CHECK-NEXT: probe 2: 5 times, 85 ticks, 10 of its own
// CHECK-NEXT: probe 3: 5 times, 75 ticks, 10 of its own

// The handler reads the clock once more at a begin.
// CALL: probe 0: 20 times, 95 ticks, 50 of its own
// CALL-NEXT: probe 1: 15 times, 80 ticks, 45 of its own
// CALL-NEXT: probe 2: 5 times, 125 ticks, 15 of its own
// CALL-NEXT: probe 3: 5 times, 110 ticks, 15 of its own

func.func private @down(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %more = arith.cmpi ne, %n, %c0 : index
  scf.if %more {
    %less = arith.subi %n, %c1 : index
    func.call @down(%m, %less) : (memref<8xf32>, index) -> ()
  }
  memref.store %z, %m[%n] : memref<8xf32>
  return
}
func.func @model(%m: memref<8xf32>) {
  %c3 = arith.constant 3 : index
  call @down(%m, %c3) : (memref<8xf32>, index) -> ()
  return
}
