# Runs a model with memory protection and without, and does what may fault.
# usage: mpu.sh MLIR_PROF LLVM_TOOLS SOURCE_ROOT FOLDER TARGET BOARD SCRIPT
set -e
tool=$1; llvm=$2; root=$3; folder=$4; target=$5; board=$6; script=$7
boards=$root/test/lib/boards
package=$folder/$target
"$tool" deploy "$folder/layers.mlir" --target="$target" -o "$package" > "$package.log"
triple=$(sed -n 's/.*"triple": "\(.*\)".*/\1/p' "$package/sizes.json")
compile() {
  "$llvm/clang" --target="$triple" -mcpu="$target" -mfloat-abi=softfp -ffreestanding \
    -fno-builtin -Os -std=gnu11 -Wall -Wextra -Werror -ffunction-sections -I "$boards" \
    -I "$root/runtime/include" -I "$package" "$@"
}
cat > "$package/data.S" <<END
.section .rodata.test,"a"
.balign 64
.globl x, w, first, last
x: .incbin "$folder/x.bin"
w: .incbin "$folder/w.bin"
first: .incbin "$folder/first.bin"
last: .incbin "$folder/last.bin"
END
for source in "$boards/cortex-m.c" "$boards/memory.c" "$root/runtime/target/Mpu.c" \
    "$package/data.S"; do
  compile -c "$source" -o "$package/$(basename "$source").o"
done
for protected in 1 0; do
  for action in 0 1 2 3; do
    compile -DPROTECTED=$protected -DACTION=$action -c "$root/test/Deploy/Inputs/mpu.c" \
      -o "$package/main.o"
    "$llvm/ld.lld" --gc-sections -L "$boards" -L "$package" -T "$root/test/Deploy/Inputs/mpu.ld" \
      -T "$boards/$script" "$package"/*.o "$package/model.a" -o "$package/program"
    echo "$protected $action:" $(timeout 60 qemu-system-arm -M "$board" -nographic \
      -monitor none -serial none -semihosting-config enable=on,target=native,chardev=output \
      -chardev stdio,id=output -kernel "$package/program" || echo "exit $?")
  done
done
