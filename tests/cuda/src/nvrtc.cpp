// Compiles kernels.cu to PTX by NVRTC, as programs do that generate kernels at run time:
//
//   nvrtc LIBNVRTC ARCHITECTURE HEADER...  > kernels.ptx
//
// The headers are handed over as text, and there is no other include directory.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using program = void*;

static void* library;

template <typename Function>
static Function* find(const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function*>(symbol);
}

static std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int main(int count, char** arguments) {
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  auto create = find<int(program*, const char*, const char*, int, const char* const*, const char* const*)>(
      "nvrtcCreateProgram");
  auto compile = find<int(program, int, const char* const*)>("nvrtcCompileProgram");
  auto log_size = find<int(program, std::size_t*)>("nvrtcGetProgramLogSize");
  auto log = find<int(program, char*)>("nvrtcGetProgramLog");
  auto ptx_size = find<int(program, std::size_t*)>("nvrtcGetPTXSize");
  auto ptx = find<int(program, char*)>("nvrtcGetPTX");

  std::vector<std::string> texts;
  std::vector<const char*> names, headers;
  for (int i = 3; i < count; ++i) texts.push_back(read(arguments[i]));
  for (int i = 3; i < count; ++i) {
    names.push_back(arguments[i]);
    headers.push_back(texts[i - 3].c_str());
  }
  const std::string source = read("kernels.cu");
  program kernels;
  if (create(&kernels, source.c_str(), "kernels.cu", count - 3, headers.data(), names.data()) != 0) return 1;
  const char* options[] = {arguments[2], "--std=c++14"};
  const bool failed = compile(kernels, 2, options) != 0;
  std::size_t size = 0;
  log_size(kernels, &size);
  std::string messages(size, '\0');
  log(kernels, &messages[0]);
  // Warnings count as failures; an empty log is a terminating zero.
  if (size > 1) std::fprintf(stderr, "%s\n", messages.c_str());
  if (failed || size > 1) return 1;
  ptx_size(kernels, &size);
  std::string text(size, '\0');
  ptx(kernels, &text[0]);
  std::fwrite(text.data(), 1, size - 1, stdout);
  return 0;
}
