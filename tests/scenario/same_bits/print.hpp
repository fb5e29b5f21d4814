// Whether all that was told to standard output had no error.
#pragma once

namespace lockstep::test {

bool all_went();

}  // namespace lockstep::test
