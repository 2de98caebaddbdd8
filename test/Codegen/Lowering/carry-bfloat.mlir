// Ops that only carry bf16 carry its bits, in and between blocks.

// RUN: %mlir-prof-opt %s --cpu-carry-bfloat | FileCheck %s

// CHECK-LABEL: llvm.func @copy(
// CHECK-SAME: %[[FROM:.*]]: !llvm.ptr, %[[TO:.*]]: !llvm.ptr, %[[MASK:.*]]: vector<8xi1>, %[[OTHER:.*]]: vector<8xbf16>)
llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr, %mask: vector<8xi1>, %other: vector<8xbf16>) {
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[OTHER]] : vector<8xbf16> to vector<8xi16>
  // CHECK: %[[X:.*]] = llvm.intr.masked.load %[[FROM]], %[[MASK]], %[[BITS]] {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi16>) -> vector<8xi16>
  %x = llvm.intr.masked.load %from, %mask, %other {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  // CHECK: llvm.intr.masked.store %[[X]], %[[TO]], %[[MASK]] {alignment = 2 : i32} : vector<8xi16>, vector<8xi1> into !llvm.ptr
  llvm.intr.masked.store %x, %to, %mask {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// 1.5 is 0x3FC0, and -2 is 0xC000. The sum is computed and returned as bf16.

// CHECK-LABEL: llvm.func @loop(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[STOP:.*]]: i1, %[[X:.*]]: bf16) -> bf16
llvm.func @loop(%p: !llvm.ptr, %stop: i1, %x: bf16) -> bf16 {
  // CHECK: %[[START:.*]] = llvm.mlir.constant(16320 : i16) : i16
  %start = llvm.mlir.constant(1.5 : bf16) : bf16
  // CHECK: %[[PAIR:.*]] = llvm.mlir.constant(dense<[16320, -16384]> : vector<2xi16>) : vector<2xi16>
  %pair = llvm.mlir.constant(dense<[1.5, -2.0]> : vector<2xbf16>) : vector<2xbf16>
  // CHECK: llvm.store %[[PAIR]], %[[P]] : vector<2xi16>, !llvm.ptr
  llvm.store %pair, %p : vector<2xbf16>, !llvm.ptr
  // CHECK: llvm.br ^[[BODY:.*]](%[[START]] : i16)
  llvm.br ^body(%start : bf16)
// CHECK: ^[[BODY]](%[[NOW:.*]]: i16):
^body(%now: bf16):
  // CHECK: %[[NUMBER:.*]] = llvm.bitcast %[[NOW]] : i16 to bf16
  // CHECK: %[[SUM:.*]] = llvm.fadd %[[NUMBER]], %[[X]] : bf16
  %sum = llvm.fadd %now, %x : bf16
  // CHECK: %[[NEXT:.*]] = llvm.bitcast %[[SUM]] : bf16 to i16
  // CHECK: llvm.cond_br %[[STOP]], ^[[END:.*]], ^[[BODY]](%[[NEXT]] : i16)
  llvm.cond_br %stop, ^end, ^body(%sum : bf16)
// CHECK: ^[[END]]:
^end:
  // CHECK: llvm.return %[[SUM]] : bf16
  llvm.return %sum : bf16
}

// CHECK-LABEL: llvm.func @singles(
// CHECK-NOT: llvm.bitcast
// CHECK-NOT: i16
// CHECK: llvm.return
llvm.func @singles(%from: !llvm.ptr, %to: !llvm.ptr, %mask: vector<8xi1>, %other: vector<8xf32>) {
  %x = llvm.intr.masked.load %from, %mask, %other {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  llvm.intr.masked.store %x, %to, %mask {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
  llvm.return
}
