/* The program: its ELF file, the interpreter that links it, the stack that it starts with. */
#include "emu512.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

char program_path[4096];

struct image {
    u64 base, entry, end, headers;
    int header_count;
    char interpreter[256];
};

static void map_segment(const char *path, int fd, u64 base, const Elf64_Phdr *segment) {
    u64 address = base + segment->p_vaddr;
    u64 low = address & ~(PAGE - 1), high = PAGE_UP(address + segment->p_memsz);
    if (low < LOWEST || high > TOP)
        die("%s: a segment at %#llx is out of range", path, (unsigned long long)address);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    void *pages = (void *)low;
    if (mmap(pages, high - low, PROT_READ | PROT_WRITE, flags, -1, 0) != pages)
        die("%s: cannot map %#llx: %s", path, (unsigned long long)low, strerror(errno));
    ssize_t size = segment->p_filesz;
    if (pread(fd, (void *)address, size, segment->p_offset) != size) die("%s: too short", path);
    if (!(segment->p_flags & PF_W)) mprotect(pages, high - low, PROT_READ);
}

/* Maps an ELF file; a relocatable one to `base`. */
static struct image load(const char *path, u64 base) {
    struct image image = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) die("%s: %s", path, strerror(errno));
    Elf64_Ehdr elf;
    Elf64_Phdr segments[64];
    if (pread(fd, &elf, sizeof elf, 0) != sizeof elf ||
        memcmp(elf.e_ident, ELFMAG "\2", SELFMAG + 1) || elf.e_machine != EM_X86_64)
        die("%s: not an x86-64 ELF file", path);
    ssize_t size = elf.e_phnum * sizeof *segments;
    if (elf.e_phnum > 64 || pread(fd, segments, size, elf.e_phoff) != size)
        die("%s: unreadable program headers", path);

    image.base = elf.e_type == ET_DYN ? base : 0;
    image.entry = image.base + elf.e_entry;
    image.header_count = elf.e_phnum;
    for (int i = 0; i < elf.e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        u64 address = image.base + segment->p_vaddr;
        if (segment->p_type == PT_PHDR) image.headers = address;
        if (segment->p_type == PT_INTERP) {
            ssize_t length = segment->p_filesz;
            if (length >= (ssize_t)sizeof image.interpreter ||
                pread(fd, image.interpreter, length, segment->p_offset) != length)
                die("%s: unreadable name of the interpreter", path);
        }
        if (segment->p_type != PT_LOAD) continue;
        map_segment(path, fd, image.base, segment);
        u64 offset = elf.e_phoff - segment->p_offset;
        int holds_headers = elf.e_phoff >= segment->p_offset && offset < segment->p_filesz;
        if (holds_headers && !image.headers) image.headers = address + offset;
        u64 end = PAGE_UP(address + segment->p_memsz);
        if (end > image.end) image.end = end;
    }
    close(fd);
    return image;
}

static u64 stack;

static u64 push(const void *data, size_t size) {
    stack -= size;
    memcpy((void *)stack, data, size);
    return stack;
}

static u64 push_string(const char *text) { return push(text, strlen(text) + 1); }

static size_t count(char **strings) {
    size_t n = 0;
    while (strings[n]) n++;
    return n;
}

/* Arguments, environment and auxiliary vector, as the kernel lays them out. */
static void fill_stack(const struct image *program, u64 interpreter, char **argv, char **envp) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
    void *pages = (void *)(STACK_TOP - STACK_SIZE);
    if (mmap(pages, STACK_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) != pages)
        die("cannot map a stack");
    stack = STACK_TOP;

    size_t arguments = count(argv);
    u64 *words = calloc(arguments + count(envp) + 4, sizeof *words), *word = words;
    if (!words) die("no memory");
    u64 file_name = push_string(program_path);
    *word++ = arguments;
    for (size_t i = 0; i < arguments; i++) *word++ = push_string(argv[i]);
    *word++ = 0;
    for (char **variable = envp; *variable; variable++) {
        if (strncmp(*variable, "EMU512_", 7)) *word++ = push_string(*variable);
    }
    /* Lazy binding would use XSAVEC, which this BochsCPU gets wrong: it leaves MXCSR out. */
    if (interpreter) *word++ = push_string("LD_BIND_NOW=1");
    *word++ = 0;

    stack &= ~15ull;
    u64 seed[2];
    if (getentropy(seed, sizeof seed)) die("no random numbers");
    u64 random = push(seed, sizeof seed);
    u64 platform = push("x86_64\0\0\0\0\0\0\0\0\0", 16);
    u64 auxiliary[] = {
        AT_PHDR,     program->headers,
        AT_PHENT,    sizeof(Elf64_Phdr),
        AT_PHNUM,    program->header_count,
        AT_PAGESZ,   PAGE,
        AT_BASE,     interpreter,
        AT_FLAGS,    0,
        AT_ENTRY,    program->entry,
        AT_UID,      getuid(),
        AT_EUID,     geteuid(),
        AT_GID,      getgid(),
        AT_EGID,     getegid(),
        AT_SECURE,   0,
        AT_RANDOM,   random,
        AT_EXECFN,   file_name,
        AT_PLATFORM, platform,
        AT_CLKTCK,   100,
        AT_HWCAP,    0x178bfbff, /* CPUID 1 EDX of any x86-64 */
        AT_HWCAP2,   2,          /* FSGSBASE */
        AT_MINSIGSTKSZ, 3632,
        AT_NULL,     0,
    };
    size_t size = (word - words) * sizeof *words;
    if ((size + sizeof auxiliary) % 16) stack -= 8;
    push(auxiliary, sizeof auxiliary);
    push(words, size);
    free(words);
}

struct start program_load(char **argv, char **envp) {
    if (!realpath(argv[0], program_path)) die("%s: %s", argv[0], strerror(errno));
    struct image program = load(program_path, PIE_BASE), interpreter = {0};
    int dynamic = program.interpreter[0] != 0;
    if (dynamic) interpreter = load(program.interpreter, INTERPRETER_BASE);
    /* A static program's heap may not start right after it. */
    brk_start(((program.end + 0xfffff) & ~0xfffffull) + (program.base ? 0 : 0x1000000));
    fill_stack(&program, interpreter.base, argv, envp);
    struct start start = {dynamic ? interpreter.entry : program.entry, stack};
    return start;
}
