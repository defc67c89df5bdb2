/* The guest's memory: the host's, but below 512 GiB. */
#include "emu512.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static u64 next_mapping = MMAP_LOWEST;
static u64 brk_lowest, brk_now, brk_mapped;

u64 guest_mmap(u64 address, u64 length, u64 protection, u64 flags, u64 fd, u64 offset) {
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
        if (address + length > TOP) return -ENOMEM;
        return host_call(SYS_mmap, address, length, protection, flags, fd, offset);
    }
    u64 size = PAGE_UP(length);
    if (!size) return -EINVAL;
    if (size > MMAP_HIGHEST - MMAP_LOWEST) return -ENOMEM;
    flags = (flags & ~(u64)MAP_32BIT) | MAP_FIXED_NOREPLACE;
    int wrapped = 0;
    for (;;) {
        if (next_mapping + size > MMAP_HIGHEST) {
            if (wrapped) return -ENOMEM;
            wrapped = 1;
            next_mapping = MMAP_LOWEST;
        }
        long result = host_call(SYS_mmap, next_mapping, size, protection, flags, fd, offset);
        if (result == -EEXIST) {
            next_mapping += 1 << 20;
            continue;
        }
        if (result < 0) return result;
        next_mapping += size + PAGE; /* a hole, to catch what runs over the end */
        return result;
    }
}

u64 guest_mremap(u64 old, u64 old_size, u64 new_size, u64 flags, u64 address) {
    if (flags & MREMAP_FIXED)
        return host_call(SYS_mremap, old, old_size, new_size, flags, address, 0);
    long result = host_call(SYS_mremap, old, old_size, new_size, 0, 0, 0);
    if (result != -ENOMEM || !(flags & MREMAP_MAYMOVE)) return result;
    u64 reserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    long place = guest_mmap(0, new_size, PROT_NONE, reserve, -1, 0);
    if (place < 0) return place;
    u64 move = MREMAP_MAYMOVE | MREMAP_FIXED;
    return host_call(SYS_mremap, old, old_size, new_size, move, place, 0);
}

void brk_start(u64 address) { brk_lowest = brk_now = brk_mapped = address; }

u64 guest_brk(u64 address) {
    if (address < brk_lowest || address > brk_lowest + (64ull << 30)) return brk_now;
    u64 end = PAGE_UP(address);
    if (end > brk_mapped) {
        u64 flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
        u64 protection = PROT_READ | PROT_WRITE;
        if (host_call(SYS_mmap, brk_mapped, end - brk_mapped, protection, flags, -1, 0) < 0)
            return brk_now;
        brk_mapped = end;
    }
    brk_now = address;
    return brk_now;
}
