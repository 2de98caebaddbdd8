"""Records models whose kernels run on several threads.

  record_threads.py FOLDER TOOL RUNTIME
"""

import ctypes
import errno
import json
import os
import pathlib
import subprocess
import sys

# A layer, and another one four times in a loop, with rows of any number.
LAYERS = """
func.func @main(%x: tensor<?x256xf32>, %a: tensor<256x256xf32>,
                %b: tensor<256x256xf32>) -> tensor<?x256xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x256xf32>
  %e = tensor.empty(%n) : tensor<?x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256xf32>)
    -> tensor<?x256xf32>
  %y = linalg.matmul ins(%x, %a : tensor<?x256xf32>, tensor<256x256xf32>)
    outs(%f : tensor<?x256xf32>) -> tensor<?x256xf32> loc("first")
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%z = %y)
      -> (tensor<?x256xf32>) {
    %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256xf32>)
      -> tensor<?x256xf32>
    %w = linalg.matmul ins(%z, %b : tensor<?x256xf32>, tensor<256x256xf32>)
      outs(%g : tensor<?x256xf32>) -> tensor<?x256xf32> loc("second")
    %s = math.tanh %w : tensor<?x256xf32>
    scf.yield %s : tensor<?x256xf32>
  }
  return %r : tensor<?x256xf32>
}
"""

# Two branches that can run at the same time, a softmax and a copied part.
BRANCHES = """
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<192x192xf32>, %a: tensor<192x192xf32>,
                %b: tensor<192x192xf32>) -> tensor<200x192xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<192x192xf32>
  %v = tensor.empty() : tensor<192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<192x192xf32>)
    -> tensor<192x192xf32>
  %p = linalg.matmul ins(%x, %a : tensor<192x192xf32>, tensor<192x192xf32>)
    outs(%f : tensor<192x192xf32>) -> tensor<192x192xf32>
  %q = linalg.matmul ins(%x, %b : tensor<192x192xf32>, tensor<192x192xf32>)
    outs(%f : tensor<192x192xf32>) -> tensor<192x192xf32>
  %g = linalg.fill ins(%low : f32) outs(%v : tensor<192xf32>) -> tensor<192xf32>
  %m = linalg.generic {indexing_maps = [#all, #rows],
                       iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<192x192xf32>) outs(%g : tensor<192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<192xf32>
  %d = linalg.generic {indexing_maps = [#all, #rows, #all, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p, %m, %q : tensor<192x192xf32>, tensor<192xf32>, tensor<192x192xf32>)
      outs(%e : tensor<192x192xf32>) {
  ^bb0(%in: f32, %most: f32, %other: f32, %out: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %other : f32
    linalg.yield %3 : f32
  } -> tensor<192x192xf32>
  %padded = tensor.pad %d low[4, 0] high[4, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<192x192xf32> to tensor<200x192xf32>
  return %padded : tensor<200x192xf32>
}
"""

# Steps that need each other, in one kernel.
SEQUENCE = """
func.func @main(%x: tensor<65536xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                        affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%x : tensor<65536xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %before: f32):
    %sum = arith.addf %before, %in : f32
    %next = math.tanh %sum : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
"""

folder, tool, runtime = sys.argv[1:]
folder = pathlib.Path(folder)


def record(name, text, threads, *more):
    model = folder / f"{name}.mlir"
    model.write_text(text, encoding="utf-8")
    kept = folder / f"{name}.{threads}"
    profile = folder / f"{name}.{threads}.mlprof"
    subprocess.run(
        [tool, "record", model, "--no-peak",
         f"--threads={threads}", f"--save-results={kept}", "-o", profile, *more],
        check=True)
    return profile, (kept / "result0.npy").read_bytes()


def report(profile, *more):
    return json.loads(subprocess.run(
        [tool, "report", profile, "--format=json", "--all", *more], check=True,
        stdout=subprocess.PIPE, encoding="utf-8").stdout)


def check_results():
    """Rows of every kind: none, fewer and more than there are workgroups."""
    for name, text, shapes in (
            ("branches", BRANCHES, [()]),
            ("layers", LAYERS, [(f"--shape=0={rows}x256",)
                                for rows in (0, 1, 7, 64, 333)])):
        for more in shapes:
            _, one = record(name, text, 1, "--iterations=2", *more)
            for threads in (2, 4):
                _, several = record(name, text, threads, "--iterations=20", *more)
                assert one == several, (name, threads, more)


def check_samples():
    """The loop's layer has four times the samples of the first; every level has
    the same total."""
    profile, _ = record("layers", LAYERS, 2, "--shape=0=512x256", "--seconds=1")
    rows = [row for row in report(profile)["rows"]
            if row["op"] == "linalg.matmul"]
    times = {row["location"]: row["sole_ps"] for row in rows}
    assert 2 < times["second"] / times["first"] < 8, times
    totals = {report(profile, f"--level={level}")["coverage"]["op_time_ps"]
              for level in ("input", "dispatch", "loops", "asm")}
    assert len(totals) == 1, totals


def check_classes():
    """Every sample is the model's, or has a class; a thread that is not needed
    waits."""
    profile, _ = record("sequence", SEQUENCE, 2, "--seconds=0.5")
    classes = ("work", "library", "kernel", "waiting", "outside", "stealing",
               "executor")
    threads = {row["thread"]: row
               for row in report(profile, "--by=thread")["rows"]}
    assert set(threads) == {"main", "worker 1"}, threads
    for row in threads.values():
        # Classes of the executor without time do not have a column.
        assert sum(row.get(f"{name}_ps", 0) for name in classes) == row["total_ps"]
    main, worker = threads["main"], threads["worker 1"]
    in_model = sum(main[f"{name}_ps"] for name in ("work", "library", "kernel"))
    # Some samples are at the ends of the run, and between iterations.
    assert in_model > 0.9 * main["total_ps"], main
    assert worker["waiting_ps"] > 0.9 * worker["total_ps"], worker
    assert worker["work_ps"] == worker["outside_ps"] == 0, worker
    assert in_model == sum(row["total_ps"] for row in report(profile)["rows"])


class Array(ctypes.Structure):
    """A memref descriptor of rank 2."""
    _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * 2),
                ("strides", ctypes.c_int64 * 2)]


def make_array(values, rows, columns):
    data = (ctypes.c_float * len(values))(*values)
    place = ctypes.addressof(data)
    array = Array(place, place, 0, (rows, columns), (columns, 1))
    array.data = data
    return array


def check_object():
    """An object calls kernels in order without an executor, and reports one
    that was shut down."""
    record("branches", BRANCHES, 2, "--iterations=1",
           f"--save-object={folder / 'model.o'}")
    library = folder / "model.so"
    subprocess.run(["ld.lld-22", "-shared", "--allow-shlib-undefined", "-o",
                    library, folder / "model.o"], check=True)
    executors = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
    ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)
    model = ctypes.CDLL(str(library))
    variable = ctypes.c_void_p.in_dll(model, "mlirprof_executor")
    status = ctypes.c_int32.in_dll(model, "mlirprof_status")
    arrays = [make_array([(i * k) % 17 / 16 - 0.5 for i in range(192 * 192)],
                         192, 192) for k in (3, 5, 7)]

    def run():
        result = Array()
        places = (ctypes.c_void_p * 4)(
            *(ctypes.addressof(array) for array in (*arrays, result)))
        model.mlirprof_entry(places)
        return ctypes.string_at(result.aligned, 200 * 192 * 4)

    alone = run()
    executors.prof_executor_get_default.restype = ctypes.c_void_p
    executor = executors.prof_executor_get_default()
    executors.prof_executor_resize(ctypes.c_void_p(executor), 2)
    variable.value = executor
    for _ in range(50):
        assert run() == alone
    assert status.value == 0, status
    executors.prof_executor_shut_down(ctypes.c_void_p(executor))
    run()
    assert status.value == errno.ECANCELED, status


def check_single_thread():
    """One thread does not need the runtime."""
    record("branches", BRANCHES, 1, "--iterations=1",
           f"--save-object={folder / 'single.o'}")
    symbols = subprocess.run(["llvm-nm", folder / "single.o"], check=True,
                             stdout=subprocess.PIPE, encoding="utf-8").stdout
    assert "prof_executor" not in symbols and "mlirprof_executor" not in symbols


check_results()
check_samples()
check_classes()
check_object()
check_single_thread()
