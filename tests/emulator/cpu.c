/* The CPU: BochsCPU, a shared object out of the Python package bochscpu-python. No Python runs. */
#include "emu512.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define X(result, name, arguments) result(*p_##name) arguments;
CPU_FUNCTIONS(X)
#undef X

unsigned exception_vector, exception_code;
int preemptive;

static volatile enum stop stop;
static u64 fs_base;
static void (*flush_code)(void);

/* ---- What the shared object asks of us: hooks that do nothing, memory that is just there ---- */

#define NOTHING(name)                                                                              \
    void name(void) {}
NOTHING(bx_instr_reset)
NOTHING(bx_instr_mwait)
NOTHING(bx_instr_cnear_branch_not_taken)
NOTHING(bx_instr_far_branch)
NOTHING(bx_instr_opcode)
NOTHING(bx_instr_interrupt)
NOTHING(bx_instr_hwinterrupt)
NOTHING(bx_instr_tlb_cntrl)
NOTHING(bx_instr_cache_cntrl)
NOTHING(bx_instr_prefetch_hint)
NOTHING(bx_instr_clflush)
NOTHING(bx_instr_before_execution)
NOTHING(bx_instr_after_execution)
NOTHING(bx_instr_repeat_iteration)
NOTHING(bx_instr_lin_access)
NOTHING(bx_instr_phy_access)
NOTHING(bx_instr_wrmsr)
NOTHING(bx_instr_vmexit)
NOTHING(bx_instr_inp)
NOTHING(bx_instr_inp2)
NOTHING(bx_instr_outp)

void *mem_guest_to_host(unsigned cpu, u64 address, unsigned access) {
    (void)cpu;
    (void)access;
    return (void *)address;
}

void mem_read_phy(unsigned cpu, u64 address, unsigned size, void *to) {
    (void)cpu;
    memcpy(to, (void *)address, size);
}

void mem_write_phy(unsigned cpu, u64 address, unsigned size, const void *from) {
    (void)cpu;
    memcpy((void *)address, from, size);
}

/* RDTSC gives the host's counter. */
u64 _ZN8BX_CPU_C7get_TSCEv(void *cpu) {
    (void)cpu;
    return __builtin_ia32_rdtsc();
}

/* Data of Python's that the object's relocations name; none is ever used. */
#define PYTHON(name) void *name[64];
PYTHON(PyExc_ValueError)
PYTHON(PyExc_KeyError)
PYTHON(_Py_TrueStruct)
PYTHON(PyNumber_And)
PYTHON(PyExc_IndexError)
PYTHON(PyTuple_Type)
PYTHON(PyList_Type)
PYTHON(PyModule_Type)
PYTHON(_Py_NoneStruct)
PYTHON(PyExc_AttributeError)
PYTHON(PyNumber_Add)
PYTHON(PyExc_MemoryError)
PYTHON(PyType_Type)
PYTHON(PyExc_OverflowError)
PYTHON(PyProperty_Type)
PYTHON(PyUnicode_Type)
PYTHON(PyNumber_FloorDivide)
PYTHON(_PyWeakref_RefType)
PYTHON(PyNumber_Multiply)
PYTHON(PyExc_RuntimeWarning)
PYTHON(PyNumber_Lshift)
PYTHON(PyExc_BufferError)
PYTHON(PyExc_RuntimeError)
PYTHON(PyNumber_Xor)
PYTHON(_Py_NotImplementedStruct)
PYTHON(PyNumber_Rshift)
PYTHON(PyExc_StopIteration)
PYTHON(PyExc_TypeError)
PYTHON(_Py_FalseStruct)
PYTHON(PyNumber_Or)
PYTHON(PyLong_Type)
PYTHON(PyFloat_Type)
PYTHON(PyBytes_Type)
PYTHON(PyExc_SystemError)
PYTHON(PyExc_ImportError)
PYTHON(PyNumber_Subtract)
PYTHON(PyVectorcall_Call)
PYTHON(PyType_GenericNew)

/* ---- Running and stopping ---- */

static void stop_at_once(unsigned cpu, enum stop why) {
    stop = why;
    p_cpu_set_killbit(cpu);
    p_cpu_bail(cpu);
}

/* Only the entry for system calls holds a HLT that the guest can reach. */
void bx_instr_hlt(unsigned cpu) { stop_at_once(cpu, SYSTEM_CALL); }

void bx_instr_exception(unsigned cpu, unsigned vector, unsigned code) {
    exception_vector = vector;
    exception_code = code;
    stop_at_once(cpu, EXCEPTION);
}

/* Taken branches that a thread may make before it is interrupted. */
enum { BRANCHES = 2000000 };

static inline void count_branch(unsigned cpu) {
    static int left = BRANCHES;
    if (__builtin_expect(--left <= 0, 0)) {
        left = BRANCHES;
        if (preemptive) {
            stop = TIME_UP;
            p_cpu_set_killbit(cpu);
        }
    }
}

void bx_instr_cnear_branch_taken(unsigned cpu) { count_branch(cpu); }
void bx_instr_ucnear_branch(unsigned cpu) { count_branch(cpu); }

enum stop cpu_run(void) {
    stop = RUNNING;
    p_cpu_clear_killbit(0);
    while (stop == RUNNING) p_cpu_loop(0);
    return stop;
}

/* ---- Registers ---- */

u64 get(int reg) { return p_cpu_get_reg64(0, reg); }

void set(int reg, u64 value) {
    if (reg == RSP)
        p_cpu_set_sp(0, value);
    else
        p_cpu_set_reg64(0, reg, value);
}

enum { CS = 1, FS = 4, SEGMENTS = 6 };
enum { PRESENT = 1, LIMIT = 0xffffffff };

u64 get_fs(void) { return fs_base; }

void set_fs(u64 base) {
    fs_base = base;
    p_cpu_set_seg(0, FS, PRESENT, 0, base, LIMIT, 0xc0f3);
}

void cpu_flush_code(void) {
    if (flush_code) flush_code();
}

/* ---- Loading and starting ---- */

/* The bindings have lost the names of Bochs' models; they go by their places in its list. */
static const struct {
    const char *name;
    long place;
} models[] = {
    {"haswell", 22},   {"skylake_x", 24},       {"icelake", 26},
    {"tigerlake", 27}, {"sapphire_rapids", 28},
};

static void choose_model(void *library, const char *model) {
    void *(*parameter)(const char *) = dlsym(library, "sim_get_param_enum");
    void (*set_parameter)(void *, long) = dlsym(library, "_ZN15bx_param_enum_c3setEl");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (!strcmp(model, models[i].name) && parameter && set_parameter) {
            set_parameter(parameter("cpu.model"), models[i].place);
            return;
        }
    }
    die("no CPU model `%s`", model);
}

void cpu_open(void) {
    char path[4096 + sizeof "bochscpu.so"];
    ssize_t length = readlink("/proc/self/exe", path, 4096);
    while (length > 0 && path[length - 1] != '/') length--;
    if (length <= 0) die("cannot find the emulator's own directory");
    strcpy(path + length, "bochscpu.so");

    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library) die("%s", dlerror());
#define X(result, name, arguments)                                                                 \
    p_##name = (result(*) arguments)dlsym(library, #name);                                         \
    if (!p_##name) die("%s: no %s", path, #name);
    CPU_FUNCTIONS(X)
#undef X
    flush_code = (void (*)(void))dlsym(library, "_Z12flushICachesv");

    const char *model = getenv("EMU512_CPU");
    if (model) choose_model(library, model);
}

static void fill_system_pages(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    void *pages = (void *)SYSTEM;
    if (mmap(pages, SYSTEM_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) != pages)
        die("cannot map %#llx", SYSTEM);

    /* Pages of 1 GiB: present, writable, for ring 3. */
    PML4[0] = (u64)PDPT | 0x27;
    for (u64 i = 0; i < 512; i++) PDPT[i] = i << 30 | 0xe7;

    GDT[1] = 0x00af9b000000ffff; /* 08: code of ring 0 */
    GDT[2] = 0x00cf93000000ffff; /* 10: data of ring 0 */
    GDT[3] = 0x00cffb000000ffff; /* 18: 32-bit code of ring 3, which SYSRET counts from */
    GDT[4] = 0x00cff3000000ffff; /* 20: data of ring 3 */
    GDT[5] = 0x00affb000000ffff; /* 28: code of ring 3 */

    static const uint8_t kernel[] = {
        0xf4,                   /* hlt     */
        0x48, 0x0f, 0x07,       /* sysretq */
        0x90, 0x90, 0x90, 0x90, /* nop     */
        0x48, 0xcf,             /* iretq   */
    };
    static const uint8_t save[] = {
        0x48, 0x0f, 0xae, 0x27,       /* xsave64 (%rdi)         */
        0xb8, 0x00, 0x12, 0x05, 0x00, /* mov $CALL_SAVED, %eax  */
        0x0f, 0x05,                   /* syscall                */
    };
    static const uint8_t load[] = {
        0x48, 0x0f, 0xae, 0x2f,       /* xrstor64 (%rdi)        */
        0xb8, 0x01, 0x12, 0x05, 0x00, /* mov $CALL_LOADED, %eax */
        0x0f, 0x05,                   /* syscall                */
    };
    memcpy((void *)KERNEL_ENTRY, kernel, sizeof kernel);
    memcpy((void *)USER_SAVE, save, sizeof save);
    memcpy((void *)USER_LOAD, load, sizeof load);
}

void cpu_start(u64 entry, u64 stack) {
    fill_system_pages();
    p_cpu_new(0);
    p_cpu_set_cr3(0, (u64)PML4);
    /* PAE OSFXSR OSXMMEXCPT FSGSBASE OSXSAVE */
    p_cpu_set_cr4(0, 1 << 5 | 1 << 9 | 1 << 10 | 1 << 16 | 1 << 18);
    /* SCE LME LMA NXE */
    p_cpu_set_efer(0, 1 << 0 | 1 << 8 | 1 << 10 | 1 << 11);
    /* PG WP NE ET MP PE */
    p_cpu_set_cr0(0, 0x80010033);
    p_cpu_set_xcr0(0, STATE_COMPONENTS);
    p_cpu_set_mxcsr(0, 0x1f80);
    p_cpu_set_gdtr(0, (u64)GDT, 0x2f);
    for (int segment = 0; segment < SEGMENTS; segment++) {
        if (segment == CS)
            p_cpu_set_seg(0, segment, PRESENT, 0x08, 0, LIMIT, 0xa09b);
        else
            p_cpu_set_seg(0, segment, PRESENT, 0x10, 0, LIMIT, 0xc093);
    }
    /* System calls: segments, entry, and the flags that they clear (AC DF IF TF). */
    p_cpu_set_star(0, (u64)0x18 << 48 | (u64)0x08 << 32);
    p_cpu_set_lstar(0, KERNEL_ENTRY);
    p_cpu_set_fmask(0, 0x40700);
    p_cpu_set_eflags(0, 2);
    p_cpu_set_mode(0);
    for (int reg = 0; reg < 16; reg++) set(reg, 0);
    set(RSP, stack);
    set(RCX, entry);
    set(R11, 0x202);
    p_cpu_set_pc(0, KERNEL_SYSRET);
}
