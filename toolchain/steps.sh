# Progress for the scripts beside this file: numbered steps, quiet commands that show their log
# only when they fail. Source it, set `steps` to the number of steps, call `step`.
step_number=0
step() {
  step_number=$((step_number + 1))
  printf '\n[%d/%d] %s\n' "$step_number" "$steps" "$*"
}

# quietly LOG COMMAND...: on a terminal the newest line of output shows what is going on.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if "$@" 2>&1 | tee "$log" | show_newest_line; then return 0; fi
  echo "failed: $*; the end of $log:" >&2
  tail -n 40 "$log" >&2
  return 1
}

show_newest_line() {
  local line
  if [[ -t 1 ]]; then
    while IFS= read -r line; do printf '\r\e[K      %.90s' "$line"; done
    printf '\r\e[K'
  else
    cat >/dev/null
  fi
}
