# cmake -DINPUT=FILE -DOUTPUT=FILE -DNAME=NAME -P EmbedFile.cmake
# Writes the bytes of a file as an array of C++.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "constexpr unsigned char ${NAME}[] = {\n${bytes}};\n")
