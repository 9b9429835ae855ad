#include "request_memory.hpp"

#include <sys/mman.h>

namespace lvs::lab {

namespace {

constexpr std::size_t page = 4096;

char* mapped(std::size_t bytes) {
  void* const block =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return block == MAP_FAILED ? nullptr : static_cast<char*>(block);
}

/// Volatile, because nobody reads what is written.
void touch(volatile char* block, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += page)
    block[at] = static_cast<char>(block[at] + 1);
}

}  // namespace

RequestMemory::~RequestMemory() {
  for (auto const& each : free_)
    munmap(each.block, bytes_);
}

char* RequestMemory::take() {
  if (bytes_ == 0) return nullptr;
  char* block = nullptr;
  {
    std::scoped_lock const lock(mutex_);
    if (!free_.empty()) {
      block = free_.back().block;
      free_.pop_back();
    }
  }
  if (block == nullptr) block = mapped(bytes_);
  if (block != nullptr) touch(block, bytes_);
  return block;
}

void RequestMemory::give(char* block) {
  if (block == nullptr) return;
  auto const now = Clock::now();
  std::scoped_lock const lock(mutex_);
  free_.push_back({block, now});
  while (now - free_.front().since > patience) {
    munmap(free_.front().block, bytes_);
    free_.pop_front();
  }
}

}  // namespace lvs::lab
