# Cases of run that are a servo's.

# A servo in each form, and what it does when something fails: over a line that damages frames, the
# tick in which it goes safe and every torque are the same, wherever it runs.
servo_fails() {  # kind, policy, what the report says, arguments of hil
  cat >"$work/servo.json" <<EOF
{"application": "servo", "steps": 1800,
 "link_faults": {"flip": 0.003, "lose": 0.001, "double": 0.02, "cut": 0.001, "garbage": 0.02},
 "servo": {"safe": "$2", "failure": {"kind": "$1", "tick": 1500}}}
EOF
  patience=2  # an eighth of it passes whenever a frame is lost
  same "$arm" --scenario "$work/servo.json" "${@:4}"
  has "^tracking +within 0\.00[0-9]+ rad or m of its waves"
  has "^safe +at tick $3"
  has '^link +[1-9][0-9]* requests sent again, [1-9][0-9]* damaged to the target, [1-9]'
}
case_servo() {
  same "$arm" --target qemu:cortex-m4f --application servo --steps 1500 --csv "$work/run.csv"
  costs_are_recorded
  stack_is_bounded
  has "^tracking +within 0\.000[0-9]+ rad or m of its waves"
  local from_table
  from_table=$(hash_of)
  same "$arm" --target qemu:cortex-m4f --application servo --steps 1500 --static
  stack_is_bounded
  [[ -n $from_table && $(hash_of) == "$from_table" ]] || fail "another hash than from a table"
  servo_fails silence damp '1530, 30 after the failure: no command came for too long; policy damp, motors on' \
    --target qemu:cortex-m4f
  local on_chip
  on_chip=$(hash_of)
  servo_fails silence damp '1530, ' --target host
  [[ -n $on_chip && $(hash_of) == "$on_chip" ]] || fail "another hash than on the chip"
}
case_servo_failures() {
  local policy still
  for policy in off damp hold; do
    still='motors on, at most 0\.[0-9]+ rad/s'
    [[ $policy != off ]] || still='motors off at tick 15[0-9]+$'
    servo_fails silence $policy "1530, 30 .*: no command came for too long; policy $policy, $still" \
      --target host
    servo_fails late $policy "1510, 10 .*: a tick took longer than its period; policy $policy, $still" \
      --target host
    servo_fails stale $policy '1505, 5 .*: a measurement is too old; .* motors off at tick 1505$' --target host
    servo_fails not_finite $policy '1500, 0 .*: an input is NaN or infinite; .* motors off at tick 1500$' \
      --target host
    servo_fails drive_fault $policy '1500, 0 .*: a drive reports a fault .* motors off at tick 1500$' \
      --target host
    servo_fails beyond_limits $policy "1500, 0 .*: a joint is measured beyond its limits; policy $policy" \
      --target host
    servo_fails too_fast $policy "1500, 0 .*: a joint is measured beyond its limits; policy $policy" \
      --target host
  done
  servo_fails bad_reference off '1530, 30 .*: no command came for too long; .* motors off at tick 1530$' \
    --target host
  servo_fails drive_fault brake '1500, 0 .*: a drive reports a fault .* motors off at tick 1500, brakes on$' \
    --target host
}
# A law of the user's own: it runs; code that faults, and code that hangs, are told with place and step.
case_servo_law() {
  mkdir "$work/law"
  cat >"$work/law/law.hpp" <<'EOF'
#include "lockstep/status.hpp"

template <class Settings, class Configs, class Dofs, class Reference>
lockstep::Status law(const Settings& settings, const Configs&, const Dofs&, const Reference&, Dofs& tau) {
  static int calls = 0;
  tau.setZero();
  ++calls;
  while (settings.kp == 2 && calls > 2) asm volatile("");
  if (settings.kp == 1 && calls > 2) __builtin_trap();
  return lockstep::Status::kOk;
}
EOF
  local own=("$arm" --application servo --target qemu:cortex-m4f --law "$work/law" --steps 300 --scenario)
  local kp
  for kp in 0 1 2; do
    echo "{\"gravity\": [0, 0, 0], \"amplitude\": 0, \"gains\": {\"kp\": $kp}}" >"$work/$kp.json"
  done
  hil "${own[@]}" "$work/0.json"
  [[ $code == 0 ]] || fail "ended with $code"
  has '^tracking +within 0 rad'
  if grep -q '^same bits' <<<"$output"; then fail "compared with a law that is not here"; fi
  refused 'it had a fault: hard fault: an undefined instruction at step 3; pc 0x' "${own[@]}" "$work/1.json"
  refused 'it had a fault: non-maskable interrupt: the loop hung, .* at step 3; pc 0x' "${own[@]}" "$work/2.json"
  refused 'has no law.hpp' "$arm" --application servo --target host --law "$work"
}
# The law of docs/examples/09_observing follows its waves, and takes none of them for a push.
case_servo_observer() {
  hil "$arm" --target qemu:cortex-m4f --application servo --static --law "$models/../docs/examples/09_observing/law" \
    --steps 1500
  [[ $code == 0 ]] || fail "ended with $code"
  has '^tracking +within 0\.000[0-9]+ rad or m of its waves'
  stack_is_bounded
}
# By its own clock, as a process: how late it is, is this machine's matter.
case_servo_by_clock() {
  echo '{"application": "servo", "watchdog": 1000, "servo": {"stale": 0.5}}' >"$work/scenario.json"
  hil "$arm" --target host --application servo --mode free --steps 3000 --scenario "$work/scenario.json"
  [[ $code == 0 ]] || fail "ended with $code"
  has '^tracking +within 0\.0[0-9]+ rad or m of its waves'
  has '^late +50 % below [0-9]+ us, 99 % below [0-9]+ us, 99.9 % below [0-9]+ us, at most [0-9.]+ us$'
  has '^process .* 0 page faults since the start$'
  # as long as a busy machine may keep the host from speaking
  echo '{"application": "servo", "watchdog": 1000,
         "servo": {"stale": 0.5, "failure": {"kind": "silence", "tick": 1500}}}' >"$work/scenario.json"
  hil "$arm" --target host --application servo --mode free --steps 3000 --scenario "$work/scenario.json"
  has '^safe +at tick 2[0-9]+, [0-9]+ after the failure: no command came for too long; policy off$'
}
