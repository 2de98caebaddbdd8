# Runs a secure model that another program calls, on QEMU's board mps2-an505.
# usage: secure.sh MLIR_PROF LLVM_TOOLS SOURCE_ROOT FOLDER
set -e
tool=$1; llvm=$2; root=$3; folder=$4
boards=$root/test/lib/boards; inputs=$root/test/Deploy/Inputs
"$tool" deploy "$folder/layers.mlir" --target=cortex-m33 -o "$folder" > "$folder/deploy.log"
compile() {
  "$llvm/clang" --target=thumbv8m.main-none-eabi -mcpu=cortex-m33 -mfloat-abi=softfp \
    -ffreestanding -fno-builtin -Os -std=gnu11 -Wall -Wextra -Werror -ffunction-sections \
    -I "$boards" -I "$folder" "$@"
}
cat > "$folder/data.S" <<END
.section .rodata.test,"a"
.balign 64
.globl x, w, first, last
x: .incbin "$folder/x.bin"
w: .incbin "$folder/w.bin"
first: .incbin "$folder/first.bin"
last: .incbin "$folder/last.bin"
END
compile -c "$folder/data.S" -o "$folder/data.o"
compile -c "$boards/cortex-m.c" -o "$folder/start.o"
compile -c "$boards/memory.c" -o "$folder/memory.o"
compile -mcmse -c "$inputs/secure.c" -o "$folder/secure.o"
"$llvm/ld.lld" --gc-sections -L "$boards" -T "$inputs/secure.ld" --cmse-implib \
  --out-implib="$folder/entries.o" "$folder/secure.o" "$folder/start.o" "$folder/memory.o" \
  "$folder/model.a" -o "$folder/secure"
for action in 0 1 2; do
  compile -DACTION=$action -c "$inputs/nonsecure.c" -o "$folder/nonsecure.o"
  "$llvm/ld.lld" --gc-sections -L "$boards" -T "$inputs/nonsecure.ld" "$folder/nonsecure.o" \
    "$folder/start.o" "$folder/memory.o" "$folder/data.o" "$folder/entries.o" \
    -o "$folder/nonsecure"
  # The code is loaded at its secure address.
  "$llvm/llvm-objcopy" -O binary "$folder/nonsecure" "$folder/nonsecure.bin"
  echo "$action:" $(timeout 60 qemu-system-arm -M mps2-an505 -nographic -monitor none \
    -serial none -semihosting-config enable=on,target=native,chardev=output \
    -chardev stdio,id=output -kernel "$folder/secure" \
    -device "loader,file=$folder/nonsecure.bin,addr=0x10200000,force-raw=on" || echo "exit $?")
done
