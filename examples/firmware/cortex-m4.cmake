# A toolchain for a Cortex-M4 with the C library picolibc.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
# Numbers are passed in integer registers, as mlir-prof's default --abi=aapcs has it.
set(CMAKE_C_FLAGS_INIT
  "-mcpu=cortex-m4 -mfloat-abi=softfp -mfpu=fpv4-sp-d16 --specs=picolibc.specs -Os")
set(CMAKE_ASM_FLAGS_INIT "-mcpu=cortex-m4")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
