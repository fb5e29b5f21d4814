// A case of the conformance folder as a static model: what `lockstep compile` is to a URDF.
#include <filesystem>
#include <iostream>

#include "emit/header.hpp"
#include "eval/closed_case.hpp"
#include "system/write_file.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: bench_emit_case CASE.json NAME HEADER\n";
    return 1;
  }
  try {
    using namespace lockstep::host;
    const std::string source = std::filesystem::path(argv[1]).filename().string();
    const EmitOptions options = {.struct_name = argv[2], .source = source, .straight_line = true};
    write_file(argv[3], emit_header(read_closed_case(argv[1]), options));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
