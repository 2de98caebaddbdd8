// Accesses of bf16 under masks are those of its bits; others stay.

// RUN: %mlir-prof-opt %s --cpu-mask-bfloat | FileCheck %s

// CHECK-LABEL: llvm.func @copy(
// CHECK-SAME: %[[FROM:.*]]: !llvm.ptr, %[[TO:.*]]: !llvm.ptr, %[[MASK:.*]]: vector<8xi1>, %[[OTHER:.*]]: vector<8xbf16>)
llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr, %mask: vector<8xi1>, %other: vector<8xbf16>) {
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[OTHER]] : vector<8xbf16> to vector<8xi16>
  // CHECK: %[[LOADED:.*]] = llvm.intr.masked.load %[[FROM]], %[[MASK]], %[[BITS]] {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi16>) -> vector<8xi16>
  // CHECK: %[[X:.*]] = llvm.bitcast %[[LOADED]] : vector<8xi16> to vector<8xbf16>
  %x = llvm.intr.masked.load %from, %mask, %other {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  // CHECK: %[[STORED:.*]] = llvm.bitcast %[[X]] : vector<8xbf16> to vector<8xi16>
  // CHECK: llvm.intr.masked.store %[[STORED]], %[[TO]], %[[MASK]] {alignment = 2 : i32} : vector<8xi16>, vector<8xi1> into !llvm.ptr
  llvm.intr.masked.store %x, %to, %mask {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @singles(
// CHECK-NOT: llvm.bitcast
// CHECK: llvm.return
llvm.func @singles(%from: !llvm.ptr, %to: !llvm.ptr, %mask: vector<8xi1>, %other: vector<8xf32>) {
  %x = llvm.intr.masked.load %from, %mask, %other {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  llvm.intr.masked.store %x, %to, %mask {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
  llvm.return
}
