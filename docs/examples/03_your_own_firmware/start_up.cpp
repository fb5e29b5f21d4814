// From reset to main: FPU on, .data and .bss, constructors.
#include <cstdint>

extern "C" {
extern std::uint32_t stack_top, data_begin, data_end, data_load, bss_begin, bss_end;
extern void (*init_begin[])();
extern void (*init_end[])();
void systick_handler();
void reset_handler();
}
int main();

// Apart from reset_handler: the compiler may use registers of the FPU here.
[[gnu::noinline, noreturn]] static void run() {
  const std::uint32_t* from = &data_load;
  for (std::uint32_t* to = &data_begin; to != &data_end; ++to, ++from) *to = *from;
  for (std::uint32_t* to = &bss_begin; to != &bss_end; ++to) *to = 0;
  for (auto construct = init_begin; construct != init_end; ++construct) (*construct)();
  main();
  while (true) {
  }
}

void reset_handler() {
  auto& cpacr = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED88);
  cpacr = cpacr | 0xFu << 20;
  asm volatile("dsb\n isb" ::: "memory");
  run();
}

static void fault_handler() {
  while (true) {
  }
}

using Handler = void (*)();
extern "C" [[gnu::section(".vectors"), gnu::used]] const Handler vectors[] = {
    reinterpret_cast<Handler>(&stack_top),
    reset_handler,
    fault_handler,  // NMI
    fault_handler,  // hard fault
    fault_handler,
    fault_handler,
    fault_handler,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    fault_handler,
    fault_handler,
    nullptr,
    fault_handler,
    systick_handler,
};
