#include "compile/bundle.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "lockstep/hash.hpp"
#include "model/content_hash.hpp"
#include "system/programs.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifest = "MANIFEST.txt";
constexpr const char* kManifestHead =
    "Written by lockstep compile --bundle, which replaces this folder as long as nothing else is "
    "in it and nothing was changed.\n";

constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr const char* kNeverDefined[] = {"EIGEN_VECTORIZE", "EIGEN_USE_",   "EIGEN_GPU",
                                         "EIGEN_CUDA",      "EIGEN_HIP",    "EIGEN_HAS_GPU",
                                         "EIGEN_HAS_CUDA",  "EIGEN_HAS_HIP"};

// The folder that holds Eigen/Core.
fs::path find_eigen(const std::string& chosen) {
  std::vector<fs::path> folders = {chosen};
  if (chosen.empty())
    folders = {eigen_folder(), "/usr/include/eigen3", "/usr/local/include/eigen3"};
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "Eigen" / "Core")) return folder;
  }
  throw Error((chosen.empty() ? "--bundle" : "--eigen " + chosen) +
              ": no Eigen/Core there; install libeigen3-dev, or give the folder that holds "
              "Eigen/Core with --eigen");
}

// "# include <x>" is "include" and "<x>"; what is no directive is nothing.
struct Directive {
  std::string word, rest;
};
Directive directive(const std::string& line) {
  const auto skip = [&](std::size_t at) {
    return std::min(line.find_first_not_of(" \t", at), line.size());
  };
  const std::size_t mark = skip(0);
  if (mark == line.size() || line[mark] != '#') return {};
  const std::size_t word = skip(mark + 1);
  const std::size_t end = std::min(line.find_first_not_of(kLetters, word), line.size());
  return {line.substr(word, end - word), line.substr(skip(end))};
}

// Whether all macros that a condition names are of vector units, GPUs and other libraries.
bool names_only_others(std::string_view condition) {
  bool any = false;
  for (std::size_t at = 0; at < condition.size();) {
    const std::size_t begin = condition.find_first_of(kLetters, at);
    if (begin == std::string_view::npos) break;
    at = std::min(condition.find_first_not_of(kLetters, begin), condition.size());
    const std::string_view name = condition.substr(begin, at - begin);
    if (name == "defined") continue;
    const auto begins = [&](const char* head) { return name.starts_with(head); };
    if (std::ranges::none_of(kNeverDefined, begins)) return false;
    any = true;
  }
  return any;
}

// Whether a condition can be seen not to hold without these: one of what it asks for together.
bool never_holds(const std::string& condition) {
  const bool chooses = condition.find("||") != std::string::npos;
  for (std::size_t at = 0; at < condition.size();) {
    const std::size_t end =
        chooses ? condition.size() : std::min(condition.find("&&", at), condition.size());
    const std::string_view part = std::string_view(condition).substr(at, end - at);
    if (part.find('!') == std::string_view::npos && names_only_others(part)) return true;
    at = std::min(end + 2, condition.size());
  }
  return false;
}

// Follows #includes from header to header and keeps what it finds below its roots.
class Follower {
 public:
  explicit Follower(std::vector<fs::path> roots) : roots_(std::move(roots)) {}

  // `path` is a header's place below a root, and in the bundle.
  void follow(const std::string& path) {
    if (found_.contains(path)) return;
    const fs::path file = find(path);
    if (file.empty()) throw Error(path + ": is not among Lockstep's headers; install it again");
    found_[path];  // those that include one another end here
    found_[path] = rewritten(path, read_text(file.string()));
  }

  // The text as a file at `path` of the bundle, its includes followed.
  std::string rewritten(const std::string& path, const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    std::vector<bool> off;  // of the conditions around a line
    bool changed = false;
    for (std::string line; std::getline(lines, line);) {
      Directive own = directive(line);
      for (std::string more; own.rest.ends_with('\\') && std::getline(lines, more);) {
        own.rest.back() = ' ';
        own.rest += more;
        line += "\n" + more;
      }
      see_condition(own, off);
      if (own.word == "include" && std::ranges::find(off, true) == off.end()) {
        const std::string include = followed(path, own.rest);
        if (!include.empty()) line = "#include " + include, changed = true;
      }
      result += line + "\n";
    }
    return changed ? result : text;
  }

  const Files& found() const { return found_; }

 private:
  fs::path find(const std::string& path) const {
    const std::string head = path.substr(0, path.find('/'));
    if (head != "lockstep" && head != "Eigen" && head != "etl") return {};
    for (const fs::path& root : roots_) {
      if (fs::is_regular_file(root / path)) return root / path;
    }
    return {};
  }

  // Follows what an include names. Ours name a header from its root: what they must name in the
  // bundle, relative to themselves. Nothing where the line may stay.
  std::string followed(const std::string& path, const std::string& name) {
    if (name.empty() || (name[0] != '"' && name[0] != '<')) return "";
    const std::string told = name.substr(1, name.find_first_of(">\"", 1) - 1);
    const fs::path here = fs::path(path).parent_path();
    const std::string beside = (here / told).lexically_normal().string();
    if (name[0] == '"' && !find(beside).empty()) {
      follow(beside);
      return "";
    }
    if (find(told).empty()) return "";  // the compiler's own
    follow(told);
    return "\"" + fs::path(told).lexically_relative(here.empty() ? "." : here).string() + "\"";
  }

  static void see_condition(const Directive& own, std::vector<bool>& off) {
    const bool begins = own.word == "if" || own.word == "ifdef" || own.word == "ifndef";
    if (begins) off.push_back(false);
    if (off.empty()) return;
    if (begins || own.word == "elif" || own.word == "else") {
      off.back() = own.word != "ifndef" && never_holds(own.rest.substr(0, own.rest.find("//")));
    }
    if (own.word == "endif") off.pop_back();
  }

  std::vector<fs::path> roots_;
  Files found_;
};

// The licence that came with Eigen, or nothing.
std::string licence_of_eigen(const fs::path& eigen) {
  for (const char* place :
       {"COPYING.MPL2", "../COPYING.MPL2", "../../share/doc/libeigen3-dev/copyright",
        "../../share/licenses/eigen/COPYING.MPL2"}) {
    const std::string text = read_text((eigen / place).string());
    if (!text.empty()) return text;
  }
  return "No text of it was found beside the Eigen that these headers were copied from. They are "
         "under the\nMozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/, as each of them "
         "says at its top.\n";
}

std::string hash_of(const std::string& text) {
  Hash hash;
  hash.add_all(std::vector<std::uint8_t>(text.begin(), text.end()));
  return hash_text(hash.value());
}

std::string manifest(const Files& files) {
  std::string text = kManifestHead;
  for (const auto& [path, content] : files) text += hash_of(content) + " " + path + "\n";
  return text;
}

// Why a folder is no bundle as it was written, or nothing.
std::string why_not_replaced(const fs::path& folder) {
  Files there;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) continue;
    const std::string path = entry.path().lexically_relative(folder).string();
    there[path] = entry.is_regular_file() ? read_text(entry.path().string()) : "";
  }
  if (there.empty()) return "";
  const std::string listed = there[kManifest];
  there.erase(kManifest);
  if (!listed.starts_with(kManifestHead)) return "holds other files, and is no bundle";
  for (const auto& [path, content] : there) {
    if (listed.find("\n" + hash_of(content) + " " + path + "\n") == std::string::npos) {
      return path + " was added or changed since the bundle was written";
    }
  }
  return "";
}

}  // namespace

Files bundle(const Files& own, const std::vector<std::string>& headers, const std::string& eigen) {
  const fs::path eigen_root = find_eigen(eigen);
  Follower follower({fs::path(shared_file("core")), eigen_root, fs::path(etl_folder())});
  Files files;
  for (const auto& [path, text] : own) {
    const bool is_code = path.ends_with(".hpp") || path.ends_with(".cpp");
    files[path] = is_code ? follower.rewritten(path, text) : text;
  }
  for (const std::string& header : headers) follower.follow(header);
  files.insert(follower.found().begin(), follower.found().end());
  files["LICENSE"] = read_text(shared_file("LICENSE"));
  files["Eigen/LICENSE.txt"] = licence_of_eigen(eigen_root);
  return files;
}

void write_bundle(const fs::path& target, const Files& files) {
  const auto aside = [&](const char* what) {
    return target.string() + "." + std::to_string(::getpid()) + what;
  };
  std::error_code error;
  const bool exists = fs::exists(fs::symlink_status(target, error));
  if (exists && !fs::is_directory(fs::symlink_status(target))) {
    throw Error(target.string() + ": is no folder; choose another with --bundle");
  }
  if (const std::string why = exists ? why_not_replaced(target) : ""; !why.empty()) {
    throw Error(target.string() + ": " + why + "; move it away, or choose another folder");
  }
  const fs::path fresh = aside(".tmp"), old = aside(".old");
  const auto attempt = [&](bool good) {
    if (good && !error) return;
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw Error(target.string() + ": cannot be written" +
                (error ? " (" + error.message() + ")" : "") + "; choose another folder");
  };
  attempt(fs::create_directories(fresh, error));
  Files all = files;
  all[kManifest] = manifest(files);
  try {
    for (const auto& [path, text] : all) {
      fs::create_directories((fresh / path).parent_path());
      write_file((fresh / path).string(), text);
    }
  } catch (const std::exception&) {
    attempt(false);
  }
  if (exists) fs::rename(target, old, error), attempt(true);
  fs::rename(fresh, target, error);
  if (error && exists) {
    std::error_code ignored;
    fs::rename(old, target, ignored);
  }
  attempt(true);
  if (exists) fs::remove_all(old, error);
}

}  // namespace lockstep::host
