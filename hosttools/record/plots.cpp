#include "record/plots.hpp"

#include <filesystem>

#include "write_file.hpp"

namespace lockstep::host {

void write_plots(const Record& record, const std::string& robot, const std::string& path) {
  const std::filesystem::path base(path);
  const auto beside = [&](const char* what) {
    std::filesystem::path file = base;
    return file.replace_filename(base.stem().string() + what + base.extension().string()).string();
  };
  write_file(beside("_q"), to_svg(record.q_chart(robot + ": motion")));
  write_file(beside("_tau"), to_svg(record.tau_chart(robot + ": torques")));
}

}  // namespace lockstep::host
