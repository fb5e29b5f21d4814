#include "record/plots.hpp"

#include <filesystem>
#include <vector>

#include "system/write_file.hpp"

namespace lockstep::host {

void write_plots(const Record& record, const std::string& robot, const std::string& path) {
  const std::filesystem::path base(path);
  const auto beside = [&](const std::string& what) {
    std::filesystem::path file = base;
    return file.replace_filename(base.stem().string() + what + base.extension().string()).string();
  };
  const auto write = [&](const std::string& quantity, const char* what) {
    auto columns = record.columns_that_start_with(quantity + ".");
    if (const auto own = find_column(record.columns(), quantity)) columns.push_back(*own);
    // quaternions say little to the eye, and bodies have one each
    if (quantity == "x") {
      std::erase_if(columns, [&](std::size_t i) { return record.columns()[i].unit.empty(); });
    }
    if (columns.empty()) return;
    const auto references = record.columns_that_start_with(quantity + "_ref.");
    columns.insert(columns.end(), references.begin(), references.end());
    write_file(beside("_" + quantity), to_svg(robot + what, record.panels(quantity, columns)));
  };
  write("q", ": motion");
  write("error", ": reference less motion");
  write("tau", ": torques");
  write("x", ": motion");
  write("lambda", ": multipliers");
  write("instructions", ": a step on the chip");
  write("tick_time", ": a step on the target");
}

}  // namespace lockstep::host
