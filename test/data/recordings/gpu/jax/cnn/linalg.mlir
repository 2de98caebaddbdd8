#loc1 = loc("params['K1']")
#loc2 = loc("params['K2']")
#loc3 = loc("params['W']")
#loc4 = loc("params['a1']")
#loc5 = loc("params['a2']")
#loc6 = loc("params['b']")
#loc7 = loc("params['g1']")
#loc8 = loc("params['g2']")
#loc9 = loc("x")
#loc10 = loc("/data/workloads/gpu/record_jax.py":60:14 to :49)
#loc11 = loc("/data/workloads/gpu/record_jax.py":106:12 to :44)
#loc12 = loc("/data/workloads/gpu/record_jax.py":118:13 to :19)
#loc13 = loc("/data/workloads/models_jax.py":48:15 to 50:55)
#loc14 = loc("/data/workloads/models_jax.py":59:16 to :41)
#loc15 = loc("/data/workloads/models_jax.py":59:16 to :56)
#loc16 = loc("/data/workloads/models_jax.py":59:16 to :71)
#loc17 = loc("/data/workloads/models_jax.py":60:21 to :35)
#loc18 = loc("/data/workloads/models_jax.py":54:15 to 55:45)
#loc20 = loc("/data/workloads/models_jax.py":62:16 to :41)
#loc21 = loc("/data/workloads/models_jax.py":62:16 to :56)
#loc22 = loc("/data/workloads/models_jax.py":62:16 to :71)
#loc23 = loc("/data/workloads/models_jax.py":63:21 to :35)
#loc24 = loc("/data/workloads/models_jax.py":63:16 to :54)
#loc25 = loc("/data/workloads/models_jax.py":63:16 to :61)
#loc26 = loc("/data/workloads/models_jax.py":65:16 to :30)
#loc27 = loc("reduce_sum")
#loc28 = loc("/data/workloads/models_jax.py":65:16 to :44)
#loc29 = loc("/data/workloads/models_jax.py":65:16 to :58)
#loc30 = loc("/data/workloads/models_jax.py":66:19 to :36)
#loc31 = loc("reduce_max")
#map = affine_map<(d0, d1, d2, d3) -> (d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1) -> (d0)>
#map11 = affine_map<(d0) -> ()>
#map12 = affine_map<(d0) -> (d0)>
#map13 = affine_map<(d0, d1) -> (d0, 0)>
#loc32 = loc("record"(#loc10))
#loc33 = loc("main"(#loc11))
#loc34 = loc("<module>"(#loc12))
#loc35 = loc("cnn.<locals>.convolve"(#loc13))
#loc36 = loc("cnn.<locals>.f"(#loc14))
#loc37 = loc("cnn.<locals>.f"(#loc15))
#loc38 = loc("cnn.<locals>.f"(#loc16))
#loc39 = loc("cnn.<locals>.f"(#loc17))
#loc40 = loc("cnn.<locals>.pool"(#loc18))
#loc42 = loc("cnn.<locals>.f"(#loc20))
#loc43 = loc("cnn.<locals>.f"(#loc21))
#loc44 = loc("cnn.<locals>.f"(#loc22))
#loc45 = loc("cnn.<locals>.f"(#loc23))
#loc46 = loc("cnn.<locals>.f"(#loc24))
#loc47 = loc("cnn.<locals>.f"(#loc25))
#loc48 = loc("cnn.<locals>.f"(#loc26))
#loc49 = loc("reduce_sum:"(#loc27))
#loc50 = loc("cnn.<locals>.f"(#loc28))
#loc51 = loc("cnn.<locals>.f"(#loc29))
#loc52 = loc("cnn.<locals>.f"(#loc30))
#loc53 = loc("reduce_max:"(#loc31))
#loc54 = loc(callsite(#loc33 at #loc34))
#loc55 = loc(callsite(#loc32 at #loc54))
#loc56 = loc("jit(f)"(#loc55))
#loc57 = loc(callsite(#loc36 at #loc55))
#loc58 = loc(callsite(#loc37 at #loc55))
#loc59 = loc(callsite(#loc38 at #loc55))
#loc60 = loc(callsite(#loc39 at #loc55))
#loc62 = loc(callsite(#loc42 at #loc55))
#loc63 = loc(callsite(#loc43 at #loc55))
#loc64 = loc(callsite(#loc44 at #loc55))
#loc65 = loc(callsite(#loc45 at #loc55))
#loc66 = loc(callsite(#loc46 at #loc55))
#loc67 = loc(callsite(#loc47 at #loc55))
#loc68 = loc(callsite(#loc48 at #loc55))
#loc69 = loc(callsite(#loc50 at #loc55))
#loc70 = loc(callsite(#loc51 at #loc55))
#loc71 = loc(callsite(#loc52 at #loc55))
#loc72 = loc(callsite(#loc35 at #loc57))
#loc73 = loc("jit(f)/block1/broadcast_in_dim"(#loc58))
#loc74 = loc("jit(f)/block1/mul"(#loc58))
#loc75 = loc("jit(f)/block1/broadcast_in_dim"(#loc59))
#loc76 = loc("jit(f)/block1/add"(#loc59))
#loc77 = loc("jit(f)/block1/jit(relu)/max"(#loc60))
#loc78 = loc("jit(f)/block1/jit(relu)"(#loc60))
#loc80 = loc(callsite(#loc35 at #loc62))
#loc81 = loc("jit(f)/block2/broadcast_in_dim"(#loc63))
#loc82 = loc("jit(f)/block2/mul"(#loc63))
#loc83 = loc("jit(f)/block2/broadcast_in_dim"(#loc64))
#loc84 = loc("jit(f)/block2/add"(#loc64))
#loc85 = loc("jit(f)/block2/jit(relu)/max"(#loc65))
#loc86 = loc("jit(f)/block2/jit(relu)"(#loc65))
#loc87 = loc(callsite(#loc40 at #loc66))
#loc88 = loc("jit(f)/block2/mul"(#loc67))
#loc89 = loc("jit(f)/head/reduce_sum"(#loc68))
#loc90 = loc("jit(f)/head/div"(#loc68))
#loc91 = loc("jit(f)/head/dot_general"(#loc69))
#loc92 = loc("jit(f)/head/broadcast_in_dim"(#loc70))
#loc93 = loc("jit(f)/head/add"(#loc70))
#loc94 = loc("jit(f)/head/reduce_max"(#loc71))
#loc95 = loc("jit(f)/head/max"(#loc71))
#loc96 = loc("jit(f)/head/broadcast_in_dim"(#loc71))
#loc97 = loc("jit(f)/head/sub"(#loc71))
#loc98 = loc("jit(f)/head/exp"(#loc71))
#loc99 = loc("jit(f)/head/reduce_sum"(#loc71))
#loc100 = loc("jit(f)/head/div"(#loc71))
#loc101 = loc("jit(f)/block1/conv_general_dilated"(#loc72))
#loc103 = loc("jit(f)/block2/conv_general_dilated"(#loc80))
#loc104 = loc("jit(f)/block2/reduce_window_sum"(#loc87))
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x16x32xf32> loc("params['K1']"), %arg1: tensor<3x3x32x64xf32> loc("params['K2']"), %arg2: tensor<64x10xf32> loc("params['W']"), %arg3: tensor<32xf32> loc("params['a1']"), %arg4: tensor<64xf32> loc("params['a2']"), %arg5: tensor<10xf32> loc("params['b']"), %arg6: tensor<32xf32> loc("params['g1']"), %arg7: tensor<64xf32> loc("params['g2']"), %arg8: tensor<32x32x32x16xf32> loc("x")) -> (tensor<32x10xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_0 = arith.constant dense<6.400000e+01> : tensor<f32> loc(#loc56)
    %cst_1 = arith.constant dense<2.500000e-01> : tensor<f32> loc(#loc56)
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc)
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %cst_4 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<32x32x32x32xf32> loc(#loc101)
    %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<32x32x32x32xf32>) -> tensor<32x32x32x32xf32> loc(#loc101)
    %padded = tensor.pad %arg8 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg9: index loc("jit(f)/block1/conv_general_dilated"(#loc72)), %arg10: index loc("jit(f)/block1/conv_general_dilated"(#loc72)), %arg11: index loc("jit(f)/block1/conv_general_dilated"(#loc72)), %arg12: index loc("jit(f)/block1/conv_general_dilated"(#loc72))):
      tensor.yield %cst_4 : f32 loc(#loc101)
    } : tensor<32x32x32x16xf32> to tensor<32x34x34x16xf32> loc(#loc101)
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg0 : tensor<32x34x34x16xf32>, tensor<3x3x16x32xf32>) outs(%1 : tensor<32x32x32x32xf32>) -> tensor<32x32x32x32xf32> loc(#loc101)
    %3 = tensor.empty() : tensor<1x1x1x32xf32> loc(#loc73)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6 : tensor<32xf32>) outs(%3 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32 loc("params['g1']"), %out: f32 loc("jit(f)/block1/broadcast_in_dim"(#loc58))):
      linalg.yield %in : f32 loc(#loc73)
    } -> tensor<1x1x1x32xf32> loc(#loc73)
    %5 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x1x1x32xf32>) outs(%0 : tensor<32x32x32x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block1/broadcast_in_dim"(#loc58)), %out: f32 loc("jit(f)/block1/mul"(#loc58))):
      linalg.yield %in : f32 loc(#loc74)
    } -> tensor<32x32x32x32xf32> loc(#loc74)
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<32x32x32x32xf32>, tensor<32x32x32x32xf32>) outs(%0 : tensor<32x32x32x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block1/conv_general_dilated"(#loc72)), %in_6: f32 loc("jit(f)/block1/mul"(#loc58)), %out: f32 loc("jit(f)/block1/mul"(#loc58))):
      %60 = arith.mulf %in, %in_6 : f32 loc(#loc74)
      linalg.yield %60 : f32 loc(#loc74)
    } -> tensor<32x32x32x32xf32> loc(#loc74)
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<32xf32>) outs(%3 : tensor<1x1x1x32xf32>) {
    ^bb0(%in: f32 loc("params['a1']"), %out: f32 loc("jit(f)/block1/broadcast_in_dim"(#loc59))):
      linalg.yield %in : f32 loc(#loc75)
    } -> tensor<1x1x1x32xf32> loc(#loc75)
    %8 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x1x32xf32>) outs(%0 : tensor<32x32x32x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block1/broadcast_in_dim"(#loc59)), %out: f32 loc("jit(f)/block1/add"(#loc59))):
      linalg.yield %in : f32 loc(#loc76)
    } -> tensor<32x32x32x32xf32> loc(#loc76)
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<32x32x32x32xf32>, tensor<32x32x32x32xf32>) outs(%0 : tensor<32x32x32x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block1/mul"(#loc58)), %in_6: f32 loc("jit(f)/block1/add"(#loc59)), %out: f32 loc("jit(f)/block1/add"(#loc59))):
      %60 = arith.addf %in, %in_6 : f32 loc(#loc76)
      linalg.yield %60 : f32 loc(#loc76)
    } -> tensor<32x32x32x32xf32> loc(#loc76)
    %10 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<32x32x32x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block1/jit(relu)"(#loc60)), %out: f32 loc("jit(f)/block1/jit(relu)/max"(#loc60))):
      linalg.yield %in : f32 loc(#loc77)
    } -> tensor<32x32x32x32xf32> loc(#loc77)
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<32x32x32x32xf32>, tensor<32x32x32x32xf32>) outs(%0 : tensor<32x32x32x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block1/add"(#loc59)), %in_6: f32 loc("jit(f)/block1/jit(relu)/max"(#loc60)), %out: f32 loc("jit(f)/block1/jit(relu)/max"(#loc60))):
      %60 = arith.maximumf %in, %in_6 : f32 loc(#loc77)
      linalg.yield %60 : f32 loc(#loc77)
    } -> tensor<32x32x32x32xf32> loc(#loc77)
    %12 = tensor.empty() : tensor<2x2xf32> loc(#loc102)
    %13 = tensor.empty() : tensor<32x16x16x32xf32> loc(#loc102)
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<32x16x16x32xf32>) -> tensor<32x16x16x32xf32> loc(#loc102)
    %15 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%11, %12 : tensor<32x32x32x32xf32>, tensor<2x2xf32>) outs(%14 : tensor<32x16x16x32xf32>) -> tensor<32x16x16x32xf32> loc(#loc102)
    %16 = tensor.empty() : tensor<32x16x16x64xf32> loc(#loc103)
    %17 = linalg.fill ins(%cst_4 : f32) outs(%16 : tensor<32x16x16x64xf32>) -> tensor<32x16x16x64xf32> loc(#loc103)
    %padded_5 = tensor.pad %15 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg9: index loc("jit(f)/block2/conv_general_dilated"(#loc80)), %arg10: index loc("jit(f)/block2/conv_general_dilated"(#loc80)), %arg11: index loc("jit(f)/block2/conv_general_dilated"(#loc80)), %arg12: index loc("jit(f)/block2/conv_general_dilated"(#loc80))):
      tensor.yield %cst_4 : f32 loc(#loc103)
    } : tensor<32x16x16x32xf32> to tensor<32x18x18x32xf32> loc(#loc103)
    %18 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_5, %arg1 : tensor<32x18x18x32xf32>, tensor<3x3x32x64xf32>) outs(%17 : tensor<32x16x16x64xf32>) -> tensor<32x16x16x64xf32> loc(#loc103)
    %19 = tensor.empty() : tensor<1x1x1x64xf32> loc(#loc81)
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg7 : tensor<64xf32>) outs(%19 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32 loc("params['g2']"), %out: f32 loc("jit(f)/block2/broadcast_in_dim"(#loc63))):
      linalg.yield %in : f32 loc(#loc81)
    } -> tensor<1x1x1x64xf32> loc(#loc81)
    %21 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1x64xf32>) outs(%16 : tensor<32x16x16x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/broadcast_in_dim"(#loc63)), %out: f32 loc("jit(f)/block2/mul"(#loc63))):
      linalg.yield %in : f32 loc(#loc82)
    } -> tensor<32x16x16x64xf32> loc(#loc82)
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<32x16x16x64xf32>, tensor<32x16x16x64xf32>) outs(%16 : tensor<32x16x16x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/conv_general_dilated"(#loc80)), %in_6: f32 loc("jit(f)/block2/mul"(#loc63)), %out: f32 loc("jit(f)/block2/mul"(#loc63))):
      %60 = arith.mulf %in, %in_6 : f32 loc(#loc82)
      linalg.yield %60 : f32 loc(#loc82)
    } -> tensor<32x16x16x64xf32> loc(#loc82)
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<64xf32>) outs(%19 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32 loc("params['a2']"), %out: f32 loc("jit(f)/block2/broadcast_in_dim"(#loc64))):
      linalg.yield %in : f32 loc(#loc83)
    } -> tensor<1x1x1x64xf32> loc(#loc83)
    %24 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x1x64xf32>) outs(%16 : tensor<32x16x16x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/broadcast_in_dim"(#loc64)), %out: f32 loc("jit(f)/block2/add"(#loc64))):
      linalg.yield %in : f32 loc(#loc84)
    } -> tensor<32x16x16x64xf32> loc(#loc84)
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<32x16x16x64xf32>, tensor<32x16x16x64xf32>) outs(%16 : tensor<32x16x16x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/mul"(#loc63)), %in_6: f32 loc("jit(f)/block2/add"(#loc64)), %out: f32 loc("jit(f)/block2/add"(#loc64))):
      %60 = arith.addf %in, %in_6 : f32 loc(#loc84)
      linalg.yield %60 : f32 loc(#loc84)
    } -> tensor<32x16x16x64xf32> loc(#loc84)
    %26 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%16 : tensor<32x16x16x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/jit(relu)"(#loc65)), %out: f32 loc("jit(f)/block2/jit(relu)/max"(#loc65))):
      linalg.yield %in : f32 loc(#loc85)
    } -> tensor<32x16x16x64xf32> loc(#loc85)
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %26 : tensor<32x16x16x64xf32>, tensor<32x16x16x64xf32>) outs(%16 : tensor<32x16x16x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/add"(#loc64)), %in_6: f32 loc("jit(f)/block2/jit(relu)/max"(#loc65)), %out: f32 loc("jit(f)/block2/jit(relu)/max"(#loc65))):
      %60 = arith.maximumf %in, %in_6 : f32 loc(#loc85)
      linalg.yield %60 : f32 loc(#loc85)
    } -> tensor<32x16x16x64xf32> loc(#loc85)
    %28 = tensor.empty() : tensor<32x8x8x64xf32> loc(#loc104)
    %29 = linalg.fill ins(%cst_4 : f32) outs(%28 : tensor<32x8x8x64xf32>) -> tensor<32x8x8x64xf32> loc(#loc104)
    %30 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%27, %12 : tensor<32x16x16x64xf32>, tensor<2x2xf32>) outs(%29 : tensor<32x8x8x64xf32>) -> tensor<32x8x8x64xf32> loc(#loc104)
    %31 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%28 : tensor<32x8x8x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc55)), %out: f32 loc("jit(f)/block2/mul"(#loc67))):
      linalg.yield %in : f32 loc(#loc88)
    } -> tensor<32x8x8x64xf32> loc(#loc88)
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %31 : tensor<32x8x8x64xf32>, tensor<32x8x8x64xf32>) outs(%28 : tensor<32x8x8x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/block2/reduce_window_sum"(#loc87)), %in_6: f32 loc("jit(f)/block2/mul"(#loc67)), %out: f32 loc("jit(f)/block2/mul"(#loc67))):
      %60 = arith.mulf %in, %in_6 : f32 loc(#loc88)
      linalg.yield %60 : f32 loc(#loc88)
    } -> tensor<32x8x8x64xf32> loc(#loc88)
    %33 = tensor.empty() : tensor<32x64xf32> loc(#loc89)
    %34 = linalg.fill ins(%cst_4 : f32) outs(%33 : tensor<32x64xf32>) -> tensor<32x64xf32> loc(#loc89)
    %35 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%32 : tensor<32x8x8x64xf32>) outs(%34 : tensor<32x64xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc27)), %out: f32 loc("reduce_sum:"(#loc27))):
      %60 = arith.addf %out, %in : f32 loc(#loc89)
      linalg.yield %60 : f32 loc(#loc89)
    } -> tensor<32x64xf32> loc(#loc89)
    %36 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%33 : tensor<32x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc55)), %out: f32 loc("jit(f)/head/div"(#loc68))):
      linalg.yield %in : f32 loc(#loc90)
    } -> tensor<32x64xf32> loc(#loc90)
    %37 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%35, %36 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%33 : tensor<32x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/reduce_sum"(#loc68)), %in_6: f32 loc("jit(f)/head/div"(#loc68)), %out: f32 loc("jit(f)/head/div"(#loc68))):
      %60 = arith.divf %in, %in_6 : f32 loc(#loc90)
      linalg.yield %60 : f32 loc(#loc90)
    } -> tensor<32x64xf32> loc(#loc90)
    %38 = tensor.empty() : tensor<32x10xf32> loc(#loc91)
    %39 = linalg.fill ins(%cst_4 : f32) outs(%38 : tensor<32x10xf32>) -> tensor<32x10xf32> loc(#loc91)
    %40 = linalg.matmul ins(%37, %arg2 : tensor<32x64xf32>, tensor<64x10xf32>) outs(%39 : tensor<32x10xf32>) -> tensor<32x10xf32> loc(#loc91)
    %41 = tensor.empty() : tensor<1x10xf32> loc(#loc92)
    %42 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<10xf32>) outs(%41 : tensor<1x10xf32>) {
    ^bb0(%in: f32 loc("params['b']"), %out: f32 loc("jit(f)/head/broadcast_in_dim"(#loc70))):
      linalg.yield %in : f32 loc(#loc92)
    } -> tensor<1x10xf32> loc(#loc92)
    %43 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<1x10xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/broadcast_in_dim"(#loc70)), %out: f32 loc("jit(f)/head/add"(#loc70))):
      linalg.yield %in : f32 loc(#loc93)
    } -> tensor<32x10xf32> loc(#loc93)
    %44 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%40, %43 : tensor<32x10xf32>, tensor<32x10xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/dot_general"(#loc69)), %in_6: f32 loc("jit(f)/head/add"(#loc70)), %out: f32 loc("jit(f)/head/add"(#loc70))):
      %60 = arith.addf %in, %in_6 : f32 loc(#loc93)
      linalg.yield %60 : f32 loc(#loc93)
    } -> tensor<32x10xf32> loc(#loc93)
    %45 = tensor.empty() : tensor<32xf32> loc(#loc94)
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<32xf32>) -> tensor<32xf32> loc(#loc94)
    %47 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "reduction"]} ins(%44 : tensor<32x10xf32>) outs(%46 : tensor<32xf32>) {
    ^bb0(%in: f32 loc("reduce_max:"(#loc31)), %out: f32 loc("reduce_max:"(#loc31))):
      %60 = arith.maximumf %out, %in : f32 loc(#loc94)
      linalg.yield %60 : f32 loc(#loc94)
    } -> tensor<32xf32> loc(#loc94)
    %48 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%45 : tensor<32xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc55)), %out: f32 loc("jit(f)/head/max"(#loc71))):
      linalg.yield %in : f32 loc(#loc95)
    } -> tensor<32xf32> loc(#loc95)
    %49 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel"]} ins(%48, %47 : tensor<32xf32>, tensor<32xf32>) outs(%45 : tensor<32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/max"(#loc71)), %in_6: f32 loc("jit(f)/head/reduce_max"(#loc71)), %out: f32 loc("jit(f)/head/max"(#loc71))):
      %60 = arith.maximumf %in, %in_6 : f32 loc(#loc95)
      linalg.yield %60 : f32 loc(#loc95)
    } -> tensor<32xf32> loc(#loc95)
    %50 = tensor.empty() : tensor<32x1xf32> loc(#loc96)
    %51 = linalg.generic {indexing_maps = [#map10, #map7], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<32xf32>) outs(%50 : tensor<32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/max"(#loc71)), %out: f32 loc("jit(f)/head/broadcast_in_dim"(#loc71))):
      linalg.yield %in : f32 loc(#loc96)
    } -> tensor<32x1xf32> loc(#loc96)
    %52 = linalg.generic {indexing_maps = [#map13, #map7], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<32x1xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/broadcast_in_dim"(#loc71)), %out: f32 loc("jit(f)/head/sub"(#loc71))):
      linalg.yield %in : f32 loc(#loc97)
    } -> tensor<32x10xf32> loc(#loc97)
    %53 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%44, %52 : tensor<32x10xf32>, tensor<32x10xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/add"(#loc70)), %in_6: f32 loc("jit(f)/head/sub"(#loc71)), %out: f32 loc("jit(f)/head/sub"(#loc71))):
      %60 = arith.subf %in, %in_6 : f32 loc(#loc97)
      linalg.yield %60 : f32 loc(#loc97)
    } -> tensor<32x10xf32> loc(#loc97)
    %54 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<32x10xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/sub"(#loc71)), %out: f32 loc("jit(f)/head/exp"(#loc71))):
      %60 = math.exp %in : f32 loc(#loc98)
      linalg.yield %60 : f32 loc(#loc98)
    } -> tensor<32x10xf32> loc(#loc98)
    %55 = linalg.fill ins(%cst_4 : f32) outs(%45 : tensor<32xf32>) -> tensor<32xf32> loc(#loc99)
    %56 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "reduction"]} ins(%54 : tensor<32x10xf32>) outs(%55 : tensor<32xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc27)), %out: f32 loc("reduce_sum:"(#loc27))):
      %60 = arith.addf %out, %in : f32 loc(#loc99)
      linalg.yield %60 : f32 loc(#loc99)
    } -> tensor<32xf32> loc(#loc99)
    %57 = linalg.generic {indexing_maps = [#map10, #map7], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<32xf32>) outs(%50 : tensor<32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/reduce_sum"(#loc71)), %out: f32 loc("jit(f)/head/broadcast_in_dim"(#loc71))):
      linalg.yield %in : f32 loc(#loc96)
    } -> tensor<32x1xf32> loc(#loc96)
    %58 = linalg.generic {indexing_maps = [#map13, #map7], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<32x1xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/broadcast_in_dim"(#loc71)), %out: f32 loc("jit(f)/head/div"(#loc71))):
      linalg.yield %in : f32 loc(#loc100)
    } -> tensor<32x10xf32> loc(#loc100)
    %59 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%54, %58 : tensor<32x10xf32>, tensor<32x10xf32>) outs(%38 : tensor<32x10xf32>) {
    ^bb0(%in: f32 loc("jit(f)/head/exp"(#loc71)), %in_6: f32 loc("jit(f)/head/div"(#loc71)), %out: f32 loc("jit(f)/head/div"(#loc71))):
      %60 = arith.divf %in, %in_6 : f32 loc(#loc100)
      linalg.yield %60 : f32 loc(#loc100)
    } -> tensor<32x10xf32> loc(#loc100)
    return %59 : tensor<32x10xf32> loc(#loc56)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc19 = loc("/data/workloads/models_jax.py":60:16 to :59)
#loc41 = loc("cnn.<locals>.f"(#loc19))
#loc61 = loc(callsite(#loc41 at #loc55))
#loc79 = loc(callsite(#loc40 at #loc61))
#loc102 = loc("jit(f)/block1/reduce_window_max"(#loc79))
