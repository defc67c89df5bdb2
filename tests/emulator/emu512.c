/* emu512: run an x86-64 Linux program on an emulated CPU that has AVX-512, in user mode.
 *
 * The CPU is BochsCPU (model "tigerlake": AVX-512 F, CD, BW, DQ, VL, IFMA, VBMI, VBMI2, VNNI,
 * BITALG, VPOPCNTDQ, VP2INTERSECT, and GFNI), taken as a shared object out of the PyPI wheel
 * bochscpu-python; no Python runs.  The guest's addresses are the host's own addresses (all below
 * 512 GiB, mapped one to one by two page tables), so most system calls go straight to the host
 * kernel.  Threads are green threads, switched at system calls and every so many branches.
 *
 * usage: emu512 PROGRAM [ARGS...]     EMU512_SO: path of _bochscpu*.so; EMU512_STATS=1: counts
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <linux/futex.h>

typedef uint64_t u64;
typedef uint32_t u32;

/* ---- what the shared object gives (BochsCPU's own C functions) ---- */
#define CPU_API(X) \
    X(void, cpu_new, (unsigned)) X(void, cpu_loop, (unsigned)) X(void, cpu_bail, (unsigned)) \
    X(void, cpu_set_killbit, (unsigned)) X(void, cpu_clear_killbit, (unsigned)) \
    X(void, cpu_set_mode, (unsigned)) X(u64, cpu_get_pc, (unsigned)) X(void, cpu_set_pc, (unsigned, u64)) \
    X(void, cpu_set_sp, (unsigned, u64)) X(u64, cpu_get_reg64, (unsigned, unsigned)) \
    X(void, cpu_set_reg64, (unsigned, unsigned, u64)) X(u32, cpu_get_eflags, (unsigned)) \
    X(void, cpu_set_eflags, (unsigned, u32)) \
    X(void, cpu_set_seg, (unsigned, unsigned, unsigned, uint16_t, u64, u32, uint16_t)) \
    X(void, cpu_get_seg, (unsigned, unsigned, unsigned *, uint16_t *, u64 *, u32 *, uint16_t *)) \
    X(void, cpu_set_gdtr, (unsigned, u64, uint16_t)) X(void, cpu_set_cr0, (unsigned, u32)) \
    X(void, cpu_set_cr3, (unsigned, u64)) X(void, cpu_set_cr4, (unsigned, u32)) \
    X(void, cpu_set_efer, (unsigned, u32)) X(void, cpu_set_xcr0, (unsigned, u32)) \
    X(void, cpu_set_star, (unsigned, u64)) X(void, cpu_set_lstar, (unsigned, u64)) \
    X(void, cpu_set_fmask, (unsigned, u32)) X(void, cpu_set_mxcsr, (unsigned, u32))
#define X(r, n, a) static r(*p_##n) a;
CPU_API(X)
#undef X

/* ---- what we put in its place: hooks that do nothing, memory that is just there ---- */
#define NOP(n) void n(void) {}
NOP(bx_instr_reset) NOP(bx_instr_mwait) NOP(bx_instr_cnear_branch_not_taken)
NOP(bx_instr_far_branch) NOP(bx_instr_opcode) NOP(bx_instr_interrupt) NOP(bx_instr_hwinterrupt)
NOP(bx_instr_tlb_cntrl) NOP(bx_instr_cache_cntrl) NOP(bx_instr_prefetch_hint) NOP(bx_instr_clflush)
NOP(bx_instr_before_execution) NOP(bx_instr_after_execution) NOP(bx_instr_repeat_iteration)
NOP(bx_instr_lin_access) NOP(bx_instr_phy_access) NOP(bx_instr_wrmsr) NOP(bx_instr_vmexit)
NOP(bx_instr_inp) NOP(bx_instr_inp2) NOP(bx_instr_outp)

void *mem_guest_to_host(unsigned cpu, u64 gpa, unsigned rw) { (void)cpu; (void)rw; return (void *)gpa; }
void mem_read_phy(unsigned cpu, u64 gpa, unsigned n, void *to) { (void)cpu; memcpy(to, (void *)gpa, n); }
void mem_write_phy(unsigned cpu, u64 gpa, unsigned n, const void *from) { (void)cpu; memcpy((void *)gpa, from, n); }

u64 _ZN8BX_CPU_C7get_TSCEv(void *cpu) { (void)cpu; return __builtin_ia32_rdtsc(); } /* RDTSC: the host's */

/* The wheel's object is a Python module: give the names its relocations want; none is ever used. */
#define PY(n) void *n[64];
PY(PyExc_ValueError) PY(PyExc_KeyError) PY(_Py_TrueStruct) PY(PyNumber_And) PY(PyExc_IndexError)
PY(PyTuple_Type) PY(PyList_Type) PY(PyModule_Type) PY(_Py_NoneStruct) PY(PyExc_AttributeError)
PY(PyNumber_Add) PY(PyExc_MemoryError) PY(PyType_Type) PY(PyExc_OverflowError) PY(PyProperty_Type)
PY(PyUnicode_Type) PY(PyNumber_FloorDivide) PY(_PyWeakref_RefType) PY(PyNumber_Multiply)
PY(PyExc_RuntimeWarning) PY(PyNumber_Lshift) PY(PyExc_BufferError) PY(PyExc_RuntimeError)
PY(PyNumber_Xor) PY(_Py_NotImplementedStruct) PY(PyNumber_Rshift) PY(PyExc_StopIteration)
PY(PyExc_TypeError) PY(_Py_FalseStruct) PY(PyNumber_Or) PY(PyLong_Type) PY(PyFloat_Type)
PY(PyBytes_Type) PY(PyExc_SystemError) PY(PyExc_ImportError) PY(PyNumber_Subtract)
PY(PyVectorcall_Call) PY(PyType_GenericNew)

/* ---- layout of the guest's low memory ---- */
enum { SYS = 0x10000 };              /* one page each: PML4, PDPT, GDT + kernel code, user stubs */
#define PML4 ((u64 *)(SYS + 0x0000))
#define PDPT ((u64 *)(SYS + 0x1000))
#define GDT ((u64 *)(SYS + 0x2000))
#define KCODE (SYS + 0x2800)         /* hlt; sysretq; iretq */
#define KFRAME (SYS + 0x2f00)        /* frame for iretq */
#define UCODE (SYS + 0x3000)
#define TOP 0x8000000000ull          /* 512 GiB: what one PDPT maps */
#define PIE_BASE 0x400000000ull
#define LD_BASE 0x600000000ull
#define MMAP_LO 0x1000000000ull
#define MMAP_HI 0x6000000000ull
#define STACK_TOP 0x7000000000ull
#define STACK_SIZE (64ull << 20)

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
enum { MAGIC_SAVED = 0x51200, MAGIC_LOADED };

static void (*p_flush)(void);        /* forget decoded code */
static const char *guest_path;
static char guest_exe[4096];
static int pid, dbg;

static void die(const char *fmt, ...) {
    va_list ap; va_start(ap, fmt);
    fputs("emu512: ", stderr); vfprintf(stderr, fmt, ap); fputc('\n', stderr);
    va_end(ap);
    exit(125);
}
#include <stdarg.h>

static inline long raw(long n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
    long r; register u64 r10 __asm__("r10") = d; register u64 r8 __asm__("r8") = e; register u64 r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return r;
}

/* ---- stopping the CPU ---- */
enum why { W_NONE, W_SYSCALL, W_FAULT, W_PREEMPT };
static volatile enum why why;
static unsigned fault_vec, fault_err;
#define QUANTUM 2000000
static int quantum = QUANTUM, budget = QUANTUM, preempt_on;

void bx_instr_hlt(unsigned cpu) { why = W_SYSCALL; p_cpu_set_killbit(cpu); p_cpu_bail(cpu); }
void bx_instr_exception(unsigned cpu, unsigned vec, unsigned err) {
    why = W_FAULT; fault_vec = vec; fault_err = err; p_cpu_set_killbit(cpu); p_cpu_bail(cpu);
}
static inline void branch(unsigned cpu) {
    if (__builtin_expect(--budget <= 0, 0)) {
        budget = quantum;
        if (preempt_on) { why = W_PREEMPT; p_cpu_set_killbit(cpu); }
    }
}
void bx_instr_cnear_branch_taken(unsigned cpu) { branch(cpu); }
void bx_instr_ucnear_branch(unsigned cpu) { branch(cpu); }

static u64 reg(int r) { return p_cpu_get_reg64(0, r); }
static void setreg(int r, u64 v) { if (r == RSP) p_cpu_set_sp(0, v); else p_cpu_set_reg64(0, r, v); }
static enum why cpu_go(void) {
    why = W_NONE;
    p_cpu_clear_killbit(0);
    while (why == W_NONE) p_cpu_loop(0);
    return why;
}

/* ---- threads ---- */
enum { RUN, FUTEX, SLEEP, DEAD };
struct thread {
    struct thread *next;
    int tid, state, in_syscall;
    u64 gpr[16], rip, rflags, fsbase, clear_tid;
    u32 *faddr; u32 fmask; struct timespec due; int timed; int woken;
    void *xsave;                    /* in guest memory */
};
static struct thread *cur, *all;
static int nthreads = 1, next_tid;
static u64 fsbase_now, n_sys, n_switch;

static void set_fs(u64 base) { fsbase_now = base; p_cpu_set_seg(0, 4, 1, 0, base, 0xffffffff, 0xc0f3); }

static int due_cmp(struct timespec a, struct timespec b) {
    return a.tv_sec != b.tv_sec ? (a.tv_sec < b.tv_sec ? -1 : 1) : a.tv_nsec < b.tv_nsec ? -1 : a.tv_nsec > b.tv_nsec;
}
static struct timespec now_mono(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t; }
static struct timespec ts_add(struct timespec a, struct timespec b) {
    a.tv_sec += b.tv_sec; a.tv_nsec += b.tv_nsec;
    if (a.tv_nsec >= 1000000000) { a.tv_nsec -= 1000000000; a.tv_sec++; }
    return a;
}
static struct timespec ts_sub(struct timespec a, struct timespec b) {
    a.tv_sec -= b.tv_sec; a.tv_nsec -= b.tv_nsec;
    if (a.tv_nsec < 0) { a.tv_nsec += 1000000000; a.tv_sec--; }
    if (a.tv_sec < 0) a.tv_sec = a.tv_nsec = 0;
    return a;
}

/* Next thread that can run, round robin after cur; sleeps for real when all wait for a time. */
static struct thread *pick(void) {
    for (;;) {
        struct timespec t = now_mono(), first = {0}; int have = 0;
        for (struct thread *x = all; x; x = x->next)
            if ((x->state == FUTEX || x->state == SLEEP) && x->timed) {
                if (due_cmp(x->due, t) <= 0) {
                    x->gpr[RAX] = x->state == FUTEX ? (u64)-ETIMEDOUT : 0;
                    x->state = RUN;
                } else if (!have || due_cmp(x->due, first) < 0) { first = x->due; have = 1; }
            }
        for (struct thread *x = cur && cur->next ? cur->next : all, *s = x; x;) {
            if (x->state == RUN) return x;
            x = x->next ? x->next : all;
            if (x == s) break;
        }
        if (!have) die("deadlock: every thread waits on a futex");
        struct timespec d = ts_sub(first, t);
        nanosleep(&d, NULL);
    }
}

/* Runs one of the user stubs (xsave or xrstor of cur's area) and comes back in the kernel stub. */
static void stub(u64 at, u64 area, u64 magic) {
    setreg(RDI, area); setreg(RAX, 0xe7); setreg(RDX, 0);
    p_cpu_set_pc(0, at);
    if (cpu_go() != W_SYSCALL || reg(RAX) != magic) die("context switch failed");
}
static void save_regs(struct thread *t) {
    for (int i = 0; i < 16; i++) t->gpr[i] = reg(i);
    t->fsbase = fsbase_now;
}
static void switch_to(struct thread *t, struct thread *from, int from_syscall) {
    n_switch++;
    /* here `from` has its general registers saved already */
    if (from) {
        if (from_syscall) {         /* we are in ring 0, at sysretq: go to the stub by way of it */
            setreg(RCX, UCODE); setreg(R11, 0x202);
            setreg(RDI, (u64)from->xsave); setreg(RAX, 0xe7); setreg(RDX, 0);
            if (cpu_go() != W_SYSCALL || reg(RAX) != MAGIC_SAVED) die("context save failed");
        } else stub(UCODE, (u64)from->xsave, MAGIC_SAVED);
    }
    cur = t;
    /* ring 0, at sysretq */
    setreg(RCX, UCODE + 64); setreg(R11, 0x202);
    setreg(RDI, (u64)t->xsave); setreg(RAX, 0xe7); setreg(RDX, 0);
    if (cpu_go() != W_SYSCALL || reg(RAX) != MAGIC_LOADED) die("context load failed");
    for (int i = 0; i < 16; i++) if (i != RSP) setreg(i, t->gpr[i]);
    set_fs(t->fsbase);
    if (t->in_syscall) {
        setreg(RSP, t->gpr[RSP]);
        setreg(RCX, t->rip); setreg(R11, t->rflags);
        p_cpu_set_pc(0, KCODE + 1);                      /* sysretq */
    } else {
        u64 *f = (u64 *)KFRAME;
        f[0] = t->rip; f[1] = 0x2b; f[2] = t->rflags; f[3] = t->gpr[RSP]; f[4] = 0x23;
        setreg(RSP, KFRAME);
        p_cpu_set_pc(0, KCODE + 8);                      /* iretq */
    }
}
/* The current thread has made a system call and must give way (its state says why). */
static void reschedule(u64 ret) {
    struct thread *me = cur;
    save_regs(me);
    me->gpr[RAX] = ret; me->rip = reg(RCX); me->rflags = reg(R11); me->in_syscall = 1;
    struct thread *t = pick();
    if (t == me) { setreg(RAX, me->gpr[RAX]); return; }
    switch_to(t, me, 1);
}
static int futex_wake(u32 *addr, int n, u32 mask) {
    int k = 0;
    for (struct thread *x = all; x && k < n; x = x->next)
        if (x->state == FUTEX && x->faddr == addr && (x->fmask & mask)) { x->state = RUN; x->gpr[RAX] = 0; k++; }
    return k;
}
static u64 sys_futex(u64 addr, int op, u32 val, u64 a4, u64 addr2, u32 val3) {
    int cmd = op & FUTEX_CMD_MASK;
    u32 mask = FUTEX_BITSET_MATCH_ANY, *p = (u32 *)addr;
    switch (cmd) {
    case FUTEX_WAIT_BITSET: mask = val3; /* fall through */
    case FUTEX_WAIT: {
        if (__atomic_load_n(p, __ATOMIC_SEQ_CST) != val) return -EAGAIN;
        cur->state = FUTEX; cur->faddr = p; cur->fmask = mask; cur->timed = a4 != 0;
        if (a4) {
            struct timespec t = *(struct timespec *)a4;
            if (cmd == FUTEX_WAIT) t = ts_add(now_mono(), t);
            else if (op & FUTEX_CLOCK_REALTIME) {
                struct timespec r; clock_gettime(CLOCK_REALTIME, &r);
                t = ts_add(now_mono(), ts_sub(t, r));
            }
            cur->due = t;
        }
        reschedule(0);
        return reg(RAX);            /* of whichever thread runs now */
    }
    case FUTEX_WAKE: return futex_wake(p, val, mask);
    case FUTEX_WAKE_BITSET: return futex_wake(p, val, val3);
    case FUTEX_CMP_REQUEUE: if (*p != val3) return -EAGAIN; /* fall through */
    case FUTEX_REQUEUE: {
        int k = futex_wake(p, val, mask), m = 0;
        for (struct thread *x = all; x && m < (int)a4; x = x->next)
            if (x->state == FUTEX && x->faddr == p) { x->faddr = (u32 *)addr2; m++; }
        return k + m;
    }
    }
    return -ENOSYS;
}
static u64 guest_mmap(u64 addr, u64 len, u64 prot, u64 flags, u64 fd, u64 off);
static u64 new_thread(u64 flags, u64 stack, u64 tls, u64 ptid, u64 ctid) {
    struct thread *t = calloc(1, sizeof *t);
    save_regs(t);
    t->tid = ++next_tid; t->gpr[RAX] = 0; t->rip = reg(RCX); t->rflags = reg(R11); t->in_syscall = 1;
    if (stack) t->gpr[RSP] = stack;
    if (flags & CLONE_SETTLS) t->fsbase = tls;
    if (flags & CLONE_PARENT_SETTID) *(int *)ptid = t->tid;
    if (flags & CLONE_CHILD_SETTID) *(int *)ctid = t->tid;
    if (flags & CLONE_CHILD_CLEARTID) t->clear_tid = ctid;
    t->xsave = (void *)guest_mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if ((long)t->xsave < 0) die("no memory for a thread");
    ((u32 *)t->xsave)[6] = 0x1f80;  /* MXCSR; XSTATE_BV = 0: all in its first state */
    ((uint16_t *)t->xsave)[0] = 0x37f;
    struct thread **e = &all; while (*e) e = &(*e)->next;
    *e = t; nthreads++; preempt_on = 1;
    return t->tid;
}

/* ---- memory ---- */
static u64 mmap_next = MMAP_LO, brk_lo, brk_now, brk_map;
static u64 guest_mmap(u64 addr, u64 len, u64 prot, u64 flags, u64 fd, u64 off) {
    if (flags & MAP_FIXED || flags & MAP_FIXED_NOREPLACE) {
        if (addr + len > TOP) return -ENOMEM;
        return raw(SYS_mmap, addr, len, prot, flags, fd, off);
    }
    u64 size = (len + 4095) & ~4095ull;
    if (!size || size > MMAP_HI - MMAP_LO) return size ? -ENOMEM : -EINVAL;
    flags &= ~(u64)MAP_32BIT;
    for (int wrapped = 0;;) {
        if (mmap_next + size > MMAP_HI) { if (wrapped++) return -ENOMEM; mmap_next = MMAP_LO; }
        long r = raw(SYS_mmap, mmap_next, size, prot, flags | MAP_FIXED_NOREPLACE, fd, off);
        if (r == -EEXIST) { mmap_next += 1 << 20; continue; }
        if (r < 0) return r;
        mmap_next += size + 4096;    /* a hole between mappings */
        return r;
    }
}
static u64 guest_mremap(u64 old, u64 osz, u64 nsz, u64 flags, u64 to) {
    if (flags & MREMAP_FIXED) return raw(SYS_mremap, old, osz, nsz, flags, to, 0);
    long r = raw(SYS_mremap, old, osz, nsz, 0, 0, 0);
    if (r != -ENOMEM || !(flags & MREMAP_MAYMOVE)) return r;
    u64 n = guest_mmap(0, nsz, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((long)n < 0) return n;
    return raw(SYS_mremap, old, osz, nsz, MREMAP_MAYMOVE | MREMAP_FIXED, n, 0);
}
static u64 guest_brk(u64 a) {
    if (a < brk_lo || a > brk_lo + (64ull << 30)) return brk_now;
    u64 end = (a + 4095) & ~4095ull;
    if (end > brk_map) {
        if (raw(SYS_mmap, brk_map, end - brk_map, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) < 0) return brk_now;
        brk_map = end;
    }
    return brk_now = a;
}

/* ---- signals: remembered, never delivered ---- */
struct ksa { u64 handler, flags, restorer, mask; };
static struct ksa sigs[65];

static void fatal_signal(int sig) {
    signal(sig, SIG_DFL);
    sigset_t s; sigemptyset(&s); sigaddset(&s, sig); sigprocmask(SIG_UNBLOCK, &s, NULL);
    fflush(stderr);
    kill(getpid(), sig);
    _exit(128 + sig);
}
static void guest_fault(void) {
    static const char *name[] = {"#DE divide", "#DB", "NMI", "#BP int3", "#OF", "#BR", "#UD illegal instruction", "#NM", "#DF", "", "#TS", "#NP", "#SS", "#GP", "#PF", "", "#MF", "#AC", "#MC", "#XM"};
    u64 pc = p_cpu_get_pc(0);
    fprintf(stderr, "emu512: exception %u (%s) err %#x near rip %#lx, bytes", fault_vec, fault_vec < 20 ? name[fault_vec] : "?", fault_err, (long)pc);
    if (pc - 16 >= 0x20000 && pc < TOP) for (int i = -16; i < 16; i++) fprintf(stderr, "%s%02x", i ? " " : " | ", ((uint8_t *)pc)[i]);
    fprintf(stderr, "\n");
    fatal_signal(fault_vec == 6 ? SIGILL : fault_vec == 0 || fault_vec == 16 || fault_vec == 19 ? SIGFPE : fault_vec == 3 || fault_vec == 1 ? SIGTRAP : SIGSEGV);
}
static void on_segv(int sig, siginfo_t *si, void *uc) {
    (void)uc;
    char b[200]; int n = snprintf(b, sizeof b, "emu512: signal %d at address %p, guest rip near %#lx, thread %d\n", sig, si->si_addr, (long)p_cpu_get_pc(0), cur ? cur->tid : 0);
    (void)!write(2, b, n);
    fatal_signal(sig);
}

static void stats(void) {
    if (getenv("EMU512_STATS")) {
        struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        fprintf(stderr, "emu512: %lu system calls, %lu switches, %.2f s of CPU\n", (long)n_sys, (long)n_switch, t.tv_sec + t.tv_nsec / 1e9);
    }
}
static void thread_exit(u64 code) {
    if (cur->clear_tid) { *(u32 *)cur->clear_tid = 0; futex_wake((u32 *)cur->clear_tid, 1 << 30, ~0u); }
    if (--nthreads == 0) { stats(); exit((int)code); }
    struct thread *me = cur, **e = &all;
    struct thread *t;
    me->state = DEAD;
    t = pick();
    while (*e != me) e = &(*e)->next;
    *e = me->next;
    preempt_on = nthreads > 1;
    switch_to(t, NULL, 1);
    munmap(me->xsave, 4096); free(me);
}

static u64 guest_fork(u64 flags, u64 stack, u64 ctid) {
    fflush(stderr);
    int p = fork();
    if (p < 0) return -errno;
    if (p) return p;
    for (struct thread *x = all, *nx; x; x = nx) { nx = x->next; if (x != cur) free(x); }
    all = cur; cur->next = NULL; nthreads = 1; preempt_on = 0;
    cur->tid = next_tid = pid = getpid();
    if (flags & CLONE_CHILD_SETTID) *(int *)ctid = pid;
    if (flags & CLONE_CHILD_CLEARTID) cur->clear_tid = ctid;
    if (stack) setreg(RSP, stack);
    return 0;
}

/* Returns 1 when the result must not be written to rax (another thread runs now). */
static int do_syscall(void) {
    u64 n = reg(RAX), a = reg(RDI), b = reg(RSI), c = reg(RDX), d = reg(R10), e = reg(R8), f = reg(R9);
    u64 r;
    n_sys++;
    if (dbg) fprintf(stderr, "[%d] sys %lu(%#lx, %#lx, %#lx, %#lx)\n", cur->tid, (long)n, (long)a, (long)b, (long)c, (long)d);
    switch (n) {
    case SYS_mmap: r = guest_mmap(a, b, c, d, e, f); if (c & PROT_EXEC && p_flush) p_flush(); break;
    case SYS_mprotect: r = raw(n, a, b, c, d, e, f); if (c & PROT_EXEC && p_flush) p_flush(); break;
    case SYS_mremap: r = guest_mremap(a, b, c, d, e); break;
    case SYS_brk: r = guest_brk(a); break;
    case SYS_arch_prctl:
        if (a == 0x1002) { set_fs(b); r = 0; }
        else if (a == 0x1003) { *(u64 *)b = fsbase_now; r = 0; }
        else r = -EINVAL;
        break;
    case SYS_set_tid_address: cur->clear_tid = a; r = cur->tid; break;
    case SYS_set_robust_list: r = 0; break;
    case SYS_rseq: r = -ENOSYS; break;
    case SYS_gettid: r = cur->tid; break;
    case SYS_rt_sigaction:
        if (a < 1 || a > 64) { r = -EINVAL; break; }
        if (c) *(struct ksa *)c = sigs[a];
        if (b) {
            sigs[a] = *(struct ksa *)b;
            if (a == SIGPIPE && sigs[a].handler <= 1) signal(SIGPIPE, sigs[a].handler ? SIG_IGN : SIG_DFL);
        }
        r = 0; break;
    case SYS_rt_sigprocmask: if (c) memset((void *)c, 0, 8); r = 0; break;
    case SYS_sigaltstack: if (b) { memset((void *)b, 0, sizeof(stack_t)); ((stack_t *)b)->ss_flags = SS_DISABLE; } r = 0; break;
    case SYS_tkill: r = raw(SYS_kill, getpid(), b, 0, 0, 0, 0); break;
    case SYS_tgkill: r = raw(SYS_kill, getpid(), c, 0, 0, 0, 0); break;
    case SYS_sched_getaffinity: case SYS_sched_setaffinity: r = raw(n, 0, b, c, d, e, f); break;
    case SYS_futex:                 /* after a wait another thread may run: r is then its own rax */
        r = sys_futex(a, (int)b, (u32)c, d, e, (u32)f); break;
    case SYS_sched_yield: if (nthreads > 1) { reschedule(0); return 1; } r = raw(n, 0, 0, 0, 0, 0, 0); break;
    case SYS_nanosleep: case SYS_clock_nanosleep: {
        if (nthreads == 1) { r = raw(n, a, b, c, d, e, f); break; }
        struct timespec t = *(struct timespec *)(n == SYS_nanosleep ? a : c);
        if (n == SYS_clock_nanosleep && b & TIMER_ABSTIME) {
            struct timespec x; clock_gettime(a, &x); t = ts_sub(t, x);
        }
        cur->state = SLEEP; cur->timed = 1; cur->due = ts_add(now_mono(), t);
        reschedule(0); return 1;
    }
    case SYS_clone:
        if (a & CLONE_THREAD) r = new_thread(a, b, e, c, d);
        else r = guest_fork(a, b, d);
        break;
    case SYS_clone3: {
        u64 *q = (u64 *)a;          /* flags pidfd child_tid parent_tid exit_signal stack stack_size tls */
        if (q[0] & CLONE_THREAD) r = new_thread(q[0], q[5] + q[6], q[7], q[3], q[2]);
        else r = -ENOSYS;           /* glibc then uses clone */
        break;
    }
    case SYS_fork: case SYS_vfork: r = guest_fork(0, 0, 0); break;
    case SYS_execve: {              /* the program itself again: emulated too; any other: for real */
        char p[4096];
        if (!strcmp((char *)a, "/proc/self/exe") || (realpath((char *)a, p) && !strcmp(p, guest_exe))) {
            char **old = (char **)b; int k = 0; while (old[k]) k++;
            char **av = calloc(k + 3, sizeof *av);
            av[0] = "emu512"; av[1] = guest_exe;
            for (int i = 1; i < k; i++) av[i + 1] = old[i];
            r = raw(n, (u64)"/proc/self/exe", (u64)av, c, 0, 0, 0);
            free(av);
        } else r = raw(n, a, b, c, 0, 0, 0);
        break;
    }
    case SYS_exit: thread_exit(a); return 1;
    case SYS_exit_group: stats(); fflush(NULL); _exit((int)a);
    case SYS_readlink:
        if (!strcmp((char *)a, "/proc/self/exe")) { size_t l = strlen(guest_exe); if (l > c) l = c; memcpy((void *)b, guest_exe, l); r = l; break; }
        r = raw(n, a, b, c, d, e, f); break;
    case SYS_readlinkat:
        if (!strcmp((char *)b, "/proc/self/exe")) { size_t l = strlen(guest_exe); if (l > d) l = d; memcpy((void *)c, guest_exe, l); r = l; break; }
        r = raw(n, a, b, c, d, e, f); break;
    default: r = raw(n, a, b, c, d, e, f);
    }
    setreg(RAX, r);
    return 0;
}

/* ---- loading ---- */
struct image { u64 entry, base, end, phdr; int phnum; char interp[256]; };
static struct image load(const char *path, u64 want) {
    struct image im = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) die("%s: %s", path, strerror(errno));
    Elf64_Ehdr h;
    if (pread(fd, &h, sizeof h, 0) != sizeof h || memcmp(h.e_ident, "\177ELF\2", 5) || h.e_machine != EM_X86_64) die("%s: not an x86-64 ELF file", path);
    Elf64_Phdr ph[64];
    if (h.e_phnum > 64 || pread(fd, ph, h.e_phnum * sizeof *ph, h.e_phoff) < 0) die("%s: program headers", path);
    im.base = h.e_type == ET_DYN ? want : 0;
    for (int i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr *p = ph + i;
        if (p->p_type == PT_INTERP && p->p_filesz < sizeof im.interp) (void)!pread(fd, im.interp, p->p_filesz, p->p_offset);
        if (p->p_type == PT_PHDR) im.phdr = im.base + p->p_vaddr;
        if (p->p_type != PT_LOAD) continue;
        u64 at = im.base + p->p_vaddr, lo = at & ~4095ull, hi = (at + p->p_memsz + 4095) & ~4095ull;
        if (hi > TOP || lo < 0x20000) die("%s: segment at %#lx is out of range", path, (long)at);
        if (mmap((void *)lo, hi - lo, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)lo) die("%s: cannot map %#lx: %s", path, (long)lo, strerror(errno));
        if (pread(fd, (void *)at, p->p_filesz, p->p_offset) != (ssize_t)p->p_filesz) die("%s: short read", path);
        if (!(p->p_flags & PF_W)) mprotect((void *)lo, hi - lo, PROT_READ);
        if (p->p_offset <= h.e_phoff && h.e_phoff < p->p_offset + p->p_filesz && !im.phdr) im.phdr = at + h.e_phoff - p->p_offset;
        if (hi > im.end) im.end = hi;
    }
    close(fd);
    im.entry = im.base + h.e_entry; im.phnum = h.e_phnum;
    return im;
}

int main(int argc, char **argv, char **envp) {
    if (argc < 2) { fprintf(stderr, "usage: emu512 PROGRAM [ARGS...]\n"); return 125; }
    if (getenv("LD_BIND_NOW")) {     /* the Python names in the shared object must stay unbound */
        unsetenv("LD_BIND_NOW");
        execv("/proc/self/exe", argv);
    }
    dbg = getenv("EMU512_TRACE") != NULL;
    if (getenv("EMU512_QUANTUM")) budget = quantum = atoi(getenv("EMU512_QUANTUM"));
    const char *so = getenv("EMU512_SO");
    char near[4200];
    if (!so) {                       /* bochscpu.so beside this program */
        ssize_t n = readlink("/proc/self/exe", near, 4096);
        while (n > 0 && near[n - 1] != '/') n--;
        strcpy(near + n, "bochscpu.so");
        so = near;
    }
    void *l = dlopen(so, RTLD_LAZY | RTLD_LOCAL);
    if (!l) die("%s", dlerror());
#define X(r, n, a) if (!(p_##n = (r(*) a)dlsym(l, #n))) die("%s: no %s", so, #n);
    CPU_API(X)
#undef X
    p_flush = (void (*)(void))dlsym(l, "_Z12flushICachesv");
    const char *model = getenv("EMU512_CPU");
    int at = -1;
    if (model) {                     /* by place in Bochs' list: names are lost in the bindings */
        static const struct { const char *name; int at; } m[] = {{"haswell", 22}, {"skylake_x", 24}, {"icelake", 26}, {"tigerlake", 27}, {"sapphire_rapids", 28}};
        if (*model >= 48 && *model < 58) { at = atoi(model); }
        void *(*get)(const char *) = (void *(*)(const char *))dlsym(l, "sim_get_param_enum");
        void (*set)(void *, long) = (void (*)(void *, long))dlsym(l, "_ZN15bx_param_enum_c3setEl");

        for (size_t i = 0; i < sizeof m / sizeof *m; i++) if (!strcmp(model, m[i].name)) at = m[i].at;
        if (!get || !set || at < 0) die("no CPU model %s", model);
        set(get("cpu.model"), at);
    }
    pid = getpid();
    guest_path = argv[1];
    if (!realpath(guest_path, guest_exe)) die("%s: %s", guest_path, strerror(errno));

    /* system pages */
    if (mmap((void *)SYS, 0x4000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)SYS) die("cannot map %#x", SYS);
    PML4[0] = (u64)PDPT | 0x27;
    for (u64 i = 0; i < 512; i++) PDPT[i] = i << 30 | 0xe7;
    GDT[1] = 0x00af9b000000ffff; GDT[2] = 0x00cf93000000ffff;                    /* 08 10: kernel */
    GDT[3] = 0x00cffb000000ffff; GDT[4] = 0x00cff3000000ffff; GDT[5] = 0x00affb000000ffff; /* 18 20 28: user */
    memcpy((void *)KCODE, "\xf4\x48\x0f\x07\x90\x90\x90\x90\x48\xcf", 10);       /* hlt; sysretq; ..; iretq */
    memcpy((void *)UCODE, "\x48\x0f\xae\x27\xb8\x00\x12\x05\x00\x0f\x05", 11);   /* xsave64 (%rdi); mov $MAGIC_SAVED, %eax; syscall */
    memcpy((void *)(UCODE + 64), "\x48\x0f\xae\x2f\xb8\x01\x12\x05\x00\x0f\x05", 11); /* xrstor64 (%rdi); mov $MAGIC_LOADED, %eax; syscall */

    /* program, interpreter, heap, stack */
    struct image im = load(guest_exe, PIE_BASE), ld = {0};
    if (im.interp[0]) ld = load(im.interp, LD_BASE);
    brk_lo = brk_now = brk_map = ((im.end + 0xfffff) & ~0xfffffull) + (im.base ? 0 : 0x1000000);
    u64 sp = STACK_TOP;
    if (mmap((void *)(STACK_TOP - STACK_SIZE), STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) == MAP_FAILED) die("no stack");
#define PUSH(src, n) (sp -= (n), memcpy((void *)sp, (src), (n)), sp)
    int ne = 0, na = argc - 1;
    for (char **q = envp; *q; q++) ne++;
    u64 *av = calloc(na + ne + 3, 8); int k = 0;
    u64 execfn = PUSH(guest_exe, strlen(guest_exe) + 1);
    for (int i = 0; i < na; i++) av[k++] = PUSH(argv[i + 1], strlen(argv[i + 1]) + 1);
    k++;
    int ke = 0;
    for (int i = 0; i < ne; i++) if (strncmp(envp[i], "EMU512_", 7)) { av[k++] = PUSH(envp[i], strlen(envp[i]) + 1); ke++; }
    /* no lazy binding: it would use XSAVEC, which this BochsCPU gets wrong (it leaves MXCSR out) */
    if (im.interp[0]) { av[k++] = PUSH("LD_BIND_NOW=1", 14); ke++; }
    sp &= ~15ull;
    u64 rnd[2]; (void)!getentropy(rnd, 16);
    u64 at_random = PUSH(rnd, 16), plat = PUSH("x86_64\0\0\0\0\0\0\0\0\0", 16);
    u64 aux[] = {AT_PHDR, im.phdr, AT_PHENT, 56, AT_PHNUM, im.phnum, AT_PAGESZ, 4096, AT_BASE, ld.base, AT_FLAGS, 0,
                 AT_ENTRY, im.entry, AT_UID, getuid(), AT_EUID, geteuid(), AT_GID, getgid(), AT_EGID, getegid(), AT_SECURE, 0,
                 AT_RANDOM, at_random, AT_EXECFN, execfn, AT_PLATFORM, plat, AT_CLKTCK, 100, AT_HWCAP, 0x178bfbff, AT_HWCAP2, 2,
                 AT_MINSIGSTKSZ, 3632, AT_NULL, 0};
    size_t words = 1 + na + 1 + ke + 1;
    if ((words * 8 + sizeof aux) & 15) sp -= 8;
    sp -= sizeof aux; memcpy((void *)sp, aux, sizeof aux);
    sp -= words * 8;
    u64 *w = (u64 *)sp; *w++ = na;
    memcpy(w, av, (words - 1) * 8);
    free(av);

    /* the CPU: long mode, ring 0, about to sysretq to the entry point */
    p_cpu_new(0);
    p_cpu_set_cr3(0, (u64)PML4);
    p_cpu_set_cr4(0, 1 << 5 | 1 << 9 | 1 << 10 | 1 << 16 | 1 << 18); /* PAE OSFXSR OSXMMEXCPT FSGSBASE OSXSAVE */
    p_cpu_set_efer(0, 1 << 0 | 1 << 8 | 1 << 10 | 1 << 11);          /* SCE LME LMA NXE */
    p_cpu_set_cr0(0, 0x80010033);                                    /* PG WP NE ET MP PE */
    p_cpu_set_xcr0(0, 0xe7);
    p_cpu_set_mxcsr(0, 0x1f80);
    p_cpu_set_gdtr(0, (u64)GDT, 0x2f);
    p_cpu_set_seg(0, 1, 1, 0x08, 0, 0xffffffff, 0xa09b);
    for (int s = 0; s < 6; s++) if (s != 1) p_cpu_set_seg(0, s, 1, 0x10, 0, 0xffffffff, 0xc093);
    p_cpu_set_star(0, (u64)0x18 << 48 | (u64)0x08 << 32);
    p_cpu_set_lstar(0, KCODE);
    p_cpu_set_fmask(0, 0x40700);
    p_cpu_set_eflags(0, 2);
    p_cpu_set_mode(0);
    for (int i = 0; i < 16; i++) setreg(i, 0);
    setreg(RSP, sp); setreg(RCX, im.interp[0] ? ld.entry : im.entry); setreg(R11, 0x202);
    p_cpu_set_pc(0, KCODE + 1);

    cur = all = calloc(1, sizeof *cur);
    cur->tid = next_tid = pid;
    cur->xsave = (void *)guest_mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    struct sigaction sa = {0};
    sa.sa_sigaction = on_segv; sa.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &sa, NULL); sigaction(SIGBUS, &sa, NULL);

    for (;;) {
        switch (cpu_go()) {
        case W_SYSCALL: do_syscall(); break;
        case W_FAULT: guest_fault(); break;
        case W_PREEMPT: {
            struct thread *me = cur;
            u64 pc = p_cpu_get_pc(0);
            if (pc < SYS + 0x4000) break;                /* in a stub */
            struct thread *t = pick();
            if (t == me) break;
            save_regs(me);
            me->rip = pc; me->rflags = p_cpu_get_eflags(0); me->in_syscall = 0;
            switch_to(t, me, 0);
            break;
        }
        default: break;
        }
    }
}
