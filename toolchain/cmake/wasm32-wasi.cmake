# The tool's own solver and reader as WebAssembly, for the playground: Debian's clang, C library and
# C++ library. libc++ reads numbers (std::from_chars) from 20 on.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
find_program(LOCKSTEP_WASM_CLANG NAMES clang++-22 clang++-21 clang++-20 REQUIRED)
set(CMAKE_CXX_COMPILER "${LOCKSTEP_WASM_CLANG}")
set(CMAKE_CXX_FLAGS_INIT "-Wno-deprecated")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
