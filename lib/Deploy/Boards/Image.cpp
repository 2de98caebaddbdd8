//===- Image.cpp - A program that runs a model in an emulator -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Image.h"
#include "../MemoryFunctions.h"
#include "../Plan.h"
#include "Runtime.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// `text` of an assembler in LLVM's assembly.
static std::string writeStart(StringRef text) {
  std::string all;
  for (StringRef line : split(text, '\n')) {
    all += "module asm \"";
    for (char c : line)
      all += c == '"' ? "\\22" : std::string(1, c);
    all += "\"\n";
  }
  return all;
}

namespace {
/// LLVM's assembly around the calls of a model with probes.
struct ProbeCode {
  /// Functions and variables.
  std::string definitions;
  /// Before the first call, after each, and after the last one.
  std::string begin, afterCall, end;
};
} // namespace

uint64_t deploy::countRuntimeBytes(const ImageProbes &probes) {
  constexpr uint64_t kFixed = 64 << 10, kEach = 512;
  return kFixed + kEach * probes.probes;
}

static std::string writeCounterStart(const Counter &counter) {
  std::string start = formatv("  %has.{0} = call i32 @prof_counter_use(ptr "
                              "@prof_counter_{0})\n",
                              counter.name);
  if (counter.other.empty())
    return start;
  // The other counter starts if the first does not exist.
  start += formatv(R"(  %lacks.{0} = icmp eq i32 %has.{0}, 0
  %second = select i1 %lacks.{0}, ptr @prof_counter_{1}, ptr @prof_counter_{0}
  %has.second = call i32 @prof_counter_use(ptr %second)
)",
                   counter.name, counter.other)
               .str();
  return start;
}

/// Empty without probes.
static ProbeCode writeProbeCode(const Board &board,
                                const codegen::TargetModel &target,
                                const ImageProbes *probes) {
  ProbeCode code;
  if (!probes)
    return code;
  std::string console = ("@prof_console_" + probes->console->name).str();
  uint64_t bytes = countRuntimeBytes(*probes);
  std::string word = "i" + std::to_string(target.addressBits);
  code.definitions = formatv(
      R"(@image_memory = internal global [{0} x i8] zeroinitializer, align 64
@prof_counter_{1} = external constant ptr
declare i32 @prof_counter_use(ptr)
declare void @prof_rt_use_memory(ptr, {2})
declare void @prof_rt_reset()
declare i32 @prof_rt_print(ptr)
declare void {3}(i8)
)",
      bytes, probes->counter->name, word, console);
  if (!probes->counter->other.empty())
    code.definitions += formatv("@prof_counter_{0} = external constant ptr\n",
                                probes->counter->other);
  code.begin = writeCounterStart(*probes->counter);
  if (probes->console->usesSerialPort) {
    code.definitions += "@prof_console_port = external global ptr\n";
    code.begin += formatv("  store ptr inttoptr ({0} {1} to ptr), ptr "
                          "@prof_console_port\n",
                          word, board.serialPort);
  }
  code.begin += formatv("  call void @prof_rt_use_memory(ptr @image_memory, "
                        "{0} {1})\n",
                        word, bytes);
  if (probes->warmUp != 0)
    code.afterCall = formatv(R"(  %is.warm = icmp eq i64 %i.next, {0}
  br i1 %is.warm, label %reset, label %next
reset:
  call void @prof_rt_reset()
  br label %next
next:
)",
                             probes->warmUp);
  code.end = formatv("  %failed = call i32 @prof_rt_print(ptr {0})\n", console);
  return code;
}

namespace {
/// Writes the memory of a call and the function `image_main` in LLVM's
/// assembly.
class MainWriter {
public:
  explicit MainWriter(const compile::CompiledModel &model) : model(model) {}

  std::string write(const Arguments &arguments, uint64_t calls,
                    const ProbeCode &probes);

private:
  void add(const Twine &value, uint64_t alignment = 64);
  void addZeros(uint64_t bytes);

  const compile::CompiledModel &model;
  std::string memory;
  std::vector<std::string> bindings;
};
} // namespace

void MainWriter::add(const Twine &value, uint64_t alignment) {
  std::string name = "@image_buffer" + std::to_string(bindings.size());
  memory += (name + " = internal global " + value + ", align " +
             Twine(alignment) + "\n")
                .str();
  bindings.push_back("ptr " + name);
}

void MainWriter::addZeros(uint64_t bytes) {
  add("[" + Twine(bytes) + " x i8] zeroinitializer");
}

static uint64_t getBytes(const compile::ValueSignature &value) {
  uint64_t bytes = value.bytesPerElement;
  for (int64_t size : value.shape)
    bytes *= uint64_t(size);
  return bytes;
}

std::string MainWriter::write(const Arguments &arguments, uint64_t calls,
                              const ProbeCode &probes) {
  for (const HostTensor &argument : arguments)
    add(writeBytes(argument.bytes));
  for (const compile::ValueSignature &result : model.signature.results)
    addZeros(getBytes(result));
  if (!model.firstState.empty())
    add(writeBytes(model.firstState));
  addZeros(model.arenaBytes);
  return memory + probes.definitions +
         formatv(R"(@image_bindings = internal constant [{0} x ptr] [{1}]

declare void @{2}(ptr, ptr, i32, i32, i32)

define void @image_main() #0 {{
{4}  br label %call
call:
  %i = phi i64 [ 0, %0 ], [ %i.next, %{7} ]
  call void @{2}(ptr @image_bindings, ptr null, i32 0, i32 0, i32 0)
  %i.next = add i64 %i, 1
{5}  %is.done = icmp eq i64 %i.next, {3}
  br i1 %is.done, label %end, label %call
end:
{6}  ret void
}

attributes #0 = {{ nounwind }
)",
                 bindings.size(), join(bindings, ", "), model.entrySymbol,
                 calls, probes.begin, probes.afterCall, probes.end,
                 probes.afterCall.empty() ? "call" : "next")
             .str();
}

/// The functions of `elf`, by address. Bit 0 of a Thumb function's address is a
/// mode, which LLVM leaves out.
static Expected<std::vector<ImageFunction>> readFunctions(StringRef elf) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(elf, "the image"));
  if (!file)
    return file.takeError();
  std::vector<ImageFunction> functions;
  for (object::ELFSymbolRef symbol : (*file)->symbols()) {
    if (symbol.getELFType() != ELF::STT_FUNC)
      continue;
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    if (!name || !address)
      return joinErrors(name.takeError(), address.takeError());
    functions.push_back({name->str(), *address, *address + symbol.getSize()});
  }
  llvm::sort(functions, [](const ImageFunction &a, const ImageFunction &b) {
    return a.begin < b.begin;
  });
  return std::move(functions);
}

/// Finds the code of `model` by its entry.
static Error findCode(const compile::CompiledModel &model, Image &image) {
  auto own =
      find_if(model.program.functions, [&](const profile::MachineFunction &f) {
        return f.name == model.entrySymbol;
      });
  auto linked = find_if(image.functions, [&](const ImageFunction &function) {
    return function.name == model.entrySymbol;
  });
  if (own == model.program.functions.end() || linked == image.functions.end())
    return inputError("the image",
                      "it lacks the function '" + model.entrySymbol + "'");
  image.codeBegin = linked->begin - own->begin;
  return Error::success();
}

/// The objects of an image that are not the model's.
static Expected<std::vector<std::string>>
makeObjects(ArrayRef<std::string> texts, const codegen::TargetModel &target,
            const ImageProbes *probes) {
  compile::BackendOptions backend;
  backend.target = target;
  std::vector<std::string> objects;
  for (const std::string &text : texts) {
    auto object = compile::emitAssembly(text, backend);
    if (!object)
      return object.takeError();
    objects.push_back(std::move(*object));
  }
  if (!probes)
    return std::move(objects);
  auto runtime = makeRuntime(target);
  if (!runtime)
    return runtime.takeError();
  objects.push_back(std::move(*runtime));
  return std::move(objects);
}

Expected<Image> deploy::makeImage(const compile::CompiledModel &model,
                                  const codegen::TargetModel &target,
                                  const Board &board,
                                  const Arguments &arguments, uint64_t calls,
                                  const ImageProbes *probes) {
  if (probes)
    calls += probes->warmUp;
  auto objects =
      makeObjects({writeStart(board.start),
                   MainWriter(model).write(
                       arguments, calls, writeProbeCode(board, target, probes)),
                   writeMemoryFunctions(target.addressBits)},
                  target, probes);
  if (!objects)
    return objects.takeError();
  SmallVector<StringRef> all(objects->begin(), objects->end());
  all.push_back(model.object);
  auto elf = compile::linkProgram(all, "image_start", board.script);
  if (!elf)
    return elf.takeError();
  Image image;
  image.elf = std::move(*elf);
  auto functions = readFunctions(image.elf);
  if (!functions)
    return functions.takeError();
  image.functions = std::move(*functions);
  if (Error error = findCode(model, image))
    return std::move(error);
  return std::move(image);
}
