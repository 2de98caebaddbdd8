# Configuration of the lit tests.
#
# Substitutions beside the tools of LLVM and MLIR:
#   %mlir-prof         the tool
#   %mlir-prof-opt     mlir-opt with the dialect and passes of mlir-prof
#   %mlirprof_plugin   path of the plugin for stock mlir-opt
#   %mlirprof_opt      stock mlir-opt with that plugin loaded
#   %mlirprof_test_opt the same with the passes of test/lib beside it
#   %mlirprof_test_passes  path of the plugin with those passes
#   %mlir-prof-gpu     the program that runs compiled models on a GPU
#   %fake_cuda         a library in place of that GPU's driver
#   %data              folder with the data of the tests
#   %recordings        its folder with recordings, models and what to expect
#   %python            the interpreter that runs lit
#   %package_python    the interpreter for which the extension of python/ is built

import fcntl
import os
import sys

import lit.formats


def claim_outputs(folder):
    """Where this run's tests write, and what holds it as long as lit runs: with
    two runs at once in one folder each would overwrite what the other one is
    about to read."""
    for number in range(1, 100):
        path = folder if number == 1 else f"{folder}.{number}"
        os.makedirs(path, exist_ok=True)
        lock = os.open(os.path.join(path, ".lit-lock"), os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return path, lock
        except BlockingIOError:
            os.close(lock)
    lit_config.fatal(f"{folder} is in use by 99 other runs of lit")


# Without the build's lit.site.cfg.py (`lit test` in the source tree) look for
# it in $MLIRPROF_BUILD, else in ./build.
if not hasattr(config, "mlirprof_obj_root"):
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.environ.get("MLIRPROF_BUILD", os.path.join(here, "..", "build"))
    site = os.path.join(build, "test", "lit.site.cfg.py")
    if not os.path.exists(site):
        lit_config.fatal(
            f"no {site}: set MLIRPROF_BUILD to a build directory, "
            "or run `lit <build>/test`"
        )
    lit_config.load_config(config, site)
else:
    config.name = "mlir-prof"
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".mlir", ".test"]
    # Folders of data, not of tests.
    config.excludes = ["data", "Inputs", "lib"]
    if not config.package_python:
        # A plain interpreter cannot load an extension that has sanitizers.
        if config.sanitize:
            config.excludes.append("Python")
        else:
            lit_config.warning(
                "the package of python/ is not built (MLIRPROF_PYTHON=OFF): "
                "tests that need it fail"
            )
    config.test_source_root = os.path.join(config.mlirprof_src_root, "test")
    config.test_exec_root, config.output_lock = claim_outputs(
        os.path.join(config.mlirprof_obj_root, "test")
    )

    tools = os.path.join(config.mlirprof_obj_root, "bin")
    config.environment["PATH"] = os.pathsep.join(
        [tools, config.llvm_tools_dir, os.environ.get("PATH", "")]
    )
    # Output must not depend on where the tests run.
    config.environment["LC_ALL"] = "C.UTF-8"
    config.environment["NO_COLOR"] = "1"
    # Code from an earlier run would hide that it can no longer be compiled.
    config.environment["MLIR_PROF_CACHE"] = "off"
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "CCACHE_DIR", "HOME"):
        if name in os.environ:
            config.environment[name] = os.environ[name]

    def add(name, value):
        config.substitutions.append((name, value))

    # Longer names first: lit replaces in order.
    stock = os.path.join(config.llvm_tools_dir, "mlir-opt")
    plugin = config.mlirprof_plugin
    add(
        r"%mlirprof_opt\b",
        f"{stock} --load-dialect-plugin={plugin} --load-pass-plugin={plugin}",
    )
    add(
        r"%mlirprof_test_opt\b",
        f"{stock} --load-dialect-plugin={plugin} --load-pass-plugin={plugin} "
        f"--load-pass-plugin={config.mlirprof_test_passes}",
    )
    add(r"%mlirprof_test_passes\b", config.mlirprof_test_passes)
    add(r"%mlirprof_plugin\b", plugin)
    add(r"%mlir-prof-opt\b", os.path.join(tools, "mlir-prof-opt"))
    add(r"%mlir-prof-gpu\b", os.path.join(tools, "mlir-prof-gpu"))
    add(r"%fake_cuda\b", config.fake_cuda)
    add(r"%mlir-prof(?![\w-])", os.path.join(tools, "mlir-prof"))
    data = os.path.join(config.test_source_root, "data")
    add(r"%data\b", data)
    add(r"%recordings\b", os.path.join(data, "recordings"))
    add(r"%package_python\b", config.package_python)
    add(r"%python\b", sys.executable)
    add(r"%cmake\b", config.cmake)
    add(r"%generator\b", config.cmake_generator)
    add(r"%cc\b", config.c_compiler)
    add(r"%cxx\b", config.cxx_compiler)
    add(r"%mlir_dir\b", config.mlir_dir)
    add(r"%llvm_root\b", os.path.dirname(config.llvm_tools_dir))
    add(r"%source_root\b", config.mlirprof_src_root)
    add(r"%build_root\b", config.mlirprof_obj_root)

    config.available_features.add(
        "sanitizer" if config.sanitize else "no-sanitizer"
    )
