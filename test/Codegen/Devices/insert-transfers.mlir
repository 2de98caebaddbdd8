// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(func.func(insert-transfers))' --split-input-file %s > %t
// RUN: FileCheck %s --input-file=%t
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(func.func(insert-transfers))' --split-input-file %t \
// RUN:   | diff - %t

func.func private @k(%a: memref<4xf32>, %b: memref<4xf32>) attributes {dispatch.kernel}

// One transfer each way, none between dispatches of the device. The host reads the last
// result, and waits once, at the end.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[A:.*]]: memref<4xf32> {
// CHECK-NEXT: dispatch.transfer %[[X]] to "npu" : memref<4xf32>
// CHECK-NEXT: dispatch.run @k ins(%[[X]] {{.*}} outs(%[[A]] {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.run @k ins(%[[A]] {{.*}} outs(%[[Y]] {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.transfer %[[Y]] from "npu" : memref<4xf32>
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: return
func.func @chain(%x: memref<4xf32>, %y: memref<4xf32>,
                 %a: memref<4xf32> {mlirprof.workspace = 0 : i64}) {
  dispatch.run @k ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) {device = "npu"}
  dispatch.run @k ins(%a : memref<4xf32>) outs(%y : memref<4xf32>) {device = "npu"}
  return
}

// The host waits before it reads, not before what does not depend on the device; and
// before it overwrites what a transfer reads.
// CHECK-LABEL: func.func @waits
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[A:.*]]: memref<4xf32> {{{.*}}}, %[[B:.*]]: memref<4xf32> {
// CHECK-NEXT: dispatch.run @k ins(%[[X]] {{.*}} outs(%[[B]]
// CHECK-NEXT: dispatch.transfer %[[B]] to "npu"
// CHECK-NEXT: dispatch.run @k ins(%[[B]] {{.*}} outs(%[[A]] {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.run @k ins(%[[X]] {{.*}} outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: dispatch.run @k ins(%[[X]] {{.*}} outs(%[[B]] : memref<4xf32>)
// CHECK-NEXT: dispatch.transfer %[[A]] from "npu"
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: dispatch.run @k ins(%[[A]] {{.*}} outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT: return
func.func @waits(%x: memref<4xf32>, %y: memref<4xf32>,
                 %a: memref<4xf32> {mlirprof.workspace = 0 : i64},
                 %b: memref<4xf32> {mlirprof.workspace = 64 : i64}) {
  dispatch.run @k ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  dispatch.run @k ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) {device = "npu"}
  dispatch.run @k ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  dispatch.run @k ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  dispatch.run @k ins(%a : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// The way between devices is through the host.
// CHECK-LABEL: func.func @two
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[A:.*]]: memref<4xf32> {
// CHECK: dispatch.run @k ins(%[[X]] {{.*}} outs(%[[A]] {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.transfer %[[A]] from "npu"
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: dispatch.transfer %[[A]] to "dsp"
// CHECK-NEXT: dispatch.run @k ins(%[[A]] {{.*}} outs(%[[Y]] {{.*}} {device = "dsp"}
// CHECK-NEXT: dispatch.transfer %[[Y]] from "dsp"
// CHECK-NEXT: dispatch.wait "dsp"
func.func @two(%x: memref<4xf32>, %y: memref<4xf32>,
               %a: memref<4xf32> {mlirprof.workspace = 0 : i64}) {
  dispatch.run @k ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) {device = "npu"}
  dispatch.run @k ins(%a : memref<4xf32>) outs(%y : memref<4xf32>) {device = "dsp"}
  return
}

// -----

func.func private @k(%a: memref<4xf32>, %b: memref<4xf32>) attributes {dispatch.kernel}
func.func private @k8(%a: memref<8xf32>, %b: memref<8xf32>) attributes {dispatch.kernel}
memref.global "private" constant @c : memref<4xf32> = dense<2.0>

// Parts of one buffer: only the half that is not there is copied. Constants are there.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[Y:.*]]: memref<8xf32>, %[[A:.*]]: memref<32xi8> {
// CHECK: dispatch.run @k ins(%{{.*}} {{.*}} outs(%[[LOW:.*]] : memref<4xf32>) {device = "npu"}
// CHECK-NEXT: dispatch.run @k ins(%{{.*}} {{.*}} outs(%[[HIGH:.*]] : memref<4xf32>)
// CHECK-NEXT: dispatch.transfer %[[A]] to "npu" range [16, 16] : memref<32xi8>
// CHECK-NEXT: dispatch.run @k8 {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.transfer %[[A]] from "npu" range [0, 16] : memref<32xi8>
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: dispatch.run @k8
// CHECK-NEXT: return
func.func @parts(%y: memref<8xf32>, %a: memref<32xi8> {mlirprof.workspace = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c = memref.get_global @c : memref<4xf32>
  %all = memref.view %a[%c0][] : memref<32xi8> to memref<8xf32>
  %low = memref.view %a[%c0][] : memref<32xi8> to memref<4xf32>
  %high = memref.view %a[%c16][] : memref<32xi8> to memref<4xf32>
  dispatch.run @k ins(%c : memref<4xf32>) outs(%low : memref<4xf32>) {device = "npu"}
  dispatch.run @k ins(%c : memref<4xf32>) outs(%high : memref<4xf32>)
  dispatch.run @k8 ins(%all : memref<8xf32>) outs(%y : memref<8xf32>) {device = "npu"}
  dispatch.run @k8 ins(%all : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

func.func private @k(%a: memref<4xf32>, %b: memref<4xf32>) attributes {dispatch.kernel}
func.func private @more(%a: memref<4xf32>, %b: memref<i1>) attributes {dispatch.kernel}

// What an iteration needs of the one before it stays on the device: the first one gets it
// in front of the loop.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>,
// CHECK: dispatch.transfer %[[X]] to "npu"
// CHECK-NEXT: scf.for
// CHECK-NEXT: dispatch.run @k {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.run @k {{.*}} {device = "npu"}
// CHECK-NEXT: }
// CHECK-NEXT: dispatch.transfer %[[X]] from "npu"
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: return
func.func @loop(%x: memref<4xf32>, %y: memref<4xf32>, %n: index,
                %a: memref<4xf32> {mlirprof.workspace = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    dispatch.run @k ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) {device = "npu"}
    dispatch.run @k ins(%a : memref<4xf32>) outs(%x : memref<4xf32>) {device = "npu"}
  }
  return
}

// The condition is read on the host in each iteration.
// CHECK-LABEL: func.func @condition
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[FLAG:.*]]: memref<i1> {
// CHECK-NEXT: dispatch.transfer %[[X]] to "npu"
// CHECK-NEXT: scf.while
// CHECK-NEXT: dispatch.run @more {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.transfer %[[FLAG]] from "npu"
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: memref.load %[[FLAG]]
// CHECK: } do {
// CHECK-NEXT: dispatch.run @k {{.*}} {device = "npu"}
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: dispatch.transfer %[[X]] from "npu"
// CHECK-NEXT: dispatch.wait "npu"
func.func @condition(%x: memref<4xf32>, %flag: memref<i1> {mlirprof.workspace = 0 : i64}) {
  scf.while : () -> () {
    dispatch.run @more ins(%x : memref<4xf32>) outs(%flag : memref<i1>) {device = "npu"}
    %more = memref.load %flag[] : memref<i1>
    scf.condition(%more)
  } do {
    dispatch.run @k ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) {device = "npu"}
    scf.yield
  }
  return
}

// A branch on the device, and none: both end on the host.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>,
// CHECK-NEXT: scf.if
// CHECK-NEXT: dispatch.transfer %[[X]] to "npu"
// CHECK-NEXT: dispatch.run @k {{.*}} {device = "npu"}
// CHECK-NEXT: dispatch.transfer %[[Y]] from "npu"
// CHECK-NEXT: }
// CHECK-NEXT: dispatch.wait "npu"
// CHECK-NEXT: dispatch.run @k ins(%[[Y]]
func.func @branch(%x: memref<4xf32>, %y: memref<4xf32>, %is: i1,
                  %a: memref<4xf32> {mlirprof.workspace = 0 : i64}) {
  scf.if %is {
    dispatch.run @k ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {device = "npu"}
  }
  dispatch.run @k ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// A function without devices stays as it is.
// CHECK-LABEL: func.func @host
// CHECK-NEXT: dispatch.run
// CHECK-NEXT: return
func.func @host(%x: memref<4xf32>, %y: memref<4xf32>) {
  dispatch.run @k ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
