# Progress for the scripts beside this file: numbered steps, quiet commands that show their log
# only when they fail. Source it, set `steps` to the number of steps, call `step`.
step_number=0
step() {
  step_number=$((step_number + 1))
  printf '\n[%d/%d] %s\n' "$step_number" "$steps" "$*"
}

# quietly LOG COMMAND...: the newest line of its output shows what is going on.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if "$@" 2>&1 | tee "$log" | show_newest_line; then return 0; fi
  echo "failed: $*; the end of $log:" >&2
  tail -n 40 "$log" >&2
  return 1
}

# On a terminal always, elsewhere twice a minute.
show_newest_line() {
  local line next=$((SECONDS + 30))
  if [[ -t 1 ]]; then
    while IFS= read -r line; do printf '\r\e[K      %.90s' "$line"; done
    printf '\r\e[K'
    return
  fi
  while IFS= read -r line; do
    ((SECONDS >= next)) || continue
    printf '      %.90s\n' "$line"
    next=$((SECONDS + 30))
  done
}

# How many compilers run at once: one a core, where each finds 2 GiB of memory.
parallel_jobs() {
  local cores room
  cores=$(nproc)
  room=$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo)
  echo $((room < 1 ? 1 : room < cores ? room : cores))
}
