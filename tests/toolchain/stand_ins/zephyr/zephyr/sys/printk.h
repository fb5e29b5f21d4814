// Stand-in for Zephyr's.
#pragma once
#include "stand_in.hpp"
#define printk stand_in::print
