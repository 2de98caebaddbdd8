// DEFINE: %{features} =
// DEFINE: %{bits} = 512
// DEFINE: %{error} = 2e-6
// DEFINE: %{run} = %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{vector-bits=%{bits} features=%{features} max-error=%{error}},func.func(cpu-apply-rules{vector-bits=%{bits} features=%{features}},canonicalize,cse))'

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{features=+avx512vnni,+avx512bf16,+avx512vl})' | FileCheck %s --check-prefix=GROUPS
// REDEFINE: %{features} = +avx512vnni,+avx512bf16,+avx512bw,+avx512vl
// RUN: %{run} | FileCheck %s --check-prefix=ALL
// REDEFINE: %{features} = +avx2,+avx512bw,-avx512vnni,-avx512bf16
// RUN: %{run} | FileCheck %s --check-prefix=WORDS
// REDEFINE: %{bits} = 256
// REDEFINE: %{features} = +avxvnni,+avx2
// RUN: %{run} | FileCheck %s --check-prefix=SHORT
// REDEFINE: %{features} = +avx512vnni,+avx512bf16
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{bits} = 512
// REDEFINE: %{features} = +avx512bf16
// REDEFINE: %{error} = 0
// RUN: %{run} | FileCheck %s --check-prefix=NONE

// Sign bits are flipped in the body, which makes the bytes numbers without a
// sign that are 128 larger; the result starts from -128 times the sums
// of the columns, and weights stand four by four, the last group filled up: the
// rows of columns 0 and 1 are 1, 2, 3, 4, 5 and -6, -5, -4, -3, -2.

// GROUPS-DAG: [[WEIGHTS:#.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 4, d2 floordiv 4, (d1 mod 4) * 4 + d2 mod 4)>
// GROUPS-LABEL: func @signs(
// GROUPS-DAG: %[[W:.*]] = arith.constant dense_resource<grouped{{.*}}> : tensor<1x2x16xi8>
// GROUPS-DAG: %[[S:.*]] = arith.constant dense<[-1920, 2560]> : tensor<2xi32>
// GROUPS: %[[START:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<2xi32>)
// GROUPS: linalg.generic {indexing_maps = [{{.*}}, [[WEIGHTS]], {{.*}}]{{.*}} ins(%{{.*}}, %[[W]] : {{.*}}) outs(%[[START]] :
// GROUPS: %[[FLIP:.*]] = arith.constant -128 : i8
// GROUPS: %[[FLIPPED:.*]] = arith.xori %{{.*}}, %[[FLIP]] : i8
// GROUPS: arith.extui %[[FLIPPED]] : i8 to i32
// GROUPS-LABEL: func @mixed(
// GROUPS-NOT: xori
// GROUPS: linalg.generic
// GROUPS-LABEL: func @halves(
// GROUPS: dense_resource<grouped{{.*}}> : tensor<2x3x32xbf16>

// ALL-LABEL: func @signs(
// ALL: vector.transfer_read %{{.*}} : memref<1x2x16xi8>, vector<16xi8>
// ALL: arith.xori
// ALL: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"
// WORDS-LABEL: func @signs(
// WORDS-NOT: vpdpbusd
// WORDS: arith.extsi %{{.*}} : vector<16xi8> to vector<16xi16>
// WORDS-NOT: xori
// SHORT-LABEL: func @signs(
// SHORT: "llvm.x86.avx512.vpdpbusd.128"
// NONE-NOT: call_intrinsic
func.func @signs(%a: tensor<3x5xi8>) -> tensor<3x2xi32> {
  %zero = arith.constant 0 : i32
  %w = arith.constant dense<[[1, -6], [2, -5], [3, -4], [4, -3], [5, -2]]> : tensor<5x2xi8>
  %e = tensor.empty() : tensor<3x2xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x2xi32>) -> tensor<3x2xi32>
  %r = linalg.matmul ins(%a, %w : tensor<3x5xi8>, tensor<5x2xi8>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// Bytes without a sign by bytes with one need nothing; what follows is computed
// on the accumulators. 20 columns: a whole vector and a masked one, which
// reads whole groups.

// ALL-LABEL: func @mixed(
// ALL-NOT: xori
// ALL: scf.for
// ALL: %[[W:.*]] = vector.transfer_read %{{.*}} : memref<2x2x64xi8>, vector<64xi8>
// ALL: %[[X:.*]] = vector.transfer_read %{{.*}} : memref<7x8xi8>, vector<4xi8>
// ALL: %[[WORD:.*]] = vector.bitcast %[[X]] : vector<4xi8> to vector<1xi32>
// ALL: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %{{.*}}, %[[W]]) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// ALL: arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf32>
// WORDS-LABEL: func @mixed(
// WORDS: arith.extsi %{{.*}} : vector<64xi8> to vector<64xi16>
// WORDS: %[[WORD:.*]] = arith.extui %{{.*}} : vector<32xi8> to vector<32xi16>
// WORDS-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%[[WORD]], %{{.*}})
// WORDS: arith.addi %{{.*}} : vector<32xi32>
// WORDS: vector.shuffle {{.*}} : vector<32xi32>, vector<32xi32>
// SHORT-LABEL: func @mixed(
// SHORT: "llvm.x86.avx512.vpdpbusd.256"
func.func @mixed(%a: tensor<7x8xi8>) -> tensor<7x20xf32> {
  %zero = arith.constant 0 : i32
  %w = arith.constant dense<"0x00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9E0E7EEF5FC030A11181F262D343B424950575E656C737A81888F969DA4ABB2B9C0C7CED5DCE3EAF1F8FF060D141B222930373E454C535A61686F767D848B9299A0A7AEB5BCC3CAD1D8DFE6EDF4FB020910171E252C333A41484F565D646B727980878E959CA3AAB1B8BFC6CDD4DBE2E9F0F7FE050C131A21282F363D444B5259"> : tensor<8x20xi8>
  %e = tensor.empty() : tensor<7x20xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<7x20xi32>) -> tensor<7x20xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<7x8xi8>, tensor<8x20xi8>) outs(%f : tensor<7x20xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %s, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<7x20xi32>
  %o = tensor.empty() : tensor<7x20xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<7x20xi32>) outs(%o : tensor<7x20xf32>) {
  ^bb0(%x: i32, %y: f32):
    %0 = arith.sitofp %x : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<7x20xf32>
  return %c : tensor<7x20xf32>
}

// ALL-LABEL: func @halves(
// ALL: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// WORDS-LABEL: func @halves(
// WORDS-NOT: call_intrinsic
// SHORT-LABEL: func @halves(
// SHORT-NOT: call_intrinsic
func.func @halves(%a: tensor<9x5xbf16>) -> tensor<9x17xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<"0x40BF20BF00BFC0BE80BE00BE0000003E803EC03E003F203F403F40BF20BF00BFC0BE80BE00BE0000003E803EC03E003F203F403F40BF20BF00BFC0BE80BE00BE0000003E803EC03E003F203F403F40BF20BF00BFC0BE80BE00BE0000003E803EC03E003F203F403F40BF20BF00BFC0BE80BE00BE0000003E803EC03E003F203F403F40BF20BF00BFC0BE80BE00BE0000003E803EC03E003F203F403F40BF20BF00BFC0BE80BE00BE0000"> : tensor<5x17xbf16>
  %e = tensor.empty() : tensor<9x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x17xf32>) -> tensor<9x17xf32>
  %r = linalg.matmul ins(%a, %w : tensor<9x5xbf16>, tensor<5x17xbf16>) outs(%f : tensor<9x17xf32>) -> tensor<9x17xf32>
  return %r : tensor<9x17xf32>
}

// Each lane of a depthwise convolution has a channel of its own: the bytes of three rows
// of the image become groups, the last byte a zero, which three positions share. The rest
// of 18 channels is masked. Pairs of 16-bit numbers are two groups of a column.

// GROUPS-LABEL: func @depthwise(
// GROUPS: dense_resource<grouped{{.*}}> : tensor<2x3x1x64xi8>
// ALL-LABEL: func @depthwise(
// ALL: %[[TOP:.*]] = vector.interleave %{{.*}} : vector<16xi8>
// ALL: %[[LOW:.*]] = vector.interleave %{{.*}} : vector<16xi8>
// ALL: vector.shuffle %[[TOP]], %[[LOW]] [0, 1, 32, 33, 2, 3, 34, 35, {{.*}}] : vector<32xi8>, vector<32xi8>
// ALL: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// ALL-NOT: arith.muli
// WORDS-LABEL: func @depthwise(
// WORDS: %[[PAIRS:.*]] = vector.interleave %{{.*}} : vector<16xi8>
// WORDS: arith.extsi %[[PAIRS]] : vector<32xi8> to vector<32xi16>
// WORDS: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
// SHORT-LABEL: func @depthwise(
// SHORT: "llvm.x86.avx512.vpdpbusd.256"
func.func @depthwise(%x: tensor<1x6x9x18xi8>) -> tensor<1x4x7x18xi32> {
  %zero = arith.constant 0 : i32
  %w = arith.constant dense_resource<taps> : tensor<3x3x18xi8>
  %e = tensor.empty() : tensor<1x4x7x18xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x7x18xi32>) -> tensor<1x4x7x18xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x6x9x18xi8>, tensor<3x3x18xi8>) outs(%f : tensor<1x4x7x18xi32>) -> tensor<1x4x7x18xi32>
  return %r : tensor<1x4x7x18xi32>
}

{-#
  dialect_resources: {
    builtin: {
      taps: "0x010000004420823CFDE6F1C26B30F90EC7DD01E4887534A20F0B0D04C36ED80E71E0FD77B07670EB940BD5335F973DAAD8619B91FFC911F57CCED458BBBF2CE03753C9BDFA0FF0169DC9575674066676CFB0B4EB8902C44269DA1CF6BA66D3F8B6D4B100A9EA0E755A5C2E8210242A08E7078F7F89385EB09423555182568B96E8A4FEF23A0C9FC5AFD7608437816BDD0A7309CB4A1252E4DA70E6720FCAA4DA1E98406C189C"
    }
  }
#-}
