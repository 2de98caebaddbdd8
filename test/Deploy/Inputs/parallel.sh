# Builds parallel.c and the runtime that it needs with the sanitizer of threads, and runs it.
# usage: parallel.sh CLANG SOURCE_ROOT FOLDER
set -e
clang=$1; root=$2; folder=$3
cd "$root/runtime/src"
"$clang" -std=gnu11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Werror -pthread -fsanitize=thread \
  -I "$folder" -I "$root/runtime/include" "$root/test/Deploy/Inputs/parallel.c" Executor*.c \
  Request*.c Clock.c Cost.c Derive.c Handler.c Instances.c Lock.c Memory.c Output.c Registry.c \
  Serialize.c Spread.c StepsProgram.c System.c Values.c "$folder/model.a" -lm \
  -o "$folder/parallel"
"$folder/parallel" "$folder"
