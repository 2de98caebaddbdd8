#!/usr/bin/env python3
"""Runs a deployed model on its target, and compares the results with arrays.

usage: run_deployed.py FOLDER --inputs FILE.npy... --expected FILE.npy... [options]

FOLDER is what `mlir-prof deploy` wrote with the container `static`, or with `embedded`:
then the file is a part of the program, which loads it. The first axis of the arrays
numbers calls. The program is linked by LLVM's tools without a C library: a
symbol that the model needs beyond those of test/lib/boards/memory.c is an error. It runs
natively or in QEMU. Code that writes behind its arena is an error. Prints the number of
different elements, or of the largest difference relative to the largest element for
floats, and exits with 1 if it is above the tolerance.

  --tolerance X      for floats (default 0: equal)
  --calls N          at most so many calls (default: all)
  --arena-fill N     the arena is full of the byte N before each call
  --in-place     code and constants of a file stay in it; prints the memory of the model
  --plugin FILE      a plugin of QEMU that counts instructions; prints its counts
  --instructions N   in QEMU, all calls take N instructions each, or up to 2 % more or less
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

BOARDS = pathlib.Path(__file__).parent / "boards"
RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime"
LLVM = "/usr/lib/llvm-22/bin/"


class Machine:
    """How programs of a target start and run."""

    def __init__(self, start, emulator, script=None):
        self.start = start
        self.emulator = emulator
        self.script = script


def get_machine(triple, cpu):
    """The machine for a target."""
    arch = triple.split("-")[0]
    if "linux" in triple:
        emulators = {"x86_64": [], "aarch64": ["qemu-aarch64"],
                     "riscv64": ["qemu-riscv64", "-cpu", "rv64"]}
        return Machine("linux.c", emulators[arch])
    if arch.startswith("thumb"):
        board = {"cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500",
                 "cortex-m33": "mps2-an505"}[cpu]
        return Machine("cortex-m.c",
                       ["qemu-system-arm", "-M", board, "-nographic", "-monitor", "none",
                        "-serial", "none", "-semihosting-config",
                        "enable=on,target=native,chardev=output", "-chardev",
                        "stdio,id=output", "-kernel"],
                       "cortex-m33.ld" if cpu == "cortex-m33" else "cortex-m.ld")
    bits = "64" if arch == "riscv64" else "32"
    return Machine("riscv.c",
                   [f"qemu-system-riscv{bits}", "-M", "virt", "-bios", "none", "-nographic",
                    "-monitor", "none", "-serial", "stdio", "-kernel"],
                   "riscv.ld")


def run(command, **options):
    """The output of a command; its errors end this program."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n"
                 f"{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done


def write_reset(name, state_bytes, is_loaded):
    """The variables of the model, and the function that gives them their first values."""
    reset = "loaded_model->reset" if is_loaded else f"{name}_reset"
    return ["#include \"loaded.h\""] * is_loaded + (
        [f"static unsigned char state[{state_bytes}] __attribute__((aligned(64)));",
         f"static void program_reset(void) {{ {reset}(state); }}"] if state_bytes else
        ["static void program_reset(void) {}"])


def write_devices(name, devices):
    """Simulated devices for a model, which are open for all calls."""
    if not devices:
        return ["static void program_prepare_devices(void) {}",
                "static int program_has_violations(void) { return 0; }",
                "#define PROGRAM_DEVICES 0"]
    lines = ['#include "simulated.h"', f"#define PROGRAM_DEVICES {len(devices)}",
             f"static simulated simulated_devices[{len(devices)}];",
             f"static prof_device drivers[{len(devices)}];",
             f"static prof_device_slot devices[{len(devices)}];"]
    opening, names = [], []
    for index, device in enumerate(devices):
        lines.append(f"static unsigned char device_memory{index}[{device['bytes']}] "
                     "__attribute__((aligned(64)));")
        opening.append(f"    simulated_make(&simulated_devices[{index}], device_memory{index}, "
                       f"sizeof device_memory{index}, &drivers[{index}]);")
        names.append(f"&drivers[{index}]")
    return lines + [
        "static void program_prepare_devices(void) {", "  static int is_open;",
        "  if (!is_open) {", f"    const prof_device *list[] = {{{', '.join(names)}}};",
        *opening, f"    is_open = {name}_open(list, devices) == 0;", "  }",
        "  for (unsigned i = 0; i < PROGRAM_DEVICES; ++i)",
        f"    simulated_poison(&simulated_devices[i], &{name}_devices[i]);", "}",
        "static int program_has_violations(void) {",
        "  for (unsigned i = 0; i < PROGRAM_DEVICES; ++i)",
        "    if (simulated_devices[i].violations || simulated_devices[i].count) return 1;",
        "  return 0;", "}"]


def write_run(name, control, arguments, inputs, arena, is_loaded):
    """The function of program.h that runs the model, by its container and its control."""
    if is_loaded:
        return [f"static int program_run(void) {{ return {name}_run_loaded("
                f"loaded_model, {', '.join(arguments + [arena])}); }}"]
    if control == "none" and "devices" in arguments:
        memory = [argument for argument in arguments if argument != "devices"]
        return ["static int program_run(void) {",
                f"  void *memory[] = {{{', '.join(memory)}}};",
                f"  return prof_steps_run(&{name}_steps, devices, 0, 0, memory);\n}}"]
    if control != "none":
        return [f"static int program_run(void) {{ return {name}_run("
                f"{', '.join(arguments + [arena])}); }}"]
    return ['#include "plan.h"', "static int program_run(void) {",
            f"  void *memory[] = {{{', '.join(arguments)}}};",
            f"  plan_run({name}_plan, {name.upper()}_DISPATCH_COUNT, "
            f"{name}_plan_constants, memory, {inputs}, "
            f"{len(arguments) - inputs - 1 - ('state' in arguments)}, "
            f"{int('state' in arguments)});\n  return 0;\n}}"]


def write_file(folder, file, triple, is_in_place):
    """Makes the file of a model a part of the program; the lines for program.h."""
    page = 64 if "linux" not in triple else 65536 if triple.startswith("aarch64") else 4096
    (folder / "file.S").write_text(
        f'.section .rodata.file,"a"\n.balign {page}\n.globl program_file, program_file_end\n'
        f'program_file:\n.incbin "{file}"\nprogram_file_end:\n.balign {page}\n',
        encoding="utf-8")
    return [f"#define PROGRAM_PAGE {page}", f"#define PROGRAM_IN_PLACE {int(is_in_place)}",
            f"#define PROGRAM_MEMORY {file.stat().st_size + 4 * page}"]


def write_program(folder, sizes, inputs, results, calls, fill, file_lines):
    """program.h: what main.c asks of a model."""
    name = sizes["name"]
    lines = [f'#include "{name}.h"', "#include <stddef.h>", *file_lines,
             f"#define PROGRAM_CALLS {calls}", f"#define PROGRAM_RESULTS {len(results)}"]
    for index, array in enumerate(inputs):
        bytes_of = array[0].nbytes
        lines.append(f"extern const unsigned char program_input{index}[];")
        lines.append(f"static unsigned char argument{index}[{bytes_of}] "
                     "__attribute__((aligned(64)));")
    for index, array in enumerate(results):
        lines.append(f"static unsigned char result{index}[{array[0].nbytes}] "
                     "__attribute__((aligned(64)));")
    arena = f"{name.upper()}_ARENA_BYTES"
    lines.append(f"static unsigned char arena[{arena} + 64] __attribute__((aligned(64)));")
    lines.append("/* Whether the bytes behind the arena are those that program_prepare wrote. */")
    lines.append("static int program_is_whole(void) {\n  for (size_t i = 0; i < 64; ++i)\n"
                 f"    if (arena[{arena} + i] != 0xA5) return 0;\n  return 1;\n}}")
    lines.append("void *memcpy(void *, const void *, size_t);")
    lines.append("void *memset(void *, int, size_t);")
    lines += write_devices(name, sizes.get("devices", []))
    lines.append("static void program_prepare(unsigned call) {")
    for index, array in enumerate(inputs):
        bytes_of = array[0].nbytes
        lines.append(f"  memcpy(argument{index}, program_input{index} + "
                     f"(size_t)call * {bytes_of}, {bytes_of});")
    lines.append(f"  memset(arena, {fill}, {arena});\n"
                 f"  memset(arena + {arena}, 0xA5, 64);\n  program_prepare_devices();\n}}")
    arguments = [f"(void *)argument{i}" for i in range(len(inputs))]
    arguments += [f"(void *)result{i}" for i in range(len(results))]
    arguments += ["state"] * (sizes["state_bytes"] != 0)
    arguments += ["devices"] * ("devices" in sizes) + ["arena"]
    lines += write_reset(name, sizes["state_bytes"], bool(file_lines))
    lines += write_run(name, sizes["control"], arguments, len(inputs), arena, file_lines)
    lines.append("static const unsigned char *program_result(unsigned index) {")
    lines += [f"  if (index == {i}) return result{i};" for i in range(len(results))]
    lines.append("  return 0;\n}\nstatic size_t program_bytes(unsigned index) {")
    lines += [f"  if (index == {i}) return {r[0].nbytes};" for i, r in enumerate(results)]
    lines.append("  return 0;\n}")
    (folder / "program.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    data = [".section .rodata.inputs,\"a\""]
    for index, array in enumerate(inputs):
        (folder / f"input{index}.bin").write_bytes(array[:calls].tobytes())
        data += [".balign 64", f".globl program_input{index}", f"program_input{index}:",
                 f'.incbin "{folder}/input{index}.bin"']
    (folder / "data.S").write_text("\n".join(data) + "\n", encoding="utf-8")


def build(folder, package, sizes, machine):
    """The program."""
    flags = [f"--target={sizes['triple']}", "-ffreestanding", "-O2", "-g0", "-std=gnu11",
             "-fno-builtin", "-fno-pic", "-ffunction-sections", f"-I{folder}",
             f"-I{package}", f"-I{BOARDS}"]
    if sizes["cpu"]:
        option = "-mcpu" if not sizes["triple"].startswith("x86") else "-march"
        flags.append(f"{option}={sizes['cpu']}")
    if sizes["abi"]:
        flags.append(f"-mabi={sizes['abi']}")
    if sizes["triple"].startswith("thumb"):
        # Functions of floats may use the unit for them whatever passes arguments.
        flags.append("-mfloat-abi=" + ("hard" if sizes["abi"] == "aapcs-vfp" else "softfp"))
    if sizes["triple"].startswith("riscv"):
        flags = [flag for flag in flags if not flag.startswith("-mcpu")]
        letters = "".join(letter for letter in "mafdcv"
                          if f"+{letter}" in sizes["features"].split(","))
        flags.append(f"-march={'rv'}{64 if '64' in sizes['triple'] else 32}i"
                     + letters)
        flags.append("-mcmodel=medany")
    flags.append(f"-I{RUNTIME}/include")
    objects = []
    sources = [BOARDS / "main.c", BOARDS / machine.start, BOARDS / "memory.c",
               folder / "data.S"]
    name = sizes["name"]
    libraries = [path for path in [package / f"{name}.a"] if path.exists()]
    if (package / f"{name}.c").exists():
        # A C library has it.
        (folder / "string.h").write_text("#include <stddef.h>\n"
                                         "void *memcpy(void *, const void *, size_t);\n",
                                         encoding="utf-8")
        sources.append(package / f"{name}.c")
    if sizes["control"] == "bytecode":
        sources.append(RUNTIME / "src" / "Bytecode.c")
    if "devices" in sizes:
        flags.append("-DPROF_BYTECODE_DEVICES")
        sources += [RUNTIME / "src" / "Device.c", RUNTIME / "src" / "DeviceSteps.c"]
    if (folder / "file.S").exists():
        sources += [RUNTIME / "src" / "Loader.c", folder / "file.S"]
    for source in sources:
        target = folder / (source.stem + ".o")
        run([LLVM + "clang", *flags, "-c", source, "-o", target])
        objects.append(target)
    program = folder / "program"
    script = ["-e", "board_start"]
    if machine.script:
        script = ["-L", BOARDS, "-T", BOARDS / machine.script]
    run([LLVM + "ld.lld", "--gc-sections", "-static", *script, *objects,
         *libraries, "-o", program])
    return program


def read_results(output, expected):
    """The arrays that the program printed, by result and call."""
    texts = re.findall(r"^result ([0-9a-f]*)$", output, re.MULTILINE)
    if not output.rstrip().endswith("done") or len(texts) % len(expected):
        sys.exit(f"the program did not end: {output[-300:]!r}")
    return [[np.frombuffer(bytes.fromhex(text), array.dtype).reshape(array.shape[1:])
             for text in texts[index::len(expected)]]
            for index, array in enumerate(expected)]


def find_marks(program):
    """The addresses between which instructions count."""
    symbols = run([LLVM + "llvm-nm", program]).stdout
    found = dict((name, address) for address, _, name in
                 (line.split() for line in symbols.splitlines() if len(line.split()) == 3))
    return found["mark_begin"], found["mark_end"]


def build_plugin(folder):
    """The plugin of QEMU that counts the instructions of calls."""
    plugin = folder / "instructions.so"
    run([LLVM + "clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
         BOARDS / "instructions.c", "-o", plugin])
    return plugin


def check_instructions(output, expected):
    """Compares the counts of a plugin with the expected one; True if they are near it."""
    counts = [int(count) for count in re.findall(r": (\d+) instructions", output)]
    if not counts:
        sys.exit("QEMU's plugin did not count any call")
    print(f"from {min(counts)} to {max(counts)} instructions, {expected} expected")
    return all(abs(count - expected) <= 0.02 * expected for count in counts)


def main():
    """See the top of this file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--inputs", nargs="+", required=True)
    parser.add_argument("--expected", nargs="+", required=True)
    parser.add_argument("--tolerance", type=float, default=0)
    parser.add_argument("--calls", type=int)
    parser.add_argument("--arena-fill", type=int, default=0)
    parser.add_argument("--in-place", action="store_true")
    parser.add_argument("--plugin", type=pathlib.Path)
    parser.add_argument("--instructions", type=int)
    options = parser.parse_args()
    sizes = json.loads((options.package / "sizes.json").read_text(encoding="utf-8"))
    inputs = [np.load(name) for name in options.inputs]
    expected = [np.load(name) for name in options.expected]
    calls = min(options.calls or len(inputs[0]), len(inputs[0]))
    machine = get_machine(sizes["triple"], sizes["cpu"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = options.package.resolve() / f"{sizes['name']}.mpm"
        file_lines = (write_file(folder, file, sizes["triple"], options.in_place)
                      if file.exists() else [])
        write_program(folder, sizes, inputs, expected, calls, options.arena_fill, file_lines)
        program = build(folder, options.package.resolve(), sizes, machine)
        emulator = list(machine.emulator)
        if options.instructions:
            options.plugin = build_plugin(folder)
        if options.plugin:
            begin, end = find_marks(program)
            emulator[1:1] = ["-plugin", f"{options.plugin},begin={begin},end={end}"]
        done = run([*emulator, program], timeout=900)
    worst = 0.0
    for results, array in zip(read_results(done.stdout, expected), expected):
        array = array[:calls]
        result = np.stack(results)
        if options.tolerance:
            scale = max(np.abs(array).max(), 1e-30)
            worst = max(worst, float(np.abs(result.astype(np.float64) - array).max() / scale))
        else:
            worst = max(worst, float((result != array).sum()))
    is_near = True
    if options.instructions:
        is_near = check_instructions(done.stderr, options.instructions)
    elif options.plugin:
        print(*(line for line in done.stderr.splitlines() if "instructions" in line), sep="\n")
    for memory in re.findall(r"^memory (\d+)$", done.stdout, re.MULTILINE):
        print(f"{int(memory)} bytes of memory for the loaded model")
    for device in re.findall(r"^device (.*)$", done.stdout, re.MULTILINE):
        print(f"device {device}")
    print(f"{sizes['target']}: {calls} calls, "
          + (f"largest difference {worst:.2g}" if options.tolerance
             else f"{int(worst)} elements differ"))
    sys.exit(worst > options.tolerance or not is_near)


if __name__ == "__main__":
    main()
