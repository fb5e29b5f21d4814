// A translated proof's surroundings: its memory, which is no larger than it needs, and what it
// imports. A trap is what clang put in for undefined behaviour, libc++ for a broken precondition,
// or WebAssembly for an access beyond the memory.
#include "proof.h"

static unsigned char memory[MEMORY_BYTES];

void wasm_rt_trap(wasm_rt_trap_t code) {
  (void)code;
  __CPROVER_assert(0, "no trap");
  __CPROVER_assume(0);
}
void wasm_rt_allocate_memory(wasm_rt_memory_t* of, uint32_t pages, uint32_t most) {
  of->data = memory;
  of->size = sizeof memory;
  of->pages = pages;
  of->max_pages = most;
}
void wasm_rt_free_memory(wasm_rt_memory_t* of) { (void)of; }
// no functions by number: a call of one traps
void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t* of, uint32_t size, uint32_t most) {
  (void)of, (void)size, (void)most;
}
void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t* of) { (void)of; }
bool wasm_rt_is_initialized(void) { return 1; }
uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) {
  return parameters + results;
}

void Z_envZ_any_bytes(struct Z_env_instance_t* env, u32 to, u32 size) {
  (void)env;
  __CPROVER_assert(to + (u64)size <= sizeof memory, "within the memory");
  __CPROVER_havoc_slice(memory + to, size);
}
void Z_envZ_assume(struct Z_env_instance_t* env, u32 holds) {
  (void)env;
  __CPROVER_assume(holds);
}
void Z_envZ_must(struct Z_env_instance_t* env, u32 hold) {
  (void)env;
  __CPROVER_assert(hold, "what must hold");
}

int main(void) {
  static Z_proof_instance_t instance;
  Z_proof_init_module();
  Z_proof_instantiate(&instance, 0);
  Z_proofZ_prove(&instance);
  return 0;
}
