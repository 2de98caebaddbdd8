#!/bin/sh
# Deploys a model in each container with each control that takes it, and compares the
# results with those of NumPy.
# usage: flow.sh MLIR_PROF PYTHON RUN_DEPLOYED FOLDER TARGET MODEL OPTIONS...
set -e
tool=$1 python=$2 runner=$3 folder=$4 target=$5 model=$6
shift 6
for form in "static compiled" "static c" "static bytecode" "embedded compiled" \
  "embedded bytecode"; do
  package="$folder/$target/$form"
  "$tool" deploy "$model" --target="$target" --container="${form% *}" \
    --control="${form#* }" -o "$package" >"$folder/log"
  printf '%s: ' "$form"
  "$python" "$runner" "$package" --arena-fill 165 "$@" | tail -n 1
done
