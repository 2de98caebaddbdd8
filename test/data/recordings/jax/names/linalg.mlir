#loc1 = loc("weight")
#loc2 = loc("x")
#loc3 = loc("/data/workloads/models_jax.py":203:29 to :39)
#loc4 = loc("/data/workloads/record_jax.py":41:14 to :49)
#loc5 = loc("/data/workloads/record.py":69:19 to :57)
#loc6 = loc("/data/workloads/record.py":101:8 to :42)
#loc7 = loc("/data/workloads/record.py":131:13 to :19)
#loc8 = loc("/data/workloads/models_jax.py":203:20 to :40)
#loc9 = loc("/data/workloads/models_jax.py":204:15 to :32)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#loc10 = loc("names.<locals>.f"(#loc3))
#loc11 = loc("record"(#loc4))
#loc12 = loc("record_here"(#loc5))
#loc13 = loc("main"(#loc6))
#loc14 = loc("<module>"(#loc7))
#loc15 = loc("names.<locals>.f"(#loc8))
#loc16 = loc("names.<locals>.f"(#loc9))
#loc17 = loc(callsite(#loc13 at #loc14))
#loc18 = loc(callsite(#loc12 at #loc17))
#loc19 = loc(callsite(#loc11 at #loc18))
#loc20 = loc(callsite(#loc10 at #loc19))
#loc21 = loc(callsite(#loc15 at #loc19))
#loc22 = loc(callsite(#loc16 at #loc19))
#loc23 = loc("jit(f)"(#loc19))
#loc24 = loc("jit(f)/a \22quoted\22 'name'/dot_general"(#loc20))
#loc25 = loc("jit(f)/a \22quoted\22 'name'/tanh"(#loc21))
#loc26 = loc("jit(f)/gr\C3\BC\C3\9Fe/\E5\B1\A4/\F0\9F\94\A5/dot_general"(#loc20))
#loc27 = loc("jit(f)/gr\C3\BC\C3\9Fe/\E5\B1\A4/\F0\9F\94\A5/tanh"(#loc21))
#loc28 = loc("jit(f)/#shape=(2,3);k=v#/dot_general"(#loc20))
#loc29 = loc("jit(f)/#shape=(2,3);k=v#/tanh"(#loc21))
#loc30 = loc("jit(f)/back\\slash/dot_general"(#loc20))
#loc31 = loc("jit(f)/back\\slash/tanh"(#loc21))
#loc32 = loc("jit(f)/per%cent {brace} [bracket] <angle>/dot_general"(#loc20))
#loc33 = loc("jit(f)/per%cent {brace} [bracket] <angle>/tanh"(#loc21))
#loc34 = loc("jit(f)/long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_/dot_general"(#loc20))
#loc35 = loc("jit(f)/long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_/tanh"(#loc21))
#loc36 = loc("jit(f)/reduce_max"(#loc22))
#loc37 = loc("jit(f)/max"(#loc22))
#loc38 = loc("jit(f)/broadcast_in_dim"(#loc22))
#loc39 = loc("jit(f)/sub"(#loc22))
#loc40 = loc("jit(f)/exp"(#loc22))
#loc41 = loc("jit(f)/reduce_sum"(#loc22))
#loc42 = loc("jit(f)/div"(#loc22))
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x128xf32> loc("weight"), %arg1: tensor<64x128xf32> loc("x")) -> (tensor<64x128xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<64x128xf32> loc(#loc24)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc24)
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc24)
    %2 = linalg.matmul ins(%arg1, %arg0 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%1 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc24)
    %3 = tensor.empty() : tensor<64x128xf32> loc(#loc25)
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<64x128xf32>) outs(%3 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/a \22quoted\22 'name'/dot_general"(#loc20)), %out: f32 loc("jit(f)/a \22quoted\22 'name'/tanh"(#loc21))):
      %54 = math.tanh %in : f32 loc(#loc25)
      linalg.yield %54 : f32 loc(#loc25)
    } -> tensor<64x128xf32> loc(#loc25)
    %5 = tensor.empty() : tensor<64x128xf32> loc(#loc26)
    %cst_0 = arith.constant 0.000000e+00 : f32 loc(#loc26)
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc26)
    %7 = linalg.matmul ins(%4, %arg0 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%6 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc26)
    %8 = tensor.empty() : tensor<64x128xf32> loc(#loc27)
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<64x128xf32>) outs(%8 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/gr\C3\BC\C3\9Fe/\E5\B1\A4/\F0\9F\94\A5/dot_general"(#loc20)), %out: f32 loc("jit(f)/gr\C3\BC\C3\9Fe/\E5\B1\A4/\F0\9F\94\A5/tanh"(#loc21))):
      %54 = math.tanh %in : f32 loc(#loc27)
      linalg.yield %54 : f32 loc(#loc27)
    } -> tensor<64x128xf32> loc(#loc27)
    %10 = tensor.empty() : tensor<64x128xf32> loc(#loc28)
    %cst_1 = arith.constant 0.000000e+00 : f32 loc(#loc28)
    %11 = linalg.fill ins(%cst_1 : f32) outs(%10 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc28)
    %12 = linalg.matmul ins(%9, %arg0 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%11 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc28)
    %13 = tensor.empty() : tensor<64x128xf32> loc(#loc29)
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<64x128xf32>) outs(%13 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/#shape=(2,3);k=v#/dot_general"(#loc20)), %out: f32 loc("jit(f)/#shape=(2,3);k=v#/tanh"(#loc21))):
      %54 = math.tanh %in : f32 loc(#loc29)
      linalg.yield %54 : f32 loc(#loc29)
    } -> tensor<64x128xf32> loc(#loc29)
    %15 = tensor.empty() : tensor<64x128xf32> loc(#loc30)
    %cst_2 = arith.constant 0.000000e+00 : f32 loc(#loc30)
    %16 = linalg.fill ins(%cst_2 : f32) outs(%15 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc30)
    %17 = linalg.matmul ins(%14, %arg0 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%16 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc30)
    %18 = tensor.empty() : tensor<64x128xf32> loc(#loc31)
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<64x128xf32>) outs(%18 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/back\\slash/dot_general"(#loc20)), %out: f32 loc("jit(f)/back\\slash/tanh"(#loc21))):
      %54 = math.tanh %in : f32 loc(#loc31)
      linalg.yield %54 : f32 loc(#loc31)
    } -> tensor<64x128xf32> loc(#loc31)
    %20 = tensor.empty() : tensor<64x128xf32> loc(#loc32)
    %cst_3 = arith.constant 0.000000e+00 : f32 loc(#loc32)
    %21 = linalg.fill ins(%cst_3 : f32) outs(%20 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc32)
    %22 = linalg.matmul ins(%19, %arg0 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%21 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc32)
    %23 = tensor.empty() : tensor<64x128xf32> loc(#loc33)
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<64x128xf32>) outs(%23 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/per%cent {brace} [bracket] <angle>/dot_general"(#loc20)), %out: f32 loc("jit(f)/per%cent {brace} [bracket] <angle>/tanh"(#loc21))):
      %54 = math.tanh %in : f32 loc(#loc33)
      linalg.yield %54 : f32 loc(#loc33)
    } -> tensor<64x128xf32> loc(#loc33)
    %25 = tensor.empty() : tensor<64x128xf32> loc(#loc34)
    %cst_4 = arith.constant 0.000000e+00 : f32 loc(#loc34)
    %26 = linalg.fill ins(%cst_4 : f32) outs(%25 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc34)
    %27 = linalg.matmul ins(%24, %arg0 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%26 : tensor<64x128xf32>) -> tensor<64x128xf32> loc(#loc34)
    %28 = tensor.empty() : tensor<64x128xf32> loc(#loc35)
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<64x128xf32>) outs(%28 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_/dot_general"(#loc20)), %out: f32 loc("jit(f)/long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_/tanh"(#loc21))):
      %54 = math.tanh %in : f32 loc(#loc35)
      linalg.yield %54 : f32 loc(#loc35)
    } -> tensor<64x128xf32> loc(#loc35)
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc36)
    %cst_6 = arith.constant 0xFF800000 : f32 loc(#loc36)
    %30 = tensor.empty() : tensor<64xf32> loc(#loc36)
    %31 = linalg.fill ins(%cst_6 : f32) outs(%30 : tensor<64xf32>) -> tensor<64xf32> loc(#loc36)
    %32 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%29 : tensor<64x128xf32>) outs(%31 : tensor<64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/reduce_max"(#loc22)), %out: f32 loc("jit(f)/reduce_max"(#loc22))):
      %from_elements = tensor.from_elements %in : tensor<f32> loc(#loc36)
      %from_elements_10 = tensor.from_elements %out : tensor<f32> loc(#loc36)
      %extracted = tensor.extract %from_elements_10[] : tensor<f32> loc(#loc36)
      %extracted_11 = tensor.extract %from_elements[] : tensor<f32> loc(#loc36)
      %54 = arith.maximumf %extracted, %extracted_11 : f32 loc(#loc36)
      %from_elements_12 = tensor.from_elements %54 : tensor<f32> loc(#loc36)
      %extracted_13 = tensor.extract %from_elements_12[] : tensor<f32> loc(#loc36)
      linalg.yield %extracted_13 : f32 loc(#loc36)
    } -> tensor<64xf32> loc(#loc36)
    %cst_7 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc23)
    %33 = tensor.empty() : tensor<64xf32> loc(#loc37)
    %34 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%33 : tensor<64xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc19)), %out: f32 loc("jit(f)/max"(#loc22))):
      linalg.yield %in : f32 loc(#loc37)
    } -> tensor<64xf32> loc(#loc37)
    %35 = tensor.empty() : tensor<64xf32> loc(#loc37)
    %36 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%34, %32 : tensor<64xf32>, tensor<64xf32>) outs(%35 : tensor<64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/max"(#loc22)), %in_10: f32 loc("jit(f)/reduce_max"(#loc22)), %out: f32 loc("jit(f)/max"(#loc22))):
      %54 = arith.maximumf %in, %in_10 : f32 loc(#loc37)
      linalg.yield %54 : f32 loc(#loc37)
    } -> tensor<64xf32> loc(#loc37)
    %37 = tensor.empty() : tensor<64x1xf32> loc(#loc38)
    %38 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<64xf32>) outs(%37 : tensor<64x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/max"(#loc22)), %out: f32 loc("jit(f)/broadcast_in_dim"(#loc22))):
      linalg.yield %in : f32 loc(#loc38)
    } -> tensor<64x1xf32> loc(#loc38)
    %39 = tensor.empty() : tensor<64x128xf32> loc(#loc39)
    %40 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<64x1xf32>) outs(%39 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/broadcast_in_dim"(#loc22)), %out: f32 loc("jit(f)/sub"(#loc22))):
      linalg.yield %in : f32 loc(#loc39)
    } -> tensor<64x128xf32> loc(#loc39)
    %41 = tensor.empty() : tensor<64x128xf32> loc(#loc39)
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %40 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%41 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_/tanh"(#loc21)), %in_10: f32 loc("jit(f)/sub"(#loc22)), %out: f32 loc("jit(f)/sub"(#loc22))):
      %54 = arith.subf %in, %in_10 : f32 loc(#loc39)
      linalg.yield %54 : f32 loc(#loc39)
    } -> tensor<64x128xf32> loc(#loc39)
    %43 = tensor.empty() : tensor<64x128xf32> loc(#loc40)
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<64x128xf32>) outs(%43 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/sub"(#loc22)), %out: f32 loc("jit(f)/exp"(#loc22))):
      %54 = math.exp %in : f32 loc(#loc40)
      linalg.yield %54 : f32 loc(#loc40)
    } -> tensor<64x128xf32> loc(#loc40)
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc41)
    %cst_9 = arith.constant 0.000000e+00 : f32 loc(#loc41)
    %45 = tensor.empty() : tensor<64xf32> loc(#loc41)
    %46 = linalg.fill ins(%cst_9 : f32) outs(%45 : tensor<64xf32>) -> tensor<64xf32> loc(#loc41)
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%44 : tensor<64x128xf32>) outs(%46 : tensor<64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/reduce_sum"(#loc22)), %out: f32 loc("jit(f)/reduce_sum"(#loc22))):
      %from_elements = tensor.from_elements %in : tensor<f32> loc(#loc41)
      %from_elements_10 = tensor.from_elements %out : tensor<f32> loc(#loc41)
      %extracted = tensor.extract %from_elements_10[] : tensor<f32> loc(#loc41)
      %extracted_11 = tensor.extract %from_elements[] : tensor<f32> loc(#loc41)
      %54 = arith.addf %extracted, %extracted_11 : f32 loc(#loc41)
      %from_elements_12 = tensor.from_elements %54 : tensor<f32> loc(#loc41)
      %extracted_13 = tensor.extract %from_elements_12[] : tensor<f32> loc(#loc41)
      linalg.yield %extracted_13 : f32 loc(#loc41)
    } -> tensor<64xf32> loc(#loc41)
    %48 = tensor.empty() : tensor<64x1xf32> loc(#loc38)
    %49 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<64xf32>) outs(%48 : tensor<64x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/reduce_sum"(#loc22)), %out: f32 loc("jit(f)/broadcast_in_dim"(#loc22))):
      linalg.yield %in : f32 loc(#loc38)
    } -> tensor<64x1xf32> loc(#loc38)
    %50 = tensor.empty() : tensor<64x128xf32> loc(#loc42)
    %51 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<64x1xf32>) outs(%50 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/broadcast_in_dim"(#loc22)), %out: f32 loc("jit(f)/div"(#loc22))):
      linalg.yield %in : f32 loc(#loc42)
    } -> tensor<64x128xf32> loc(#loc42)
    %52 = tensor.empty() : tensor<64x128xf32> loc(#loc42)
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%44, %51 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%52 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/exp"(#loc22)), %in_10: f32 loc("jit(f)/div"(#loc22)), %out: f32 loc("jit(f)/div"(#loc22))):
      %54 = arith.divf %in, %in_10 : f32 loc(#loc42)
      linalg.yield %54 : f32 loc(#loc42)
    } -> tensor<64x128xf32> loc(#loc42)
    return %53 : tensor<64x128xf32> loc(#loc23)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)

