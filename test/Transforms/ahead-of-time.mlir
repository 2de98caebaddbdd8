// Stock tools all the way: mlir-opt with the plugin, mlir-translate, llc, the
// system's compiler with the runtime; then what the program has left is imported.

// DEFINE: %{lower} = convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts
// DEFINE: %{name} =
// DEFINE: %{passes} =
// DEFINE: %{compile} = %mlirprof_opt --pass-pipeline='builtin.module(%{passes})' %s -o %t.%{name}.mlir
// DEFINE: %{object} = mlir-translate --mlir-to-llvmir %t.%{name}.mlir | llc -O2 -relocation-model=pic -filetype=obj -o %t.%{name}.o
// DEFINE: %{link} = %cc %S/Inputs/ahead-of-time.c %t.%{name}.o %build_root/lib/libprof_rt.a -lpthread -o %t.%{name}
// DEFINE: %{run} = env MLIR_PROF_FILE=%t.%{name}.raw %t.%{name}
// DEFINE: %{import} = %mlir-prof import %t.%{name}.raw -o %t.%{name}.mlprof

// A function with a loop that is called twice, as it is and inlined. The clock
// counts its readings, so the ticks are known, and have to be the same.
// REDEFINE: %{name} = called
// REDEFINE: %{passes} = prof-instrument,%{lower},prof-lower-probes{clock=runtime}
// RUN: %{compile} && %{object} && %{link} && %{run} && %{import}
// RUN: %python %S/Inputs/raw_slots.py %t.called.raw | FileCheck %s
// REDEFINE: %{name} = inlined
// REDEFINE: %{passes} = prof-instrument,inline,symbol-dce,%{lower},prof-lower-probes{clock=runtime}
// RUN: %{compile} && %{object} && %{link} && %{run} && %{import}
// RUN: not grep -q 'llvm.func.*@part' %t.inlined.mlir
// RUN: %python %S/Inputs/raw_slots.py %t.inlined.raw | FileCheck %s

// CHECK: probe 0: 10 times, 30 ticks, 20 of its own
// CHECK-NEXT: probe 1: 10 times, 10 ticks, 10 of its own
// CHECK-NEXT: probe 2: 5 times, 65 ticks, 15 of its own
// CHECK-NEXT: probe 3: 5 times, 25 ticks, 10 of its own
// CHECK-NEXT: probe 4: 5 times, 25 ticks, 10 of its own

// The report and the table are of that file.
// RUN: %mlir-prof report %t.inlined.mlprof --by=loop --all | FileCheck %s --check-prefix=REPORT
// REPORT: 10 {{.*}} part {{ *}}scf.for
// RUN: %mlir-prof export %t.inlined.mlprof --format=lwp-csv -o - | FileCheck %s --check-prefix=TABLE
// TABLE: part,0,-,{{.*}},10
// TABLE: part,1,0,{{.*}},10
// TABLE: model,2,-,{{.*}},5

// Loops are shown at the level of their probes, whichever that is.
// REDEFINE: %{name} = levels
// REDEFINE: %{passes} = prof-identify,prof-snapshot{level=loops},prof-instrument,%{lower},prof-lower-probes{clock=runtime}
// RUN: %{compile} && %{object} && %{link} && %{run} && %{import}
// RUN: %mlir-prof report %t.levels.mlprof --by=loop | FileCheck %s --check-prefix=REPORT

// With calls of the handler each copy of a probe has places of its own, as
// offsets from the module's first function; all ends are in this function.
// REDEFINE: %{name} = handler
// REDEFINE: %{passes} = prof-instrument,inline,symbol-dce,%{lower},prof-lower-probes{probe=call instances=2}
// RUN: %{compile} && %{object} && %{link} && %{run} && %{import}
// RUN: %python %S/Inputs/raw_slots.py %t.handler.raw --places > %t.places
// RUN: %mlir-prof export %t.handler.mlprof --format=lwp-json -o %t.json
// RUN: llvm-nm --print-size %t.handler.o > %t.sizes
// RUN: %python %S/Inputs/places.py %t.places %t.json %t.sizes | FileCheck %s --check-prefix=PLACES
// PLACES: 10 instances, 2 copies of probe 1, all places within the function

// Inline probes know where they end.
// REDEFINE: %{name} = instances
// REDEFINE: %{passes} = prof-instrument,inline,symbol-dce,%{lower},prof-lower-probes{instances=2}
// RUN: %{compile} && %{object} && %{link} && %{run} && %{import}
// RUN: %python %S/Inputs/raw_slots.py %t.instances.raw --places > %t.places
// RUN: %mlir-prof export %t.instances.mlprof --format=lwp-json -o %t.json
// RUN: llvm-nm --print-size %t.instances.o > %t.sizes
// RUN: %python %S/Inputs/places.py %t.places %t.json %t.sizes --ends | FileCheck %s --check-prefix=PLACES

func.func private @part(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %z, %m[%i] : memref<8xf32>
  }
  return
}
func.func @model(%m: memref<8xf32>) {
  call @part(%m) : (memref<8xf32>) -> ()
  call @part(%m) : (memref<8xf32>) -> ()
  return
}
