# Source it from tests. below_preload PROGRAM FOLDER: what LD_PRELOAD has to say so that FAULT acts (below.c).
below_preload() {
  local asan
  cc -shared -fPIC -O1 -o "$2/below.so" "$(dirname "${BASH_SOURCE[0]}")/below.c" -ldl || return
  # a sanitized program wants its library first
  asan=$(ldd "$1" | awk '/lib(clang_rt\.)?asan/ { print $3 }')
  echo "${asan:+$asan:}$2/below.so"
}
