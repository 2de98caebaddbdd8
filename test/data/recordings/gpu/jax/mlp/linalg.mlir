#loc1 = loc("params['W1']")
#loc2 = loc("params['W2']")
#loc3 = loc("params['b1']")
#loc4 = loc("params['b2']")
#loc5 = loc("x")
#loc6 = loc("/data/workloads/models_jax.py":35:15 to :32)
#loc7 = loc("/data/workloads/gpu/record_jax.py":60:14 to :49)
#loc8 = loc("/data/workloads/gpu/record_jax.py":106:12 to :44)
#loc9 = loc("/data/workloads/gpu/record_jax.py":118:13 to :19)
#loc10 = loc("/data/workloads/models_jax.py":32:28 to :44)
#loc11 = loc("/data/workloads/models_jax.py":32:28 to :59)
#loc12 = loc("/data/workloads/models_jax.py":32:16 to :60)
#loc13 = loc("/data/workloads/models_jax.py":34:25 to :41)
#loc14 = loc("/data/workloads/models_jax.py":34:25 to :56)
#loc15 = loc("/data/workloads/models_jax.py":34:16 to :57)
#loc16 = loc("reduce_max")
#loc17 = loc("reduce_sum")
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#loc18 = loc("mlp.<locals>.f"(#loc6))
#loc19 = loc("record"(#loc7))
#loc20 = loc("main"(#loc8))
#loc21 = loc("<module>"(#loc9))
#loc22 = loc("mlp.<locals>.f"(#loc10))
#loc23 = loc("mlp.<locals>.f"(#loc11))
#loc24 = loc("mlp.<locals>.f"(#loc12))
#loc25 = loc("mlp.<locals>.f"(#loc13))
#loc26 = loc("mlp.<locals>.f"(#loc14))
#loc27 = loc("mlp.<locals>.f"(#loc15))
#loc28 = loc("reduce_max:"(#loc16))
#loc29 = loc("reduce_sum:"(#loc17))
#loc30 = loc(callsite(#loc20 at #loc21))
#loc31 = loc(callsite(#loc19 at #loc30))
#loc32 = loc(callsite(#loc18 at #loc31))
#loc33 = loc(callsite(#loc22 at #loc31))
#loc34 = loc(callsite(#loc23 at #loc31))
#loc35 = loc(callsite(#loc24 at #loc31))
#loc36 = loc(callsite(#loc25 at #loc31))
#loc37 = loc(callsite(#loc26 at #loc31))
#loc38 = loc(callsite(#loc27 at #loc31))
#loc39 = loc("jit(f)"(#loc31))
#loc40 = loc("jit(f)/reduce_max"(#loc32))
#loc41 = loc("jit(f)/layer1/dot_general"(#loc33))
#loc42 = loc("jit(f)/layer1/broadcast_in_dim"(#loc34))
#loc43 = loc("jit(f)/layer1/add"(#loc34))
#loc44 = loc("jit(f)/layer1/jit(relu)/max"(#loc35))
#loc45 = loc("jit(f)/layer1/jit(relu)"(#loc35))
#loc46 = loc("jit(f)/layer2/dot_general"(#loc36))
#loc47 = loc("jit(f)/layer2/broadcast_in_dim"(#loc37))
#loc48 = loc("jit(f)/layer2/add"(#loc37))
#loc49 = loc("jit(f)/layer2/tanh"(#loc38))
#loc50 = loc("jit(f)/max"(#loc32))
#loc51 = loc("jit(f)/broadcast_in_dim"(#loc32))
#loc52 = loc("jit(f)/sub"(#loc32))
#loc53 = loc("jit(f)/exp"(#loc32))
#loc54 = loc("jit(f)/reduce_sum"(#loc32))
#loc55 = loc("jit(f)/div"(#loc32))
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x1024xf32> loc("params['W1']"), %arg1: tensor<1024x512xf32> loc("params['W2']"), %arg2: tensor<1024xf32> loc("params['b1']"), %arg3: tensor<512xf32> loc("params['b2']"), %arg4: tensor<256x1024xf32> loc("x")) -> (tensor<256x512xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32 loc(#loc40)
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc)
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %cst_2 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<256x1024xf32> loc(#loc41)
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<256x1024xf32>) -> tensor<256x1024xf32> loc(#loc41)
    %2 = linalg.matmul ins(%arg4, %arg0 : tensor<256x1024xf32>, tensor<1024x1024xf32>) outs(%1 : tensor<256x1024xf32>) -> tensor<256x1024xf32> loc(#loc41)
    %3 = tensor.empty() : tensor<1x1024xf32> loc(#loc42)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<1024xf32>) outs(%3 : tensor<1x1024xf32>) {
    ^bb0(%in: f32 loc("params['b1']"), %out: f32 loc("jit(f)/layer1/broadcast_in_dim"(#loc34))):
      linalg.yield %in : f32 loc(#loc42)
    } -> tensor<1x1024xf32> loc(#loc42)
    %5 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x1024xf32>) outs(%0 : tensor<256x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer1/broadcast_in_dim"(#loc34)), %out: f32 loc("jit(f)/layer1/add"(#loc34))):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<256x1024xf32> loc(#loc43)
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<256x1024xf32>, tensor<256x1024xf32>) outs(%0 : tensor<256x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer1/dot_general"(#loc33)), %in_3: f32 loc("jit(f)/layer1/add"(#loc34)), %out: f32 loc("jit(f)/layer1/add"(#loc34))):
      %32 = arith.addf %in, %in_3 : f32 loc(#loc43)
      linalg.yield %32 : f32 loc(#loc43)
    } -> tensor<256x1024xf32> loc(#loc43)
    %7 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<256x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer1/jit(relu)"(#loc35)), %out: f32 loc("jit(f)/layer1/jit(relu)/max"(#loc35))):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<256x1024xf32> loc(#loc44)
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<256x1024xf32>, tensor<256x1024xf32>) outs(%0 : tensor<256x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer1/add"(#loc34)), %in_3: f32 loc("jit(f)/layer1/jit(relu)/max"(#loc35)), %out: f32 loc("jit(f)/layer1/jit(relu)/max"(#loc35))):
      %32 = arith.maximumf %in, %in_3 : f32 loc(#loc44)
      linalg.yield %32 : f32 loc(#loc44)
    } -> tensor<256x1024xf32> loc(#loc44)
    %9 = tensor.empty() : tensor<256x512xf32> loc(#loc46)
    %10 = linalg.fill ins(%cst_2 : f32) outs(%9 : tensor<256x512xf32>) -> tensor<256x512xf32> loc(#loc46)
    %11 = linalg.matmul ins(%8, %arg1 : tensor<256x1024xf32>, tensor<1024x512xf32>) outs(%10 : tensor<256x512xf32>) -> tensor<256x512xf32> loc(#loc46)
    %12 = tensor.empty() : tensor<1x512xf32> loc(#loc47)
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<512xf32>) outs(%12 : tensor<1x512xf32>) {
    ^bb0(%in: f32 loc("params['b2']"), %out: f32 loc("jit(f)/layer2/broadcast_in_dim"(#loc37))):
      linalg.yield %in : f32 loc(#loc47)
    } -> tensor<1x512xf32> loc(#loc47)
    %14 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<1x512xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer2/broadcast_in_dim"(#loc37)), %out: f32 loc("jit(f)/layer2/add"(#loc37))):
      linalg.yield %in : f32 loc(#loc48)
    } -> tensor<256x512xf32> loc(#loc48)
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %14 : tensor<256x512xf32>, tensor<256x512xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer2/dot_general"(#loc36)), %in_3: f32 loc("jit(f)/layer2/add"(#loc37)), %out: f32 loc("jit(f)/layer2/add"(#loc37))):
      %32 = arith.addf %in, %in_3 : f32 loc(#loc48)
      linalg.yield %32 : f32 loc(#loc48)
    } -> tensor<256x512xf32> loc(#loc48)
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<256x512xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer2/add"(#loc37)), %out: f32 loc("jit(f)/layer2/tanh"(#loc38))):
      %32 = math.tanh %in : f32 loc(#loc49)
      linalg.yield %32 : f32 loc(#loc49)
    } -> tensor<256x512xf32> loc(#loc49)
    %17 = tensor.empty() : tensor<256xf32> loc(#loc40)
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<256xf32>) -> tensor<256xf32> loc(#loc40)
    %19 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<256x512xf32>) outs(%18 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("reduce_max:"(#loc16)), %out: f32 loc("reduce_max:"(#loc16))):
      %32 = arith.maximumf %out, %in : f32 loc(#loc40)
      linalg.yield %32 : f32 loc(#loc40)
    } -> tensor<256xf32> loc(#loc40)
    %20 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%17 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc31)), %out: f32 loc("jit(f)/max"(#loc32))):
      linalg.yield %in : f32 loc(#loc50)
    } -> tensor<256xf32> loc(#loc50)
    %21 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%20, %19 : tensor<256xf32>, tensor<256xf32>) outs(%17 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/max"(#loc32)), %in_3: f32 loc("jit(f)/reduce_max"(#loc32)), %out: f32 loc("jit(f)/max"(#loc32))):
      %32 = arith.maximumf %in, %in_3 : f32 loc(#loc50)
      linalg.yield %32 : f32 loc(#loc50)
    } -> tensor<256xf32> loc(#loc50)
    %22 = tensor.empty() : tensor<256x1xf32> loc(#loc51)
    %23 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<256xf32>) outs(%22 : tensor<256x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/max"(#loc32)), %out: f32 loc("jit(f)/broadcast_in_dim"(#loc32))):
      linalg.yield %in : f32 loc(#loc51)
    } -> tensor<256x1xf32> loc(#loc51)
    %24 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<256x1xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/broadcast_in_dim"(#loc32)), %out: f32 loc("jit(f)/sub"(#loc32))):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<256x512xf32> loc(#loc52)
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %24 : tensor<256x512xf32>, tensor<256x512xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/layer2/tanh"(#loc38)), %in_3: f32 loc("jit(f)/sub"(#loc32)), %out: f32 loc("jit(f)/sub"(#loc32))):
      %32 = arith.subf %in, %in_3 : f32 loc(#loc52)
      linalg.yield %32 : f32 loc(#loc52)
    } -> tensor<256x512xf32> loc(#loc52)
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<256x512xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/sub"(#loc32)), %out: f32 loc("jit(f)/exp"(#loc32))):
      %32 = math.exp %in : f32 loc(#loc53)
      linalg.yield %32 : f32 loc(#loc53)
    } -> tensor<256x512xf32> loc(#loc53)
    %27 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<256xf32>) -> tensor<256xf32> loc(#loc54)
    %28 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%26 : tensor<256x512xf32>) outs(%27 : tensor<256xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc17)), %out: f32 loc("reduce_sum:"(#loc17))):
      %32 = arith.addf %out, %in : f32 loc(#loc54)
      linalg.yield %32 : f32 loc(#loc54)
    } -> tensor<256xf32> loc(#loc54)
    %29 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<256xf32>) outs(%22 : tensor<256x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/reduce_sum"(#loc32)), %out: f32 loc("jit(f)/broadcast_in_dim"(#loc32))):
      linalg.yield %in : f32 loc(#loc51)
    } -> tensor<256x1xf32> loc(#loc51)
    %30 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<256x1xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/broadcast_in_dim"(#loc32)), %out: f32 loc("jit(f)/div"(#loc32))):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<256x512xf32> loc(#loc55)
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26, %30 : tensor<256x512xf32>, tensor<256x512xf32>) outs(%9 : tensor<256x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/exp"(#loc32)), %in_3: f32 loc("jit(f)/div"(#loc32)), %out: f32 loc("jit(f)/div"(#loc32))):
      %32 = arith.divf %in, %in_3 : f32 loc(#loc55)
      linalg.yield %32 : f32 loc(#loc55)
    } -> tensor<256x512xf32> loc(#loc55)
    return %31 : tensor<256x512xf32> loc(#loc39)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
