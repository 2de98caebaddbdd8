// Which ops become a kernel together, what its operands are, and what stays.

// RUN: %mlir-prof-opt --split-input-file --form-dispatches %s | FileCheck %s

// A product with its epilogue: the kernel makes the fill, the weights are an
// operand, and the empty tensor becomes the destination.

// CHECK-LABEL: func.func private @matmul_bias(
// CHECK-SAME: %[[x:[a-z0-9]+]]: tensor<8x16xf32>, %[[w:[a-z0-9]+]]: tensor<16x4xf32>, %[[b:[a-z0-9]+]]: tensor<4xf32>, %[[out:[a-z0-9]+]]: tensor<8x4xf32>)
// CHECK-SAME: -> tensor<8x4xf32> attributes {dispatch.kernel}
// CHECK-NOT: tensor.empty
// CHECK: %[[zero:.+]] = arith.constant 0.0
// CHECK: %[[fill:.+]] = linalg.fill ins(%[[zero]] : f32) outs(%[[out]] : tensor<8x4xf32>)
// CHECK: %[[p:.+]] = linalg.matmul ins(%[[x]], %[[w]] : {{.*}}) outs(%[[fill]] : tensor<8x4xf32>)
// CHECK: %[[r:.+]] = linalg.generic {{.*}} ins(%[[p]], %[[b]] : {{.*}}) outs(%[[out]] : tensor<8x4xf32>)
// CHECK: return %[[r]]
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[x:.+]]: tensor<8x16xf32>, %[[b:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[w:.+]] = arith.constant dense_resource<weights>
// CHECK-NEXT: %[[e:.+]] = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT: %[[r:.+]] = dispatch.run @matmul_bias ins(%[[x]], %[[w]], %[[b]] : {{.*}}) outs(%[[e]] : tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: return %[[r]]
func.func @product(%x: tensor<8x16xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %w = arith.constant dense_resource<weights> : tensor<16x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>)
    outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

// Two readers: the product cannot keep its result in registers.

// CHECK: func.func private @matmul(
// CHECK: func.func private @exp(
// CHECK-LABEL: func.func @two_readers(
// CHECK: %[[p:.+]] = dispatch.run @matmul
// CHECK: %[[e:.+]] = dispatch.run @exp ins(%[[p]] : tensor<8x4xf32>)
// CHECK: return %[[p]], %[[e]]
func.func @two_readers(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>)
    outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.exp ins(%p : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %p, %r : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// A softmax is one kernel.

// The name of a function is not taken again.

// CHECK-LABEL: func.func private @softmax_1(
// CHECK-SAME: %[[x:[a-z0-9]+]]: tensor<64x16xf32>, %[[out:[a-z0-9]+]]: tensor<64x16xf32>)
// CHECK: tensor.empty() : tensor<64xf32>
// CHECK: linalg.fill
// CHECK: linalg.generic {{.*}} ins(%[[x]] : tensor<64x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[out]] : tensor<64x16xf32>)
// CHECK: tensor.empty() : tensor<64xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<64xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[out]] : tensor<64x16xf32>)
// CHECK-LABEL: func.func @softmax(
// CHECK-COUNT-1: dispatch.run
// CHECK-NOT: dispatch.run
func.func @softmax(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %ev = tensor.empty() : tensor<64xf32>
  %fm = linalg.fill ins(%low : f32) outs(%ev : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x16xf32>) outs(%fm : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %ex = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                         affine_map<(i, j) -> (i, j)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x16xf32>, tensor<64xf32>) outs(%e : tensor<64x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.subf %a, %c : f32
    %r = math.exp %s : f32
    linalg.yield %r : f32
  } -> tensor<64x16xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%ev : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%ex : tensor<64x16xf32>) outs(%fs : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%ex, %sum : tensor<64x16xf32>, tensor<64xf32>) outs(%e : tensor<64x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.divf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<64x16xf32>
  return %d : tensor<64x16xf32>
}

// -----

// A lowered pad belongs to its reader.

// CHECK-LABEL: func.func private @pad_conv3x3(
// CHECK-SAME: %[[x:[a-z0-9]+]]: tensor<1x6x6x4xf32>, %{{[a-z0-9]+}}: tensor<3x3x4x8xf32>, %[[out:[a-z0-9]+]]: tensor<1x6x6x8xf32>)
// CHECK: tensor.empty() : tensor<1x8x8x4xf32>
// CHECK: linalg.copy ins(%[[x]] :
// CHECK: linalg.fill {{.*}} outs(%[[out]] : tensor<1x6x6x8xf32>)
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-LABEL: func.func @pad(
// CHECK-NEXT: tensor.empty() : tensor<1x6x6x8xf32>
// CHECK-NEXT: dispatch.run @pad_conv3x3
// CHECK-NEXT: return
func.func @pad(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x4xf32>
  %b = tensor.extract_slice %e[0, 0, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1]
    : tensor<1x8x8x4xf32> to tensor<1x1x8x4xf32>
  %bf = linalg.fill ins(%zero : f32) outs(%b : tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %p1 = tensor.insert_slice %bf into %e[0, 0, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1]
    : tensor<1x1x8x4xf32> into tensor<1x8x8x4xf32>
  %s = tensor.extract_slice %p1[0, 1, 1, 0] [1, 6, 6, 4] [1, 1, 1, 1]
    : tensor<1x8x8x4xf32> to tensor<1x6x6x4xf32>
  %c = linalg.copy ins(%x : tensor<1x6x6x4xf32>) outs(%s : tensor<1x6x6x4xf32>)
    -> tensor<1x6x6x4xf32>
  %p2 = tensor.insert_slice %c into %p1[0, 1, 1, 0] [1, 6, 6, 4] [1, 1, 1, 1]
    : tensor<1x6x6x4xf32> into tensor<1x8x8x4xf32>
  %r = tensor.empty() : tensor<1x6x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%p2, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%f : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}

// -----

// Parts of a concatenation: a product writes its part in place, whose position
// is an operand; a part that has another reader is copied.

// CHECK-LABEL: func.func private @insert(
// CHECK-LABEL: func.func private @matmul_insert(
// CHECK-SAME: %[[at:[a-z0-9]+]]: index, %[[c:[a-z0-9]+]]: tensor<8x8xf32>)
// CHECK: %[[p:.+]] = linalg.matmul
// CHECK: tensor.insert_slice %[[p]] into %[[c]][0, %[[at]]]
// CHECK-LABEL: func.func @concat(
// CHECK: %[[c1:.+]] = dispatch.run @insert ins(%{{.+}} : tensor<8x4xf32>) outs(%{{.+}} : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK: %[[at:.+]] = arith.constant 4 : index
// CHECK: dispatch.run @matmul_insert ins(%{{.+}}, %{{.+}}, %[[at]] : {{.*}}) outs(%[[c1]] : tensor<8x8xf32>) updates [0] -> tensor<8x8xf32>
func.func @concat(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %z: tensor<8x4xf32>)
    -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>)
    outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = tensor.empty() : tensor<8x8xf32>
  %c1 = tensor.insert_slice %z into %c[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  %c2 = tensor.insert_slice %p into %c1[0, 4] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  return %c2 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func private @concat(
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-LABEL: func.func @copies(
// CHECK-COUNT-1: dispatch.run @concat
// CHECK-NOT: dispatch.run
func.func @copies(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %c = tensor.empty() : tensor<8x8xf32>
  %c1 = tensor.insert_slice %x into %c[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  %c2 = tensor.insert_slice %y into %c1[0, 4] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  return %c2 : tensor<8x8xf32>
}

// -----

// Dynamic sizes: the host side knows that of the result, the kernel computes
// those of its own tensors from its arguments.

// CHECK-LABEL: func.func private @matmul_exp(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?x16xf32>, %{{[a-z0-9]+}}: tensor<16x?xf32>, %[[out:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK: linalg.fill {{.*}} outs(%[[out]] : tensor<?x?xf32>)
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[m:.+]] = tensor.dim
// CHECK: %[[n:.+]] = tensor.dim
// CHECK: %[[e:.+]] = tensor.empty(%[[m]], %[[n]])
// CHECK: dispatch.run @matmul_exp {{.*}} outs(%[[e]] : tensor<?x?xf32>)
func.func @dynamic(%x: tensor<?x16xf32>, %w: tensor<16x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %n = tensor.dim %w, %c1 : tensor<16x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x?xf32>)
    outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.exp ins(%p : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Loops of the model stay on the host side, with dispatches in them; a kernel
// in a loop makes the fill outside of it. A loop of vectors is a kernel.

// CHECK-LABEL: func.func private @matmul(
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK-LABEL: func.func private @loop(
// CHECK: scf.for
// CHECK: vector.transfer_write
// CHECK-LABEL: func.func @loops(
// CHECK-NOT: linalg.fill
// CHECK: scf.for
// CHECK: dispatch.run @matmul
// CHECK: scf.yield
// CHECK: dispatch.run @loop outs
func.func @loops(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> (tensor<8x8xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<8x8xf32> {
    %p = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  %v = tensor.empty() : tensor<64xf32>
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %l = scf.for %i = %c0 to %c64 step %c8 iter_args(%t = %v) -> tensor<64xf32> {
    %u = vector.transfer_write %ones, %t[%i] {in_bounds = [true]} : vector<8xf32>, tensor<64xf32>
    scf.yield %u : tensor<64xf32>
  }
  return %r, %l : tensor<8x8xf32>, tensor<64xf32>
}

// -----

// Reshapes at the border stay on the host side, slices are made by kernels, and
// an op that starts from a tensor of the host side updates it.

// The slice is a part of an input, which must not be written.

// CHECK-LABEL: func.func private @matmul(
// CHECK-SAME: %[[a:[a-z0-9]+]]: tensor<4x4x8xf32> {bufferization.writable = false}, %[[i:[a-z0-9]+]]: index
// CHECK: tensor.extract_slice %[[a]][0, %[[i]], 0]
// CHECK: %[[p:.+]] = linalg.matmul
// CHECK: bufferization.materialize_in_destination %[[p]] in
// CHECK-LABEL: func.func private @transpose(
// CHECK-LABEL: func.func private @matmul_1(
// CHECK-LABEL: func.func @borders(
// CHECK-SAME: %[[x:[a-z0-9]+]]: tensor<4x32xf32>, %[[acc:[a-z0-9]+]]: tensor<8x8xf32>, %[[i:[a-z0-9]+]]: index)
// CHECK: %[[a:.+]] = tensor.expand_shape %[[x]]
// CHECK: %[[t:.+]] = dispatch.run @matmul ins(%[[a]], %[[i]], %[[acc]] :
// CHECK: %[[tt:.+]] = dispatch.run @transpose ins(%[[t]]
// CHECK: %[[p:.+]] = dispatch.run @matmul_1 ins(%[[tt]], %[[t]] : {{.*}}) outs(%[[acc]] : tensor<8x8xf32>) updates [0]
// CHECK: tensor.collapse_shape %[[p]]
func.func @borders(%x: tensor<4x32xf32>, %acc: tensor<8x8xf32>, %i: index) -> tensor<64xf32> {
  %a = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 4, 8]
    : tensor<4x32xf32> into tensor<4x4x8xf32>
  %s = tensor.extract_slice %a[0, %i, 0] [4, 1, 8] [1, 1, 1]
    : tensor<4x4x8xf32> to tensor<4x8xf32>
  %t = linalg.matmul ins(%s, %acc : tensor<4x8xf32>, tensor<8x8xf32>)
    outs(%s : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tensor.empty() : tensor<8x4xf32>
  %tt = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%c : tensor<8x4xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%tt, %t : tensor<8x4xf32>, tensor<4x8xf32>)
    outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = tensor.collapse_shape %p [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// Fills that the host side reads are kernels, too. Ops on numbers stay.

// CHECK-LABEL: func.func private @fill(
// CHECK-LABEL: func.func private @add(
// CHECK: linalg.fill
// CHECK: linalg.add
// CHECK-LABEL: func.func @host(
// CHECK: %[[f:.+]] = dispatch.run @fill
// CHECK: %[[s:.+]] = dispatch.run @add ins(%{{.+}} : tensor<4xf32>)
// CHECK: tensor.extract %[[s]]
// CHECK: arith.addf
// CHECK: return %[[f]], %[[s]]
func.func @host(%x: tensor<4xf32>, %i: index) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.add ins(%x, %f : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %n = tensor.extract %s[%i] : tensor<4xf32>
  %m = arith.addf %n, %n : f32
  return %f, %s, %m : tensor<4xf32>, tensor<4xf32>, f32
}

// -----

// An op in a parallel loop stays there: one thread of the host side runs a
// dispatch.
// CHECK-LABEL: func.func @parallel
// CHECK-NOT: dispatch.run
// CHECK: scf.forall
// CHECK: linalg.exp
func.func @parallel(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %empty = tensor.empty() : tensor<4x64xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %empty) -> (tensor<4x64xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1]
      : tensor<4x64xf32> to tensor<1x64xf32>
    %out = tensor.extract_slice %o[%i, 0] [1, 64] [1, 1]
      : tensor<4x64xf32> to tensor<1x64xf32>
    %e = linalg.exp ins(%row : tensor<1x64xf32>) outs(%out : tensor<1x64xf32>)
      -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i, 0] [1, 64] [1, 1]
        : tensor<1x64xf32> into tensor<4x64xf32>
    }
  }
  return %r : tensor<4x64xf32>
}

// -----

// The parts of a concatenation are written into the kernel's output.

// CHECK-LABEL: func.func private @concat(
// CHECK-SAME: %[[A:.*]]: tensor<4x2xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[OUT:.*]]: tensor<4x8xf32>)
// CHECK-NOT: tensor.concat
// CHECK: %[[ONE:.*]] = tensor.insert_slice %[[A]] into %[[OUT]][0, 0] [4, 2] [1, 1]
// CHECK: %[[BOTH:.*]] = tensor.insert_slice %[[B]] into %[[ONE]][0, 2] [4, 6] [1, 1]
// CHECK: return %[[BOTH]]
func.func @parts(%a: tensor<4x2xf32>, %b: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<4x2xf32>, tensor<4x6xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// -----

// A product in the middle of a padded tensor: its kernel fills the borders.

// CHECK-LABEL: func.func private @pad_matmul_insert(
// CHECK-SAME: %{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16x4xf32>, %[[OUT:.*]]: tensor<8x6xf32>)
// CHECK: %[[BORDER:.*]] = tensor.extract_slice %[[OUT]][0, 0] [8, 2] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[BORDER]]
// CHECK: linalg.matmul
// CHECK: %[[BOTH:.*]] = tensor.insert_slice {{.*}}[0, 2] [8, 4] [1, 1]
// CHECK: return %[[BOTH]]
// CHECK-LABEL: func.func @padded(
// CHECK-COUNT-1: dispatch.run
// CHECK-NOT: dispatch.run
func.func @padded(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %b = tensor.extract_slice %e[0, 0] [8, 2] [1, 1] : tensor<8x6xf32> to tensor<8x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%b : tensor<8x2xf32>) -> tensor<8x2xf32>
  %p = tensor.insert_slice %f into %e[0, 0] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x6xf32>
  %e4 = tensor.empty() : tensor<8x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e4 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = tensor.insert_slice %m into %p[0, 2] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// -----

// A loop that changes the size of what it carries stays; one that writes
// elements is a kernel.
// CHECK-LABEL: func.func private @loop(
// CHECK: tensor.insert
// CHECK-LABEL: func.func @sizes(
// CHECK: scf.for
// CHECK: tensor.concat
// CHECK: scf.yield
// CHECK: dispatch.run @loop
func.func @sizes(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %doubled = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %y = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  %same = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %inner = scf.for %j = %c0 to %i step %c1 iter_args(%z = %x) -> (tensor<?xf32>) {
      %y = tensor.insert %zero into %z[%j] : tensor<?xf32>
      scf.yield %y : tensor<?xf32>
    }
    scf.yield %inner : tensor<?xf32>
  }
  return %doubled, %same : tensor<?xf32>, tensor<?xf32>
}

// -----

// Results that begin as the same empty tensor or as the same zeros have places
// of their own.
// CHECK-LABEL: func.func private @relu(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[A:[a-z0-9]+]]: tensor<?xf32>, %[[B:[a-z0-9]+]]: tensor<?xf32>)
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[A]], %[[B]] :
// CHECK-LABEL: func.func private @sum(
// CHECK: linalg.fill {{.*}} outs(%arg1 :
// CHECK: linalg.fill {{.*}} outs(%arg2 :
// CHECK-LABEL: func.func @twice(
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[P:.*]] = tensor.empty(%[[N]])
// CHECK: %[[Q:.*]] = tensor.empty(%[[N]])
// CHECK: dispatch.run @relu {{.*}} outs(%[[P]], %[[Q]] :
// CHECK: %[[U:.*]] = tensor.empty(%[[N]])
// CHECK: %[[V:.*]] = tensor.empty(%[[N]])
// CHECK: dispatch.run @sum {{.*}} outs(%[[U]], %[[V]] :
func.func @twice(%x: tensor<?xf32>, %y: tensor<?x4xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m, %a : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x4xf32>) outs(%f, %f : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = arith.addf %a, %o : f32
    %m = arith.maximumf %a, %p : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// Several kernels copy the parts of a long concatenation.

// CHECK-LABEL: func.func private @concat(
// CHECK-COUNT-8: tensor.insert_slice
// CHECK-NOT: tensor.insert_slice
// CHECK-LABEL: func.func private @concat_1(
// CHECK-COUNT-32: tensor.insert_slice
// CHECK-NOT: tensor.insert_slice
// CHECK-LABEL: func.func @long(
// CHECK: %[[FIRST:.*]] = dispatch.run @concat ins
// CHECK: dispatch.run @concat_1 ins({{.*}}) outs(%[[FIRST]] : tensor<80xf32>) updates [0]
// CHECK-NOT: dispatch.run
func.func @long(%x: tensor<2xf32>) -> tensor<80xf32> {
  %r = tensor.concat dim(0) %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<80xf32>
  return %r : tensor<80xf32>
}
