#loc1 = loc("params['W1']")
#loc2 = loc("params['W2']")
#loc3 = loc("params['b1']")
#loc4 = loc("params['b2']")
#loc5 = loc("x")
#loc6 = loc("y")
#loc7 = loc("/data/workloads/models_jax.py":122:20 to :62)
#loc8 = loc("/data/workloads/models_jax.py":125:27 to :65)
#loc9 = loc("/data/workloads/gpu/record_jax.py":60:14 to :49)
#loc10 = loc("/data/workloads/gpu/record_jax.py":106:12 to :44)
#loc11 = loc("/data/workloads/gpu/record_jax.py":118:13 to :19)
#loc12 = loc("/data/workloads/models_jax.py":122:25 to :46)
#loc13 = loc("/data/workloads/models_jax.py":118:25 to :41)
#loc14 = loc("/data/workloads/models_jax.py":118:25 to :56)
#loc15 = loc("/data/workloads/models_jax.py":118:16 to :57)
#loc16 = loc("/data/workloads/models_jax.py":120:16 to :32)
#loc17 = loc("/data/workloads/models_jax.py":120:16 to :47)
#loc18 = loc("reduce_max")
#loc19 = loc("reduce_sum")
#loc20 = loc("/data/workloads/models_jax.py":122:21 to :46)
#loc21 = loc("/data/workloads/models_jax.py":122:20 to :55)
#loc23 = loc("/data/workloads/models_jax.py":127:38 to :46)
#loc24 = loc("/data/workloads/models_jax.py":128:19 to :58)
#loc25 = loc("/data/workloads/models_jax.py":127:34 to :46)
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1) -> (d1, d0)>
#map9 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map10 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2)>
#loc26 = loc("train.<locals>.loss"(#loc7))
#loc27 = loc("train.<locals>.step"(#loc8))
#loc28 = loc("record"(#loc9))
#loc29 = loc("main"(#loc10))
#loc30 = loc("<module>"(#loc11))
#loc31 = loc("train.<locals>.loss"(#loc12))
#loc32 = loc("train.<locals>.loss"(#loc13))
#loc33 = loc("train.<locals>.loss"(#loc14))
#loc34 = loc("train.<locals>.loss"(#loc15))
#loc35 = loc("train.<locals>.loss"(#loc16))
#loc36 = loc("train.<locals>.loss"(#loc17))
#loc37 = loc("reduce_max:"(#loc18))
#loc38 = loc("reduce_sum:"(#loc19))
#loc39 = loc("train.<locals>.loss"(#loc20))
#loc40 = loc("train.<locals>.loss"(#loc21))
#loc42 = loc("train.<locals>.step.<locals>.<lambda>"(#loc23))
#loc43 = loc("train.<locals>.step"(#loc24))
#loc44 = loc("train.<locals>.step.<locals>.<lambda>"(#loc25))
#loc45 = loc(callsite(#loc29 at #loc30))
#loc46 = loc(callsite(#loc34 at #loc27))
#loc47 = loc(callsite(#loc28 at #loc45))
#loc48 = loc(callsite(#loc27 at #loc47))
#loc49 = loc(callsite(#loc43 at #loc47))
#loc50 = loc("jit(step)"(#loc47))
#loc51 = loc(callsite(#loc26 at #loc48))
#loc52 = loc(callsite(#loc31 at #loc48))
#loc53 = loc(callsite(#loc32 at #loc48))
#loc54 = loc(callsite(#loc33 at #loc48))
#loc55 = loc(callsite(#loc34 at #loc48))
#loc56 = loc(callsite(#loc35 at #loc48))
#loc57 = loc(callsite(#loc36 at #loc48))
#loc58 = loc(callsite(#loc39 at #loc48))
#loc59 = loc(callsite(#loc40 at #loc48))
#loc61 = loc(callsite(#loc42 at #loc49))
#loc62 = loc(callsite(#loc44 at #loc49))
#loc63 = loc("jit(step)/transpose(jvp(loss))/div"(#loc51))
#loc64 = loc("jit(step)/jvp(loss)/jit(log_softmax)/reduce_max"(#loc52))
#loc65 = loc("jit(step)/jvp(layer1)/dot_general"(#loc53))
#loc66 = loc("jit(step)/jvp(layer1)/broadcast_in_dim"(#loc54))
#loc67 = loc("jit(step)/jvp(layer1)/add"(#loc54))
#loc68 = loc("jit(step)/jvp(layer1)/tanh"(#loc55))
#loc69 = loc(callsite(#loc46 at #loc55))
#loc70 = loc("jit(step)/jvp(layer1)/one_minus_square"(#loc55))
#loc71 = loc("jit(step)/jvp(layer2)/dot_general"(#loc56))
#loc72 = loc("jit(step)/jvp(layer2)/broadcast_in_dim"(#loc57))
#loc73 = loc("jit(step)/jvp(layer2)/add"(#loc57))
#loc74 = loc("jit(step)/jvp(loss)/jit(log_softmax)/max"(#loc52))
#loc75 = loc("jit(step)/jvp(loss)/jit(log_softmax)"(#loc52))
#loc76 = loc("jit(step)/jvp(loss)/jit(log_softmax)/broadcast_in_dim"(#loc52))
#loc77 = loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52))
#loc78 = loc("jit(step)/jvp(loss)/jit(log_softmax)/exp"(#loc52))
#loc79 = loc("jit(step)/jvp(loss)/jit(log_softmax)/reduce_sum"(#loc52))
#loc80 = loc("jit(step)/jvp(loss)/jit(log_softmax)/log"(#loc52))
#loc81 = loc("jit(step)/jvp(loss)/mul"(#loc58))
#loc86 = loc("jit(step)/transpose(jvp(loss))/broadcast_in_dim"(#loc51))
#loc87 = loc("jit(step)/transpose(jvp(loss))/broadcast_in_dim"(#loc59))
#loc88 = loc("jit(step)/transpose(jvp(loss))/mul"(#loc58))
#loc89 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/neg"(#loc52))
#loc90 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/reduce_sum"(#loc52))
#loc91 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/reshape"(#loc52))
#loc92 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/div"(#loc52))
#loc93 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/broadcast_in_dim"(#loc52))
#loc94 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/mul"(#loc52))
#loc95 = loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/add_any"(#loc52))
#loc96 = loc("jit(step)/transpose(jvp(layer2))/reduce_sum"(#loc57))
#loc98 = loc("jit(step)/transpose(jvp(layer2))/dot_general"(#loc56))
#loc99 = loc("jit(step)/transpose(jvp(layer2))/transpose"(#loc56))
#loc100 = loc("jit(step)/transpose(jvp(layer1))/mul"(#loc55))
#loc101 = loc("jit(step)/transpose(jvp(layer1))/reduce_sum"(#loc54))
#loc103 = loc("jit(step)/transpose(jvp(layer1))/dot_general"(#loc53))
#loc104 = loc("jit(step)/transpose(jvp(layer1))/transpose"(#loc53))
#loc105 = loc("jit(step)/sgd/mul"(#loc61))
#loc106 = loc("jit(step)/sgd/sub"(#loc62))
#loc107 = loc("jit(step)/jvp(layer1)/add"(#loc69))
#loc108 = loc("jit(step)/jvp(layer1)/sub"(#loc69))
#loc109 = loc("jit(step)/jvp(layer1)/mul"(#loc69))
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x512xf32> loc("params['W1']"), %arg1: tensor<512x256xf32> loc("params['W2']"), %arg2: tensor<512xf32> loc("params['b1']"), %arg3: tensor<256xf32> loc("params['b2']"), %arg4: tensor<128x512xf32> loc("x"), %arg5: tensor<128x256xf32> loc("y")) -> (tensor<512x512xf32> {jax.result_info = "result[0]['W1']"}, tensor<512x256xf32> {jax.result_info = "result[0]['W2']"}, tensor<512xf32> {jax.result_info = "result[0]['b1']"}, tensor<256xf32> {jax.result_info = "result[0]['b2']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = arith.constant dense<-7.812500e-03> : tensor<f32> loc(#loc63)
    %cst_0 = arith.constant dense<0.00999999977> : tensor<f32> loc(#loc)
    %cst_1 = arith.constant 1.280000e+02 : f32 loc(#loc)
    %cst_2 = arith.constant 0xFF800000 : f32 loc(#loc64)
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc)
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32> loc(#loc)
    %cst_5 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<128x512xf32> loc(#loc65)
    %1 = linalg.fill ins(%cst_5 : f32) outs(%0 : tensor<128x512xf32>) -> tensor<128x512xf32> loc(#loc65)
    %2 = linalg.matmul ins(%arg4, %arg0 : tensor<128x512xf32>, tensor<512x512xf32>) outs(%1 : tensor<128x512xf32>) -> tensor<128x512xf32> loc(#loc65)
    %3 = tensor.empty() : tensor<1x512xf32> loc(#loc66)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<512xf32>) outs(%3 : tensor<1x512xf32>) {
    ^bb0(%in: f32 loc("params['b1']"), %out: f32 loc("jit(step)/jvp(layer1)/broadcast_in_dim"(#loc54))):
      linalg.yield %in : f32 loc(#loc66)
    } -> tensor<1x512xf32> loc(#loc66)
    %5 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/broadcast_in_dim"(#loc54)), %out: f32 loc("jit(step)/jvp(layer1)/add"(#loc54))):
      linalg.yield %in : f32 loc(#loc67)
    } -> tensor<128x512xf32> loc(#loc67)
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/dot_general"(#loc53)), %in_8: f32 loc("jit(step)/jvp(layer1)/add"(#loc54)), %out: f32 loc("jit(step)/jvp(layer1)/add"(#loc54))):
      %83 = arith.addf %in, %in_8 : f32 loc(#loc67)
      linalg.yield %83 : f32 loc(#loc67)
    } -> tensor<128x512xf32> loc(#loc67)
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/add"(#loc54)), %out: f32 loc("jit(step)/jvp(layer1)/tanh"(#loc55))):
      %83 = math.tanh %in : f32 loc(#loc68)
      linalg.yield %83 : f32 loc(#loc68)
    } -> tensor<128x512xf32> loc(#loc68)
    %8 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/one_minus_square"(#loc55)), %out: f32 loc("jit(step)/jvp(layer1)/add"(#loc69))):
      linalg.yield %in : f32 loc(#loc107)
    } -> tensor<128x512xf32> loc(#loc107)
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %7 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/add"(#loc69)), %in_8: f32 loc("jit(step)/jvp(layer1)/tanh"(#loc55)), %out: f32 loc("jit(step)/jvp(layer1)/add"(#loc69))):
      %83 = arith.addf %in, %in_8 : f32 loc(#loc107)
      linalg.yield %83 : f32 loc(#loc107)
    } -> tensor<128x512xf32> loc(#loc107)
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %7 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/sub"(#loc69)), %in_8: f32 loc("jit(step)/jvp(layer1)/tanh"(#loc55)), %out: f32 loc("jit(step)/jvp(layer1)/sub"(#loc69))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc108)
      linalg.yield %83 : f32 loc(#loc108)
    } -> tensor<128x512xf32> loc(#loc108)
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer1)/add"(#loc69)), %in_8: f32 loc("jit(step)/jvp(layer1)/sub"(#loc69)), %out: f32 loc("jit(step)/jvp(layer1)/mul"(#loc69))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc109)
      linalg.yield %83 : f32 loc(#loc109)
    } -> tensor<128x512xf32> loc(#loc109)
    %12 = tensor.empty() : tensor<128x256xf32> loc(#loc71)
    %13 = linalg.fill ins(%cst_5 : f32) outs(%12 : tensor<128x256xf32>) -> tensor<128x256xf32> loc(#loc71)
    %14 = linalg.matmul ins(%7, %arg1 : tensor<128x512xf32>, tensor<512x256xf32>) outs(%13 : tensor<128x256xf32>) -> tensor<128x256xf32> loc(#loc71)
    %15 = tensor.empty() : tensor<1x256xf32> loc(#loc72)
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<256xf32>) outs(%15 : tensor<1x256xf32>) {
    ^bb0(%in: f32 loc("params['b2']"), %out: f32 loc("jit(step)/jvp(layer2)/broadcast_in_dim"(#loc57))):
      linalg.yield %in : f32 loc(#loc72)
    } -> tensor<1x256xf32> loc(#loc72)
    %17 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer2)/broadcast_in_dim"(#loc57)), %out: f32 loc("jit(step)/jvp(layer2)/add"(#loc57))):
      linalg.yield %in : f32 loc(#loc73)
    } -> tensor<128x256xf32> loc(#loc73)
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %17 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer2)/dot_general"(#loc56)), %in_8: f32 loc("jit(step)/jvp(layer2)/add"(#loc57)), %out: f32 loc("jit(step)/jvp(layer2)/add"(#loc57))):
      %83 = arith.addf %in, %in_8 : f32 loc(#loc73)
      linalg.yield %83 : f32 loc(#loc73)
    } -> tensor<128x256xf32> loc(#loc73)
    %19 = tensor.empty() : tensor<128xf32> loc(#loc64)
    %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<128xf32>) -> tensor<128xf32> loc(#loc64)
    %21 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%18 : tensor<128x256xf32>) outs(%20 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("reduce_max:"(#loc18)), %out: f32 loc("reduce_max:"(#loc18))):
      %83 = arith.maximumf %out, %in : f32 loc(#loc64)
      linalg.yield %83 : f32 loc(#loc64)
    } -> tensor<128xf32> loc(#loc64)
    %22 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_3 : tensor<f32>) outs(%19 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/max"(#loc52))):
      linalg.yield %in : f32 loc(#loc74)
    } -> tensor<128xf32> loc(#loc74)
    %23 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%22, %21 : tensor<128xf32>, tensor<128xf32>) outs(%19 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/max"(#loc52)), %in_8: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/reduce_max"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/max"(#loc52))):
      %83 = arith.maximumf %in, %in_8 : f32 loc(#loc74)
      linalg.yield %83 : f32 loc(#loc74)
    } -> tensor<128xf32> loc(#loc74)
    %24 = tensor.empty() : tensor<128x1xf32> loc(#loc76)
    %25 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<128xf32>) outs(%24 : tensor<128x1xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/max"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/broadcast_in_dim"(#loc52))):
      linalg.yield %in : f32 loc(#loc76)
    } -> tensor<128x1xf32> loc(#loc76)
    %26 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<128x1xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/broadcast_in_dim"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52))):
      linalg.yield %in : f32 loc(#loc77)
    } -> tensor<128x256xf32> loc(#loc77)
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %26 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(layer2)/add"(#loc57)), %in_8: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc77)
      linalg.yield %83 : f32 loc(#loc77)
    } -> tensor<128x256xf32> loc(#loc77)
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/exp"(#loc52))):
      %83 = math.exp %in : f32 loc(#loc78)
      linalg.yield %83 : f32 loc(#loc78)
    } -> tensor<128x256xf32> loc(#loc78)
    %29 = linalg.fill ins(%cst_5 : f32) outs(%19 : tensor<128xf32>) -> tensor<128xf32> loc(#loc79)
    %30 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%28 : tensor<128x256xf32>) outs(%29 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc79)
      linalg.yield %83 : f32 loc(#loc79)
    } -> tensor<128xf32> loc(#loc79)
    %31 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<128xf32>) outs(%24 : tensor<128x1xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/reduce_sum"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/broadcast_in_dim"(#loc52))):
      linalg.yield %in : f32 loc(#loc76)
    } -> tensor<128x1xf32> loc(#loc76)
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<128x1xf32>) outs(%24 : tensor<128x1xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/broadcast_in_dim"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/log"(#loc52))):
      %83 = math.log %in : f32 loc(#loc80)
      linalg.yield %83 : f32 loc(#loc80)
    } -> tensor<128x1xf32> loc(#loc80)
    %33 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<128x1xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/log"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52))):
      linalg.yield %in : f32 loc(#loc77)
    } -> tensor<128x256xf32> loc(#loc77)
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27, %33 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52)), %in_8: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc77)
      linalg.yield %83 : f32 loc(#loc77)
    } -> tensor<128x256xf32> loc(#loc77)
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5, %34 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("y"), %in_8: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/sub"(#loc52)), %out: f32 loc("jit(step)/jvp(loss)/mul"(#loc58))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc81)
      linalg.yield %83 : f32 loc(#loc81)
    } -> tensor<128x256xf32> loc(#loc81)
    %36 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%35 : tensor<128x256xf32>) outs(%29 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc82)
      linalg.yield %83 : f32 loc(#loc82)
    } -> tensor<128xf32> loc(#loc82)
    %37 = tensor.empty() : tensor<f32> loc(#loc83)
    %38 = linalg.fill ins(%cst_5 : f32) outs(%37 : tensor<f32>) -> tensor<f32> loc(#loc83)
    %39 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["reduction"]} ins(%36 : tensor<128xf32>) outs(%38 : tensor<f32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc83)
      linalg.yield %83 : f32 loc(#loc83)
    } -> tensor<f32> loc(#loc83)
    %extracted = tensor.extract %39[] : tensor<f32> loc(#loc84)
    %40 = arith.divf %extracted, %cst_1 : f32 loc(#loc84)
    %41 = arith.negf %40 : f32 loc(#loc85)
    %from_elements = tensor.from_elements %41 : tensor<f32> loc(#loc85)
    %42 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%19 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/div"(#loc51)), %out: f32 loc("jit(step)/transpose(jvp(loss))/broadcast_in_dim"(#loc51))):
      linalg.yield %in : f32 loc(#loc86)
    } -> tensor<128xf32> loc(#loc86)
    %43 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<128xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/broadcast_in_dim"(#loc51)), %out: f32 loc("jit(step)/transpose(jvp(loss))/broadcast_in_dim"(#loc59))):
      linalg.yield %in : f32 loc(#loc87)
    } -> tensor<128x256xf32> loc(#loc87)
    %44 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5, %43 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("y"), %in_8: f32 loc("jit(step)/transpose(jvp(loss))/broadcast_in_dim"(#loc59)), %out: f32 loc("jit(step)/transpose(jvp(loss))/mul"(#loc58))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc88)
      linalg.yield %83 : f32 loc(#loc88)
    } -> tensor<128x256xf32> loc(#loc88)
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/mul"(#loc58)), %out: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/neg"(#loc52))):
      %83 = arith.negf %in : f32 loc(#loc89)
      linalg.yield %83 : f32 loc(#loc89)
    } -> tensor<128x256xf32> loc(#loc89)
    %46 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%45 : tensor<128x256xf32>) outs(%29 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc90)
      linalg.yield %83 : f32 loc(#loc90)
    } -> tensor<128xf32> loc(#loc90)
    %expanded = tensor.expand_shape %46 [[0, 1]] output_shape [128, 1] : tensor<128xf32> into tensor<128x1xf32> loc(#loc91)
    %47 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %31 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%24 : tensor<128x1xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/reshape"(#loc52)), %in_8: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/broadcast_in_dim"(#loc52)), %out: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/div"(#loc52))):
      %83 = arith.divf %in, %in_8 : f32 loc(#loc92)
      linalg.yield %83 : f32 loc(#loc92)
    } -> tensor<128x1xf32> loc(#loc92)
    %48 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%47 : tensor<128x1xf32>) outs(%29 : tensor<128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc90)
      linalg.yield %83 : f32 loc(#loc90)
    } -> tensor<128xf32> loc(#loc90)
    %49 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<128xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/reduce_sum"(#loc52)), %out: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/broadcast_in_dim"(#loc52))):
      linalg.yield %in : f32 loc(#loc93)
    } -> tensor<128x256xf32> loc(#loc93)
    %50 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%49, %28 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/broadcast_in_dim"(#loc52)), %in_8: f32 loc("jit(step)/jvp(loss)/jit(log_softmax)/exp"(#loc52)), %out: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/mul"(#loc52))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc94)
      linalg.yield %83 : f32 loc(#loc94)
    } -> tensor<128x256xf32> loc(#loc94)
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%44, %50 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%12 : tensor<128x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/mul"(#loc58)), %in_8: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/mul"(#loc52)), %out: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/add_any"(#loc52))):
      %83 = arith.addf %in, %in_8 : f32 loc(#loc95)
      linalg.yield %83 : f32 loc(#loc95)
    } -> tensor<128x256xf32> loc(#loc95)
    %52 = tensor.empty() : tensor<256xf32> loc(#loc96)
    %53 = linalg.fill ins(%cst_5 : f32) outs(%52 : tensor<256xf32>) -> tensor<256xf32> loc(#loc96)
    %54 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "reduction"]} ins(%51 : tensor<128x256xf32>) outs(%53 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc96)
      linalg.yield %83 : f32 loc(#loc96)
    } -> tensor<256xf32> loc(#loc96)
    %expanded_6 = tensor.expand_shape %54 [[0, 1]] output_shape [1, 256] : tensor<256xf32> into tensor<1x256xf32> loc(#loc97)
    %55 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "reduction"]} ins(%expanded_6 : tensor<1x256xf32>) outs(%53 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc96)
      linalg.yield %83 : f32 loc(#loc96)
    } -> tensor<256xf32> loc(#loc96)
    %56 = tensor.empty() : tensor<256x512xf32> loc(#loc98)
    %57 = linalg.fill ins(%cst_5 : f32) outs(%56 : tensor<256x512xf32>) -> tensor<256x512xf32> loc(#loc98)
    %58 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51, %7 : tensor<128x256xf32>, tensor<128x512xf32>) outs(%57 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/add_any"(#loc52)), %in_8: f32 loc("jit(step)/jvp(layer1)/tanh"(#loc55)), %out: f32 loc("jit(step)/transpose(jvp(layer2))/dot_general"(#loc56))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc95)
      %84 = arith.addf %out, %83 : f32 loc(#loc98)
      linalg.yield %84 : f32 loc(#loc)
    } -> tensor<256x512xf32> loc(#loc98)
    %59 = tensor.empty() : tensor<512x256xf32> loc(#loc99)
    %60 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<256x512xf32>) outs(%59 : tensor<512x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(layer2))/dot_general"(#loc56)), %out: f32 loc("jit(step)/transpose(jvp(layer2))/transpose"(#loc56))):
      linalg.yield %in : f32 loc(#loc99)
    } -> tensor<512x256xf32> loc(#loc99)
    %61 = linalg.generic {indexing_maps = [#map12, #map13, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51, %arg1 : tensor<128x256xf32>, tensor<512x256xf32>) outs(%1 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(loss))/jit(log_softmax)/add_any"(#loc52)), %in_8: f32 loc("params['W2']"), %out: f32 loc("jit(step)/transpose(jvp(layer2))/dot_general"(#loc56))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc95)
      %84 = arith.addf %out, %83 : f32 loc(#loc98)
      linalg.yield %84 : f32 loc(#loc)
    } -> tensor<128x512xf32> loc(#loc98)
    %62 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%61, %11 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(layer2))/dot_general"(#loc56)), %in_8: f32 loc("jit(step)/jvp(layer1)/mul"(#loc69)), %out: f32 loc("jit(step)/transpose(jvp(layer1))/mul"(#loc55))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc100)
      linalg.yield %83 : f32 loc(#loc100)
    } -> tensor<128x512xf32> loc(#loc100)
    %63 = tensor.empty() : tensor<512xf32> loc(#loc101)
    %64 = linalg.fill ins(%cst_5 : f32) outs(%63 : tensor<512xf32>) -> tensor<512xf32> loc(#loc101)
    %65 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "reduction"]} ins(%62 : tensor<128x512xf32>) outs(%64 : tensor<512xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc101)
      linalg.yield %83 : f32 loc(#loc101)
    } -> tensor<512xf32> loc(#loc101)
    %expanded_7 = tensor.expand_shape %65 [[0, 1]] output_shape [1, 512] : tensor<512xf32> into tensor<1x512xf32> loc(#loc102)
    %66 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "reduction"]} ins(%expanded_7 : tensor<1x512xf32>) outs(%64 : tensor<512xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc19)), %out: f32 loc("reduce_sum:"(#loc19))):
      %83 = arith.addf %out, %in : f32 loc(#loc101)
      linalg.yield %83 : f32 loc(#loc101)
    } -> tensor<512xf32> loc(#loc101)
    %67 = tensor.empty() : tensor<512x512xf32> loc(#loc103)
    %68 = linalg.fill ins(%cst_5 : f32) outs(%67 : tensor<512x512xf32>) -> tensor<512x512xf32> loc(#loc103)
    %69 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62, %arg4 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%68 : tensor<512x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(layer1))/mul"(#loc55)), %in_8: f32 loc("x"), %out: f32 loc("jit(step)/transpose(jvp(layer1))/dot_general"(#loc53))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc100)
      %84 = arith.addf %out, %83 : f32 loc(#loc103)
      linalg.yield %84 : f32 loc(#loc)
    } -> tensor<512x512xf32> loc(#loc103)
    %70 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<512x512xf32>) outs(%67 : tensor<512x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/transpose(jvp(layer1))/dot_general"(#loc53)), %out: f32 loc("jit(step)/transpose(jvp(layer1))/transpose"(#loc53))):
      linalg.yield %in : f32 loc(#loc104)
    } -> tensor<512x512xf32> loc(#loc104)
    %71 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%67 : tensor<512x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)"(#loc47)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      linalg.yield %in : f32 loc(#loc105)
    } -> tensor<512x512xf32> loc(#loc105)
    %72 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%71, %70 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%67 : tensor<512x512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/sgd/mul"(#loc61)), %in_8: f32 loc("jit(step)/transpose(jvp(layer1))/transpose"(#loc53)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc105)
      linalg.yield %83 : f32 loc(#loc105)
    } -> tensor<512x512xf32> loc(#loc105)
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %72 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%67 : tensor<512x512xf32>) {
    ^bb0(%in: f32 loc("params['W1']"), %in_8: f32 loc("jit(step)/sgd/mul"(#loc61)), %out: f32 loc("jit(step)/sgd/sub"(#loc62))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc106)
      linalg.yield %83 : f32 loc(#loc106)
    } -> tensor<512x512xf32> loc(#loc106)
    %74 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%59 : tensor<512x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)"(#loc47)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      linalg.yield %in : f32 loc(#loc105)
    } -> tensor<512x256xf32> loc(#loc105)
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%74, %60 : tensor<512x256xf32>, tensor<512x256xf32>) outs(%59 : tensor<512x256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/sgd/mul"(#loc61)), %in_8: f32 loc("jit(step)/transpose(jvp(layer2))/transpose"(#loc56)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc105)
      linalg.yield %83 : f32 loc(#loc105)
    } -> tensor<512x256xf32> loc(#loc105)
    %76 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1, %75 : tensor<512x256xf32>, tensor<512x256xf32>) outs(%59 : tensor<512x256xf32>) {
    ^bb0(%in: f32 loc("params['W2']"), %in_8: f32 loc("jit(step)/sgd/mul"(#loc61)), %out: f32 loc("jit(step)/sgd/sub"(#loc62))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc106)
      linalg.yield %83 : f32 loc(#loc106)
    } -> tensor<512x256xf32> loc(#loc106)
    %77 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%63 : tensor<512xf32>) {
    ^bb0(%in: f32 loc("jit(step)"(#loc47)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      linalg.yield %in : f32 loc(#loc105)
    } -> tensor<512xf32> loc(#loc105)
    %78 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%77, %66 : tensor<512xf32>, tensor<512xf32>) outs(%63 : tensor<512xf32>) {
    ^bb0(%in: f32 loc("jit(step)/sgd/mul"(#loc61)), %in_8: f32 loc("jit(step)/transpose(jvp(layer1))/reduce_sum"(#loc54)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc105)
      linalg.yield %83 : f32 loc(#loc105)
    } -> tensor<512xf32> loc(#loc105)
    %79 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg2, %78 : tensor<512xf32>, tensor<512xf32>) outs(%63 : tensor<512xf32>) {
    ^bb0(%in: f32 loc("params['b1']"), %in_8: f32 loc("jit(step)/sgd/mul"(#loc61)), %out: f32 loc("jit(step)/sgd/sub"(#loc62))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc106)
      linalg.yield %83 : f32 loc(#loc106)
    } -> tensor<512xf32> loc(#loc106)
    %80 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%52 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("jit(step)"(#loc47)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      linalg.yield %in : f32 loc(#loc105)
    } -> tensor<256xf32> loc(#loc105)
    %81 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%80, %55 : tensor<256xf32>, tensor<256xf32>) outs(%52 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("jit(step)/sgd/mul"(#loc61)), %in_8: f32 loc("jit(step)/transpose(jvp(layer2))/reduce_sum"(#loc57)), %out: f32 loc("jit(step)/sgd/mul"(#loc61))):
      %83 = arith.mulf %in, %in_8 : f32 loc(#loc105)
      linalg.yield %83 : f32 loc(#loc105)
    } -> tensor<256xf32> loc(#loc105)
    %82 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg3, %81 : tensor<256xf32>, tensor<256xf32>) outs(%52 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("params['b2']"), %in_8: f32 loc("jit(step)/sgd/mul"(#loc61)), %out: f32 loc("jit(step)/sgd/sub"(#loc62))):
      %83 = arith.subf %in, %in_8 : f32 loc(#loc106)
      linalg.yield %83 : f32 loc(#loc106)
    } -> tensor<256xf32> loc(#loc106)
    return %73, %76, %79, %82, %from_elements : tensor<512x512xf32>, tensor<512x256xf32>, tensor<512xf32>, tensor<256xf32>, tensor<f32> loc(#loc50)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc22 = loc("/data/workloads/models_jax.py":122:19 to :62)
#loc41 = loc("train.<locals>.loss"(#loc22))
#loc60 = loc(callsite(#loc41 at #loc48))
#loc82 = loc("jit(step)/jvp(loss)/reduce_sum"(#loc59))
#loc83 = loc("jit(step)/jvp(loss)/reduce_sum"(#loc51))
#loc84 = loc("jit(step)/jvp(loss)/div"(#loc51))
#loc85 = loc("jit(step)/jvp(loss)/neg"(#loc60))
#loc97 = loc("jit(step)/transpose(jvp(layer2))/reshape"(#loc57))
#loc102 = loc("jit(step)/transpose(jvp(layer1))/reshape"(#loc54))
