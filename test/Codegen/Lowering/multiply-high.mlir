// RUN: mlir-prof-opt --cpu-multiply-high -canonicalize %s | FileCheck %s

// Lanes 0 and 2, and lanes 1 and 3, are multiplied apart; the high halves are lanes 1 and 3
// of both.

// CHECK-LABEL: @rounded
// CHECK-SAME:    ([[A:%.*]]: vector<4xi32>, [[B:%.*]]: vector<4xi32>)
// CHECK-DAG:     [[PAIRS:%.*]] = vector.bitcast [[A]] : vector<4xi32> to vector<2xi64>
// CHECK-DAG:     [[LOW:%.*]] = arith.shli [[PAIRS]], %{{.*}} : vector<2xi64>
// CHECK:         arith.shrsi [[LOW]]
// CHECK:         arith.muli %{{.*}} : vector<2xi64>
// CHECK:         arith.addi %{{.*}} : vector<2xi64>
// CHECK:         [[EVEN:%.*]] = vector.bitcast %{{.*}} : vector<2xi64> to vector<4xi32>
// CHECK:         vector.shuffle [[A]], [[A]] [1, 1, 3, 3]
// CHECK:         vector.shuffle [[B]], [[B]] [1, 1, 3, 3]
// CHECK:         arith.shrsi %{{.*}} : vector<2xi64>
// CHECK:         [[ODD:%.*]] = vector.bitcast %{{.*}} : vector<2xi64> to vector<4xi32>
// CHECK:         vector.shuffle [[EVEN]], [[ODD]] [1, 5, 3, 7]
func.func @rounded(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  %term = arith.constant dense<2147483648> : vector<4xi64>
  %bits = arith.constant dense<32> : vector<4xi64>
  %0 = arith.extsi %a : vector<4xi32> to vector<4xi64>
  %1 = arith.extsi %b : vector<4xi32> to vector<4xi64>
  %2 = arith.muli %0, %1 : vector<4xi64>
  %3 = arith.addi %2, %term : vector<4xi64>
  %4 = arith.shrsi %3, %bits : vector<4xi64>
  %5 = arith.trunci %4 : vector<4xi64> to vector<4xi32>
  return %5 : vector<4xi32>
}

// One number for all lanes.

// CHECK-LABEL: @constant
// CHECK-DAG:     [[NUMBER:%.*]] = arith.constant dense<1073741825> : vector<4xi64>
// CHECK-COUNT-2: arith.muli %{{.*}}, [[NUMBER]] : vector<4xi64>
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
func.func @constant(%a: vector<8xi32>) -> vector<8xi32> {
  %number = arith.constant dense<1073741825> : vector<8xi64>
  %bits = arith.constant dense<32> : vector<8xi64>
  %0 = arith.extsi %a : vector<8xi32> to vector<8xi64>
  %1 = arith.muli %0, %number : vector<8xi64>
  %2 = arith.shrui %1, %bits : vector<8xi64>
  %3 = arith.trunci %2 : vector<8xi64> to vector<8xi32>
  return %3 : vector<8xi32>
}

// Other shifts, other factors, and numbers that are no vectors stay.

// CHECK-LABEL: @others
// CHECK-NOT:     vector.shuffle
func.func @others(%a: vector<4xi32>, %b: vector<4xi64>, %c: i32) -> (vector<4xi32>, vector<4xi32>, i32) {
  %less = arith.constant dense<31> : vector<4xi64>
  %bits = arith.constant dense<32> : vector<4xi64>
  %one = arith.constant 32 : i64
  %0 = arith.extsi %a : vector<4xi32> to vector<4xi64>
  %1 = arith.muli %0, %0 : vector<4xi64>
  %2 = arith.shrsi %1, %less : vector<4xi64>
  %3 = arith.trunci %2 : vector<4xi64> to vector<4xi32>
  %4 = arith.muli %0, %b : vector<4xi64>
  %5 = arith.shrsi %4, %bits : vector<4xi64>
  %6 = arith.trunci %5 : vector<4xi64> to vector<4xi32>
  %7 = arith.extsi %c : i32 to i64
  %8 = arith.muli %7, %7 : i64
  %9 = arith.shrsi %8, %one : i64
  %10 = arith.trunci %9 : i64 to i32
  return %3, %6, %10 : vector<4xi32>, vector<4xi32>, i32
}
