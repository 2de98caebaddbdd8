//===- RecordResults.cpp - Results of a recorded model --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordResults.h"
#include "SessionOptions.h"
#include "mlir-prof/Support/CompareTensors.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Npy.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

static std::string describeType(const HostTensor &tensor) {
  return describeSizes(tensor.shape) + tensor.elementType;
}

/// A model's outputs: its results, or, if it does not have any, its memory
/// arguments, to which it may write.
static std::vector<const ValueSignature *>
getOutputs(const Signature &signature) {
  std::vector<const ValueSignature *> outputs;
  for (const ValueSignature &value : signature.results)
    outputs.push_back(&value);
  if (signature.results.empty())
    for (const ValueSignature &value : signature.arguments)
      if (!value.isScalar)
        outputs.push_back(&value);
  return outputs;
}

/// The values of the outputs, in the same order; none if the model did not pass
/// them on.
static std::vector<const HostTensor *> getValues(const Signature &signature,
                                                 const RunResult &run) {
  std::vector<const HostTensor *> values;
  for (const HostTensor &tensor : run.results)
    values.push_back(&tensor);
  if (signature.results.empty())
    for (auto [value, tensor] : llvm::zip(signature.arguments, run.arguments))
      if (!value.isScalar)
        values.push_back(&tensor);
  return values;
}

/// A file name for a name that the model chooses: it must not lead out of the
/// folder, be hidden, or equal that of another result.
static std::string makeFileName(llvm::StringRef name,
                                llvm::StringSet<> &taken) {
  constexpr size_t kLongest = 200;
  std::string clean;
  for (char c : name.take_front(kLongest))
    clean += llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' ? c : '_';
  if (clean.empty())
    clean = "result";
  if (clean.front() == '.')
    clean.front() = '_';
  std::string unique = clean;
  for (unsigned number = 2; !taken.insert(unique).second; ++number)
    unique = clean + "-" + std::to_string(number);
  return unique + ".npy";
}

std::vector<std::string> mlirprof::getResultPaths(llvm::StringRef folder,
                                                  const Signature &signature) {
  std::vector<std::string> paths;
  llvm::StringSet<> taken;
  for (const ValueSignature *output : getOutputs(signature)) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, makeFileName(output->name, taken));
    paths.push_back(path.str().str());
  }
  return paths;
}

llvm::Error mlirprof::saveResults(llvm::StringRef folder,
                                  const Signature &signature,
                                  const RunResult &run) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return inputError(folder, "cannot be made: " + error.message());
  std::vector<std::string> paths = getResultPaths(folder, signature);
  std::vector<const HostTensor *> values = getValues(signature, run);
  if (values.size() != paths.size())
    return inputError(
        folder, "the model's process returned " + llvm::Twine(values.size()) +
                    " of " + llvm::Twine(paths.size()) + " results to save");
  for (auto [path, value] : llvm::zip(paths, values)) {
    if (llvm::Error error = writeOutput(
            path, [tensor = value](llvm::raw_ostream &os) -> llvm::Error {
              writeNpy(*tensor, os);
              return llvm::Error::success();
            }))
      return error;
  }
  return llvm::Error::success();
}

/// Position of the output that `spec` names; `next` is the one after the last.
static llvm::Expected<size_t>
findOutput(const CompareSpec &spec,
           llvm::ArrayRef<const ValueSignature *> outputs, size_t next) {
  size_t at = next;
  if (!spec.result.empty() && llvm::StringRef(spec.result).getAsInteger(10, at))
    at = llvm::find_if(outputs,
                       [&](const ValueSignature *output) {
                         return output->name == spec.result;
                       }) -
         outputs.begin();
  if (at < outputs.size())
    return at;
  std::vector<llvm::StringRef> names;
  for (const ValueSignature *output : outputs)
    names.push_back(output->name);
  return usageError((spec.result.empty()
                         ? "--compare names more results than the model has"
                         : "--compare: the model does not have a result '" +
                               spec.result + "'") +
                    "\n  hint: The results are: " +
                    (names.empty() ? "none" : llvm::join(names, ", ")) + ".");
}

llvm::Expected<std::vector<Reference>>
mlirprof::readReferences(const RecordOptions &options,
                         const Signature &signature) {
  std::vector<const ValueSignature *> outputs = getOutputs(signature);
  std::vector<Reference> references;
  size_t next = 0;
  for (const CompareSpec &spec : options.compare) {
    Reference reference;
    auto at = findOutput(spec, outputs, next);
    if (!at)
      return at.takeError();
    reference.output = *at;
    reference.path = spec.path;
    auto buffer = openInput(spec.path);
    if (!buffer)
      return buffer.takeError();
    auto expected =
        unlessChanged(**buffer, readNpy((*buffer)->getBuffer(), spec.path));
    if (!expected)
      return expected.takeError();
    reference.expected = std::move(*expected);
    next = *at + 1;
    references.push_back(std::move(reference));
  }
  return std::move(references);
}

static llvm::Error compareOne(const RecordOptions &options,
                              llvm::StringRef name, const HostTensor &actual,
                              const Reference &reference) {
  const HostTensor &expected = reference.expected;
  if (actual.shape != expected.shape)
    return gateError("result '" + name + "' is " + describeType(actual) +
                     " and '" + reference.path + "' holds " +
                     describeType(expected));
  Tolerance tolerance =
      getTolerance(actual, expected, options.rtol, options.atol);
  auto comparison =
      compareTensors(actual, expected, tolerance.relative, tolerance.absolute);
  if (!comparison)
    return comparison.takeError();
  std::string text = llvm::formatv(
      "result '{0}' against {1}: largest error {2:e2}, {3:e2} of "
      "the largest element",
      name, reference.path, comparison->maxAbsolute, comparison->relativeToMax);
  if (comparison->notFinite)
    return gateError(
        text + llvm::formatv("; not finite: {0} of {1}", comparison->notFinite,
                             formatCount(comparison->elements, "element"))
                   .str());
  if (!comparison->isEqual())
    return gateError(text +
                     llvm::formatv("; {0} of {1} differ by more than "
                                   "{2:e2} + {3:e2} * |expected|",
                                   comparison->different,
                                   formatCount(comparison->elements, "element"),
                                   tolerance.absolute, tolerance.relative)
                         .str());
  note(text);
  return llvm::Error::success();
}

llvm::Error mlirprof::compareResults(const RecordOptions &options,
                                     llvm::ArrayRef<Reference> references,
                                     const Signature &signature,
                                     const RunResult &run) {
  std::vector<const ValueSignature *> outputs = getOutputs(signature);
  std::vector<const HostTensor *> values = getValues(signature, run);
  llvm::Error all = llvm::Error::success();
  for (const Reference &reference : references) {
    if (reference.output >= values.size())
      return llvm::joinErrors(
          std::move(all),
          inputError(options.model, "did not return results to compare"));
    all = llvm::joinErrors(std::move(all),
                           compareOne(options, outputs[reference.output]->name,
                                      *values[reference.output], reference));
  }
  return all;
}
