// prof-annotate with each carrier, through our tool and stock mlir-opt.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json})' %S/Inputs/tosa.mlir | FileCheck %s --check-prefixes=ATTRIBUTE,PLAIN
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json})' %S/Inputs/tosa.mlir | FileCheck %s --check-prefixes=ATTRIBUTE,PLAIN

// PLAIN-NOT: profiler_data
// ATTRIBUTE: module @net attributes {prof.coverage = #prof.coverage<op_time_ps = 11000, owned_ps = 10000, unique_ps = 10000, unmatched_ps = 1000>}
// ATTRIBUTE: "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> :
// ATTRIBUTE: tosa.matmul {{.*}} {prof.data = #prof.data<count = 2, sole_ps = 5000, first_begin_ps = 10>}
// ATTRIBUTE: tosa.add {{.*}} {prof.data = #prof.data<count = 2, sole_ps = 300, first_begin_ps = 20>}
// ATTRIBUTE: tosa.clamp {{.*}} prof.data = #prof.data<count = 2, sole_ps = 200, first_begin_ps = 30>}
// ATTRIBUTE: tosa.matmul {{.*}} {prof.data = #prof.data<count = 2, sole_ps = 4000, first_begin_ps = 40>}
// ATTRIBUTE: tosa.tanh {{.*}} {prof.data = #prof.data<count = 2, sole_ps = 400, first_begin_ps = 50>}
// ATTRIBUTE: tosa.reduce_max {{.*}} prof.data = #prof.data<count = 2, sole_ps = 100, first_begin_ps = 60>}

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=compat-profiler-data})' %S/Inputs/tosa.mlir | FileCheck %s --check-prefix=COMPAT
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json compat-profiler-data})' %S/Inputs/tosa.mlir | FileCheck %s --check-prefix=COMPAT

// COMPAT: tosa.tanh {{.*}} {prof.data = #prof.data<count = 2, sole_ps = 400, first_begin_ps = 50>, profiler_data = {dur = 400 : i64, ts = 50 : i64}}

// The location carrier leaves nothing but locations, which any tool reads.
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=location})' --mlir-print-debuginfo %S/Inputs/tosa.mlir -o %t.location.mlir
// RUN: mlir-opt %t.location.mlir --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCATION
// RUN: mlir-opt %t.location.mlir -o %t.without-location.mlir
// RUN: mlir-opt %S/Inputs/tosa.mlir | diff - %t.without-location.mlir
// RUN: mlir-opt %t.location.mlir --emit-bytecode -o %t.location.mlirbc
// RUN: mlir-opt %t.location.mlirbc --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCATION

// LOCATION: tosa.tanh {{.*}} loc(fused<{prof.data = array<i64: 7, 2, 400, 0, 0, 50>}>["net/tanh"("net.py":15:5)])
// LOCATION: return {{.*}} loc("net/return"("net.py":17:5))
// LOCATION: loc(fused<{prof.coverage = array<i64: 11000, 10000, 10000, 0, 0, 0, 1000, 0>}>[

// What was annotated comes back, and an earlier annotation is replaced, not
// added to.
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-materialize{remarks=0})' %t.location.mlir | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=location},prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=compat-profiler-data},prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=location})' --mlir-print-debuginfo %S/Inputs/tosa.mlir | diff - %t.location.mlir

// And stripping leaves what there was.
// RUN: %mlir-prof-opt --prof-strip --mlir-print-debuginfo --mlir-print-local-scope %t.location.mlir -o %t.stripped.mlir
// RUN: mlir-opt --mlir-print-debuginfo --mlir-print-local-scope %S/Inputs/tosa.mlir | diff - %t.stripped.mlir
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=compat-profiler-data},prof-strip)' --mlir-print-debuginfo --mlir-print-local-scope %S/Inputs/tosa.mlir | diff - %t.stripped.mlir

// A recording as the framework wrote it, on the module that the framework
// printed, of a dialect that is not registered.
// RUN: %mlirprof_opt --allow-unregistered-dialect --pass-pipeline='builtin.module(prof-annotate{profile=%recordings/jax/mlp/xplane.pb})' %recordings/jax/mlp/model.generic.mlir | FileCheck %s --check-prefix=JAX
// RUN: %mlirprof_opt --allow-unregistered-dialect --pass-pipeline='builtin.module(prof-annotate{profile=%recordings/tf/mlp/xplane.pb match=reference})' %recordings/tf/mlp/model.generic.mlir | FileCheck %s --check-prefix=TF

// JAX: "stablehlo.dot_general"{{.*}}prof.data = #prof.data<count = {{[0-9]+}}, shared_ps = {{[0-9]+}}, estimated_ps = {{[0-9]+}}
// TF: "tf.MatMul"{{.*}}prof.data = #prof.data<
