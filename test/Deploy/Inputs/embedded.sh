#!/bin/sh
# Deploys a model as one file with each control, loads it, and compares results.
# usage: embedded.sh MLIR_PROF PYTHON RUN_DEPLOYED FOLDER TARGET [--in-place]
set -e
tool=$1 python=$2 runner=$3 folder=$4 target=$5 in_place=$6
run() { # PACKAGE OPTIONS
  package=$1
  shift
  "$python" "$runner" "$package" --inputs "$folder/models/int8-in.npy" \
    --expected "$folder/models/int8-out.npy" --arena-fill 165 "$@" >"$folder/run.log" ||
    cat "$folder/run.log"
}
for control in compiled bytecode; do
  package="$folder/$target/$control"
  "$tool" deploy "$folder/models/int8.mlir" --target="$target" --container=embedded \
    --control="$control" -o "$package" >"$folder/log"
  run "$package"
  echo "$control:"
  tail -n 1 "$folder/run.log"
  if [ "$in_place" ]; then
    run "$package" --in-place
    echo "$control, in place: $(head -n 1 "$folder/run.log")"
    tail -n 1 "$folder/run.log"
  fi
done
