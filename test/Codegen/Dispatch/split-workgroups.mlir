// RUN: %mlir-prof-opt %s --cpu-split-workgroups=threads=2 --canonicalize \
// RUN:   --split-input-file | FileCheck %s
// RUN: not %mlir-prof-opt --cpu-split-workgroups=threads=0 %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREADS
// THREADS: error: {{.*}}threads

// Two divided loops and the phase between them. The workspace holds the buffer that all
// three use and the number that the second phase computes for the third; the buffer of one
// phase stays in it.

// CHECK-LABEL: func.func private @phases_0
// CHECK-SAME: memref<256x512xf32> {mlirprof.workspace = 0 : i64}
// CHECK-SAME: memref<1xf32> {mlirprof.workspace = 524288 : i64}
// 393216 operations in 256 iterations: at least 8192 each, in workgroups of equally many.
// CHECK-SAME: dispatch.kernel, mlirprof.cost = 2732 : i64
// CHECK-SAME: mlirprof.grid = array<i32: 64, 1, 1>
// CHECK-SAME: mlirprof.workspace = 52{{[0-9]+}} : i64
// CHECK-NOT: memref.alloc
// CHECK: %[[GROUP:.*]] = dispatch.workgroup_id 0
// CHECK: scf.for
// CHECK-LABEL: func.func private @phases_1
// CHECK-SAME: mlirprof.grid = array<i32: 1, 1, 1>
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: memref.store %{{.*}}, %arg4[%{{.*}}] : memref<1xf32>
// CHECK: memref.dealloc
// CHECK-LABEL: func.func private @phases_2
// CHECK: %[[KEPT:.*]] = memref.load %arg4
// CHECK: scf.for
// CHECK: arith.addf %{{.*}}, %[[KEPT]]
// CHECK-NOT: memref.dealloc
func.func private @phases(%a: memref<256x512xf32>, %n: index, %out: memref<256x512xf32>)
    attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %t = memref.alloc() {alignment = 64 : i64} : memref<256x512xf32>
  %s = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %a[%i, %j] : memref<256x512xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %t[%i, %j] : memref<256x512xf32>
    }
  } {mlirprof.parallel}
  %x = memref.load %t[%c0, %n] : memref<256x512xf32>
  memref.store %x, %s[%c0] : memref<8xf32>
  %y = memref.load %s[%c0] : memref<8xf32>
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %t[%i, %j] : memref<256x512xf32>
      %w = arith.addf %v, %y : f32
      memref.store %w, %out[%i, %j] : memref<256x512xf32>
    }
  } {mlirprof.parallel}
  memref.dealloc %t : memref<256x512xf32>
  memref.dealloc %s : memref<8xf32>
  return
}

// -----

// Four iterations are too few workgroups: the loop in it is divided too. Its 1000 iterations
// of 8 are 125 steps, which do not fill workgroups evenly.

// CHECK-LABEL: func.func private @nest_0
// CHECK-SAME: mlirprof.grid = array<i32: {{[0-9]+}}, 4, 1>
// CHECK-DAG: %[[X:.*]] = dispatch.workgroup_id 0
// CHECK-DAG: %[[Y:.*]] = dispatch.workgroup_id 1
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %c1000
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step %c8
func.func private @nest(%a: memref<4x1000x64xf32>, %out: memref<4x1000x64xf32>)
    attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c1000 = arith.constant 1000 : index
  scf.for %h = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c1000 step %c8 {
      scf.for %j = %c0 to %c64 step %c1 {
        scf.for %k = %c0 to %c8 step %c1 {
          %row = arith.addi %i, %k : index
          %v = memref.load %a[%h, %row, %j] : memref<4x1000x64xf32>
          memref.store %v, %out[%h, %row, %j] : memref<4x1000x64xf32>
        }
      }
    } {mlirprof.parallel}
  } {mlirprof.parallel}
  return
}

// -----

// Two iterations are too few workgroups, so the loop in them is divided too. That its
// iterations are independent shows in the kernel alone: the phase reads the address of the
// buffer, whose size is dynamic, from memory.

// CHECK-LABEL: func.func private @dynamic_nest_1
// CHECK-SAME: mlirprof.grid = array<i32: {{[0-9]+}}, 2, 1>
// CHECK: %[[Y:.*]] = dispatch.workgroup_id 1
// CHECK: scf.for %{{.*}} = %[[Y]] to
// CHECK: %[[X:.*]] = dispatch.workgroup_id 0
// CHECK: arith.muli %[[X]]
// CHECK: scf.for
func.func private @dynamic_nest(%a: memref<2x65536xf32>, %n: index, %out: memref<2xf32>)
    attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c65536 = arith.constant 65536 : index
  %t = memref.alloc(%n) : memref<2x65536x?xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c65536 step %c1 {
      %v = memref.load %a[%i, %j] : memref<2x65536xf32>
      memref.store %v, %t[%i, %j, %c0] : memref<2x65536x?xf32>
    }
  }
  %x = memref.load %t[%c1, %c1, %c0] : memref<2x65536x?xf32>
  memref.store %x, %out[%c0] : memref<2xf32>
  memref.dealloc %t : memref<2x65536x?xf32>
  return
}

// -----

// Of unknown sizes, 64 workgroups take a part each, and the buffer is on the heap: the first
// phase keeps its descriptor, the last one frees it.

// CHECK-LABEL: func.func private @dynamic_0
// CHECK-SAME: memref<40xi8> {mlirprof.workspace = 0 : i64}
// CHECK-SAME: mlirprof.grid = array<i32: 1, 1, 1>
// CHECK: %[[MADE:.*]] = memref.alloc
// CHECK: unrealized_conversion_cast %[[MADE]]
// CHECK: llvm.store
// CHECK-LABEL: func.func private @dynamic_1
// CHECK-SAME: mlirprof.cost = 0 : i64, mlirprof.grid = array<i32: 64, 1, 1>
// CHECK: %[[READ:.*]] = llvm.load
// CHECK: unrealized_conversion_cast %[[READ]]
// CHECK: dispatch.workgroup_id 0
// CHECK: arith.divsi
// CHECK: scf.for
// CHECK-LABEL: func.func private @dynamic_2
// CHECK: memref.dealloc
func.func private @dynamic(%a: memref<?xf32>, %out: memref<?xf32>)
    attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %t[%i] : memref<?xf32>
  } {mlirprof.parallel}
  memref.copy %t, %out : memref<?xf32> to memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return
}

// -----

// A vector of indices that one phase computes for another.

// CHECK-LABEL: func.func private @indices_1
// CHECK: memref.store %{{.*}} : memref<1xvector<8xindex>>
// CHECK-LABEL: func.func private @indices_2
// CHECK: memref.load %{{.*}} : memref<1xvector<8xindex>>
func.func private @indices(%a: memref<256x512xindex>, %out: memref<256x512xindex>)
    attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %t = memref.alloc() {alignment = 64 : i64} : memref<256x512xindex>
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %a[%i, %j] : memref<256x512xindex>
      %w = arith.addi %v, %v : index
      memref.store %w, %t[%i, %j] : memref<256x512xindex>
    }
  } {mlirprof.parallel}
  %x = vector.load %t[%c0, %c0] : memref<256x512xindex>, vector<8xindex>
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c512 step %c8 {
      %v = vector.load %t[%i, %j] : memref<256x512xindex>, vector<8xindex>
      %w = arith.addi %v, %x : vector<8xindex>
      vector.store %w, %out[%i, %j] : memref<256x512xindex>, vector<8xindex>
    }
  } {mlirprof.parallel}
  memref.dealloc %t : memref<256x512xindex>
  return
}

// -----

// Too little work, and one thread by choice: one phase. A function that is not a kernel stays.

// CHECK-LABEL: func.func private @small(
// CHECK-SAME: mlirprof.grid = array<i32: 1, 1, 1>
// CHECK-LABEL: func.func private @chosen(
// CHECK-SAME: mlirprof.grid = array<i32: 1, 1, 1>
// CHECK-LABEL: func.func private @other(
// CHECK-NOT: mlirprof.grid
func.func private @small(%a: memref<64xf32>) attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %zero, %a[%i] : memref<64xf32>
  } {mlirprof.parallel}
  return
}
func.func private @chosen(%a: memref<65536xf32>) attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 65536 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%i] : memref<65536xf32>
  } {mlirprof.parallel, mlirprof.choice = {threads = {count = "1"}}}
  return
}
func.func private @other(%a: memref<65536xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 65536 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%i] : memref<65536xf32>
  } {mlirprof.parallel}
  return
}

// -----

// An assertion about numbers is repeated by the workgroups of the loop behind it; one about
// a buffer's element has a phase before.

// CHECK-LABEL: func.func private @assertions_0
// CHECK-SAME: mlirprof.grid = array<i32: 1, 1, 1>
// CHECK: memref.load
// CHECK: cf.assert %{{.*}}, "element"
// CHECK-NOT: "number"
// CHECK-LABEL: func.func private @assertions_1
// CHECK: arith.cmpi ult
// CHECK: cf.assert %{{.*}}, "number"
// CHECK: scf.for
// CHECK-NOT: func.func
func.func private @assertions(%a: memref<256x512xf32>, %n: index, %out: memref<256x512xf32>)
    attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.load %a[%c0, %c0] : memref<256x512xf32>
  %positive = arith.cmpf ogt, %x, %zero : f32
  cf.assert %positive, "element"
  %inside = arith.cmpi ult, %n, %c512 : index
  cf.assert %inside, "number"
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %v = memref.load %a[%i, %n] : memref<256x512xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %out[%i, %j] : memref<256x512xf32>
    }
  } {mlirprof.parallel}
  return
}
