//===- CudaErrors.cpp - Errors of NVIDIA's driver -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/Driver.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::device;

namespace {
/// A CUresult, and what a user reads about it.
struct CudaErrorText {
  int code;
  llvm::StringLiteral what;
  llvm::StringLiteral hint;
};
} // namespace

static constexpr llvm::StringLiteral kTrapHint =
    "A kernel caused it, and the process cannot use the device any more: start "
    "it again. The first run waits for each kernel, so "
    "that the error names the right one.";

static constexpr CudaErrorText kTexts[] = {
    {2, "the device does not have enough free memory",
     "End other programs that use the device (nvidia-smi lists them), or use a "
     "device with more memory."},
    {3, "the driver is not initialized", ""},
    {34, "the library is a stub, made for linking only",
     "Name the driver's own library, which the driver's package installs, with "
     "MLIR_PROF_LIBCUDA."},
    {46, "the device is not available",
     "Another process may use it alone (nvidia-smi shows its compute mode)."},
    {100, "the machine does not have a device that the driver can use",
     "Check that nvidia-smi lists it, and that CUDA_VISIBLE_DEVICES does not "
     "hide it."},
    {101, "there is no device of that number",
     "nvidia-smi lists the devices; CUDA_VISIBLE_DEVICES may hide some."},
    {200, "the driver does not understand the kernel's code",
     "Compile the model again, with --device-target for this device."},
    {209, "the kernel is for another kind of device",
     "Compile the model again, with --device-target for this device."},
    {218, "the kernel's assembly is not valid",
     "This is a defect of the compiler; the log above says in which line."},
    {221, "the driver's compiler is missing",
     "Install the whole driver: libnvidia-ptxjitcompiler.so.1 belongs to it."},
    {222, "the kernel's assembly is newer than the driver",
     "Install a newer driver, or compile the model with --device-target for an "
     "older device."},
    {500, "the code does not have that symbol", ""},
    {700, "a kernel accessed memory that is not its own", kTrapHint},
    {701,
     "a workgroup needs more registers, threads or shared memory than the "
     "device has",
     "Compile the model again, with --device-target for this device."},
    {702, "a kernel ran for too long and was stopped", kTrapHint},
    {710, "an assertion in a kernel failed", kTrapHint},
    {715,
     "a kernel executed an instruction that the device does not have, or a "
     "trap",
     kTrapHint},
    {716, "a kernel accessed memory at an address that is not aligned",
     kTrapHint},
    {719, "a kernel failed", kTrapHint},
    {801, "the driver does not support the call", "Install a newer driver."},
    {802, "the device is not ready yet",
     "On machines with NVSwitch the fabric manager has to run."},
    {803, "the driver's library and its kernel module have different versions",
     "Restart the machine after an update of the driver."},
    {804, "the driver's library is for other devices than this one",
     "Do not put CUDA's compatibility libraries before the driver's own."},
};

llvm::Error device::makeCudaError(int code, llvm::StringRef call,
                                  llvm::StringRef name, llvm::StringRef what,
                                  llvm::StringRef log) {
  std::string text, hint;
  for (const CudaErrorText &known : kTexts)
    if (known.code == code) {
      text = known.what.str();
      hint = known.hint.str();
    }
  if (text.empty())
    text = "the driver reports an error";
  text += " (" + call.str() + ": " +
          (name.empty() ? "error " + std::to_string(code) : name.str()) + ")";
  if (llvm::StringRef lines = log.trim(); !lines.empty())
    text += "\n" + lines.str();
  return inputError(what, text, hint);
}
