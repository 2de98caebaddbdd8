#!/bin/sh
# Deploys the models of make_models.py for a target, and compares their results.
# usage: run.sh MLIR_PROF PYTHON RUN_DEPLOYED FOLDER TARGET [OPTIONS]
set -e
tool=$1 python=$2 runner=$3 folder=$4 target=$5
shift 5

run() { # NAME FILL [OPTIONS]
  name=$1 fill=$2
  shift 2
  printf '%s, arena of %s: ' "$name" "$fill"
  "$python" "$runner" "$folder/$target/$name" --arena-fill "$fill" \
    --inputs "$folder/models/$name-in.npy" \
    --expected "$folder/models/$name-out.npy" "$@"
}

for name in int8 uint8 float32 average rescales even; do
  "$tool" deploy "$folder/models/$name.mlir" --target="$target" "$@" \
    -o "$folder/$target/$name" >"$folder/log"
done
run int8 0
run int8 255
run uint8 127
run average 127
run rescales 127
run even 127
# The byte 127 makes floats of about 1e38.
run float32 127 --tolerance 1e-5
