// A border into which several dispatches write is filled for each of them.

// RUN: %mlir-prof-opt --cpu-repeat-fills %s | FileCheck %s

func.func private @fill(%c: i8, %out: tensor<4xi8>) -> tensor<4xi8> attributes {dispatch.kernel} {
  %0 = linalg.fill ins(%c : i8) outs(%out : tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func private @put(%x: tensor<2xi8>, %out: tensor<4xi8>) -> tensor<4xi8>
    attributes {dispatch.kernel} {
  %0 = tensor.insert_slice %x into %out[1] [2] [1] : tensor<2xi8> into tensor<4xi8>
  return %0 : tensor<4xi8>
}

// CHECK-LABEL: @two
// CHECK-NEXT:    tensor.empty() : tensor<4xi8>
// CHECK-NEXT:    [[EMPTY:%.*]] = tensor.empty() : tensor<4xi8>
// CHECK-NEXT:    [[FIRST:%.*]] = dispatch.run @fill ins(%arg2 : i8) outs([[EMPTY]]
// CHECK-NEXT:    dispatch.run @put ins(%arg0 {{.*}} outs([[FIRST]] {{.*}} updates [0]
// CHECK-NEXT:    [[EMPTY:%.*]] = tensor.empty() : tensor<4xi8>
// CHECK-NEXT:    [[SECOND:%.*]] = dispatch.run @fill ins(%arg2 : i8) outs([[EMPTY]]
// CHECK-NEXT:    dispatch.run @put ins(%arg1 {{.*}} outs([[SECOND]] {{.*}} updates [0]
func.func @two(%x: tensor<2xi8>, %y: tensor<2xi8>, %c: i8) -> (tensor<4xi8>, tensor<4xi8>) {
  %empty = tensor.empty() : tensor<4xi8>
  %border = dispatch.run @fill ins(%c : i8) outs(%empty : tensor<4xi8>) -> tensor<4xi8>
  %0 = dispatch.run @put ins(%x : tensor<2xi8>) outs(%border : tensor<4xi8>) updates [0]
         -> tensor<4xi8>
  %1 = dispatch.run @put ins(%y : tensor<2xi8>) outs(%border : tensor<4xi8>) updates [0]
         -> tensor<4xi8>
  return %0, %1 : tensor<4xi8>, tensor<4xi8>
}

// What others read stays.

// CHECK-LABEL: @read
// CHECK:         [[BORDER:%.*]] = dispatch.run @fill
// CHECK:         [[OWN:%.*]] = dispatch.run @fill
// CHECK-NEXT:    dispatch.run @put {{.*}} outs([[OWN]]
// CHECK:         return {{.*}}, [[BORDER]]
func.func @read(%x: tensor<2xi8>, %c: i8) -> (tensor<4xi8>, tensor<4xi8>) {
  %empty = tensor.empty() : tensor<4xi8>
  %border = dispatch.run @fill ins(%c : i8) outs(%empty : tensor<4xi8>) -> tensor<4xi8>
  %0 = dispatch.run @put ins(%x : tensor<2xi8>) outs(%border : tensor<4xi8>) updates [0]
         -> tensor<4xi8>
  return %0, %border : tensor<4xi8>, tensor<4xi8>
}

// One use, and contents that were computed from others, are left as they are.

// CHECK-LABEL: @left
// CHECK-COUNT-1: dispatch.run @fill
// CHECK-NOT:     dispatch.run @fill
// CHECK-COUNT-3: dispatch.run @put
// CHECK-NOT:     dispatch.run
func.func @left(%x: tensor<2xi8>, %y: tensor<2xi8>, %c: i8) -> (tensor<4xi8>, tensor<4xi8>) {
  %empty = tensor.empty() : tensor<4xi8>
  %border = dispatch.run @fill ins(%c : i8) outs(%empty : tensor<4xi8>) -> tensor<4xi8>
  %0 = dispatch.run @put ins(%x : tensor<2xi8>) outs(%border : tensor<4xi8>) updates [0]
         -> tensor<4xi8>
  %1 = dispatch.run @put ins(%x : tensor<2xi8>) outs(%0 : tensor<4xi8>) updates [0]
         -> tensor<4xi8>
  %2 = dispatch.run @put ins(%y : tensor<2xi8>) outs(%0 : tensor<4xi8>) updates [0]
         -> tensor<4xi8>
  return %1, %2 : tensor<4xi8>, tensor<4xi8>
}
