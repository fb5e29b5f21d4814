// Stand-in for FreeRTOS's.
#pragma once
#include "stand_in.hpp"
using TickType_t = std::uint32_t;
