/* Runs an x86-64 Linux program in user mode on an emulated CPU that has AVX-512.
 *
 * The CPU is BochsCPU. Guest addresses are host addresses: everything lies below 512 GiB, mapped
 * one to one by two page tables, so that most system calls go straight to the host's kernel.
 * Threads are green threads, switched at system calls and every so many branches.
 *
 *   cpu.c      the CPU: loading it, starting it, running it until something happens
 *   memory.c   mmap, mremap, brk
 *   program.c  the ELF file, its interpreter, the first stack
 *   threads.c  green threads and futexes
 *   syscalls.c all other system calls
 *   main.c     the loop
 */
#ifndef EMU512_H
#define EMU512_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <time.h>

typedef uint64_t u64;
typedef uint32_t u32;

/* The functions of BochsCPU that are used; the first argument is the number of the CPU, 0. */
#define CPU_FUNCTIONS(X)                                                                           \
    X(void, cpu_new, (unsigned))                                                                   \
    X(void, cpu_loop, (unsigned))                                                                  \
    X(void, cpu_bail, (unsigned))                                                                  \
    X(void, cpu_set_killbit, (unsigned))                                                           \
    X(void, cpu_clear_killbit, (unsigned))                                                         \
    X(void, cpu_set_mode, (unsigned))                                                              \
    X(u64, cpu_get_pc, (unsigned))                                                                 \
    X(void, cpu_set_pc, (unsigned, u64))                                                           \
    X(void, cpu_set_sp, (unsigned, u64))                                                           \
    X(u64, cpu_get_reg64, (unsigned, unsigned))                                                    \
    X(void, cpu_set_reg64, (unsigned, unsigned, u64))                                              \
    X(u32, cpu_get_eflags, (unsigned))                                                             \
    X(void, cpu_set_eflags, (unsigned, u32))                                                       \
    X(void, cpu_set_seg, (unsigned, unsigned, unsigned, uint16_t, u64, u32, uint16_t))             \
    X(void, cpu_set_gdtr, (unsigned, u64, uint16_t))                                               \
    X(void, cpu_set_cr0, (unsigned, u32))                                                          \
    X(void, cpu_set_cr3, (unsigned, u64))                                                          \
    X(void, cpu_set_cr4, (unsigned, u32))                                                          \
    X(void, cpu_set_efer, (unsigned, u32))                                                         \
    X(void, cpu_set_xcr0, (unsigned, u32))                                                         \
    X(void, cpu_set_star, (unsigned, u64))                                                         \
    X(void, cpu_set_lstar, (unsigned, u64))                                                        \
    X(void, cpu_set_fmask, (unsigned, u32))                                                        \
    X(void, cpu_set_mxcsr, (unsigned, u32))
#define X(result, name, arguments) extern result(*p_##name) arguments;
CPU_FUNCTIONS(X)
#undef X

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

/* ---- Where things are in the guest ---- */

/* Four pages of the emulator's own: tables, code of ring 0, code of ring 3. */
#define SYSTEM 0x10000ull
#define SYSTEM_SIZE 0x4000ull
#define PML4 ((u64 *)(SYSTEM + 0x0000))
#define PDPT ((u64 *)(SYSTEM + 0x1000))
#define GDT ((u64 *)(SYSTEM + 0x2000))
/* Ring 0: a system call enters here and stops at HLT; the other two go back to ring 3. */
#define KERNEL_ENTRY (SYSTEM + 0x2800)
#define KERNEL_SYSRET (KERNEL_ENTRY + 1)
#define KERNEL_IRET (KERNEL_ENTRY + 8)
/* What IRETQ pops. */
#define KERNEL_FRAME (SYSTEM + 0x2f00)
/* Ring 3: save or load the vector registers at (%rdi), then a system call of a number of ours. */
#define USER_SAVE (SYSTEM + 0x3000)
#define USER_LOAD (USER_SAVE + 64)
enum { CALL_SAVED = 0x51200, CALL_LOADED };
/* The components of the state that they save: x87, SSE, AVX, AVX-512. */
#define STATE_COMPONENTS 0xe7

#define LOWEST 0x20000ull
#define PIE_BASE 0x400000000ull
#define INTERPRETER_BASE 0x600000000ull
#define MMAP_LOWEST 0x1000000000ull
#define MMAP_HIGHEST 0x6000000000ull
#define STACK_TOP 0x7000000000ull
#define STACK_SIZE (64ull << 20)
#define TOP 0x8000000000ull /* 512 GiB: what one PDPT maps */

#define PAGE 4096ull
#define PAGE_UP(address) (((address) + PAGE - 1) & ~(PAGE - 1))

/* ---- cpu.c ---- */

/* Why the CPU has stopped. */
enum stop { RUNNING, SYSTEM_CALL, EXCEPTION, TIME_UP };
extern unsigned exception_vector, exception_code;
/* Whether the CPU stops with TIME_UP when a thread has run for long. */
extern int preemptive;

/* Loads BochsCPU from `bochscpu.so` beside the emulator, and the model that EMU512_CPU names. */
void cpu_open(void);
/* Makes a CPU that is about to enter ring 3 at `entry`. */
void cpu_start(u64 entry, u64 stack);
enum stop cpu_run(void);
u64 get(int reg);
void set(int reg, u64 value);
void set_fs(u64 base);
u64 get_fs(void);
/* Forgets decoded instructions. */
void cpu_flush_code(void);

/* ---- memory.c ---- */

void brk_start(u64 address);
u64 guest_brk(u64 address);
u64 guest_mmap(u64 address, u64 length, u64 protection, u64 flags, u64 fd, u64 offset);
u64 guest_mremap(u64 old, u64 old_size, u64 new_size, u64 flags, u64 address);

/* ---- program.c ---- */

/* The program's canonical path. */
extern char program_path[4096];

struct start {
    u64 entry, stack;
};
/* Maps argv[0] and prepares its stack. */
struct start program_load(char **argv, char **envp);

/* ---- threads.c ---- */

enum thread_state { READY, WAITING, SLEEPING, DEAD };

struct thread {
    struct thread *next;
    int tid;
    enum thread_state state;
    /* Whether it goes on by SYSRETQ, or else, where it was interrupted, by IRETQ. */
    int in_system_call;
    u64 registers[16], rip, rflags, fs;
    void *vectors; /* XSAVE area, in guest memory */
    u32 *futex;    /* what it waits for */
    u32 futex_mask;
    int timed; /* whether it waits or sleeps until `due` only */
    struct timespec due;
    u64 clear_tid; /* to be cleared and woken when it ends */
};

extern struct thread *current;
void threads_start(void);
u64 thread_new(u64 flags, u64 stack, u64 tls, u64 parent_tid, u64 child_tid);
/* Ends the current thread; the process too, with `code`, if it was the last. */
void thread_exit(u64 code);
/* In a new process: only the current thread is left. */
void threads_forked(void);
int thread_count(void);
/* The current thread, in a system call that returns `result`, gives way to others. */
void thread_yield(u64 result);
void thread_sleep(struct timespec length);
/* The current thread has been interrupted. */
void thread_preempt(void);
u64 guest_futex(u64 address, int operation, u32 value, u64 time, u64 address2, u32 value3);
struct timespec time_difference(struct timespec a, struct timespec b);

/* ---- syscalls.c ---- */

void system_call(void);
/* Ends the process as the exception would have ended it. */
void guest_exception(void);
void catch_host_faults(void);

/* ---- main.c ---- */

extern int tracing;
__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...);
/* A system call of the host: the result, or the negative error. */
long host_call(long number, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f);

#endif
