/* System calls that do not simply go to the host's kernel, and ends that are not exits. */
#include "emu512.h"

#include <asm/prctl.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Signals: handlers are remembered and never called ---- */

struct action {
    u64 handler, flags, restorer, mask;
};

static u64 sigaction_call(u64 signal_number, const struct action *new, struct action *old) {
    static struct action actions[65];
    if (signal_number < 1 || signal_number > 64) return -EINVAL;
    struct action *action = &actions[signal_number];
    if (old) *old = *action;
    if (new) {
        *action = *new;
        int is_default = new->handler == (u64)SIG_DFL, is_ignored = new->handler == (u64)SIG_IGN;
        if (signal_number == SIGPIPE && (is_default || is_ignored))
            signal(SIGPIPE, is_ignored ? SIG_IGN : SIG_DFL);
    }
    return 0;
}

static u64 sigaltstack_call(stack_t *old) {
    if (old) {
        memset(old, 0, sizeof *old);
        old->ss_flags = SS_DISABLE;
    }
    return 0;
}

/* ---- Processes ---- */

static u64 fork_call(u64 flags, u64 stack, u64 child_tid) {
    fflush(stderr);
    int child = fork();
    if (child < 0) return -errno;
    if (child) return child;
    threads_forked();
    if (flags & CLONE_CHILD_SETTID) *(int *)child_tid = current->tid;
    if (flags & CLONE_CHILD_CLEARTID) current->clear_tid = child_tid;
    if (stack) set(RSP, stack);
    return 0;
}

static u64 clone3_call(const u64 *arguments) {
    enum { FLAGS, PIDFD, CHILD_TID, PARENT_TID, EXIT_SIGNAL, STACK, STACK_SIZE_, TLS };
    u64 flags = arguments[FLAGS];
    if (!(flags & CLONE_THREAD)) return -ENOSYS; /* glibc then uses clone */
    u64 stack = arguments[STACK] + arguments[STACK_SIZE_];
    return thread_new(flags, stack, arguments[TLS], arguments[PARENT_TID], arguments[CHILD_TID]);
}

/* The program itself goes on being emulated; any other runs on the host's CPU. */
static u64 execve_call(const char *path, char **argv, char **envp) {
    char real[4096];
    int itself = !strcmp(path, "/proc/self/exe") ||
                 (realpath(path, real) && !strcmp(real, program_path));
    if (!itself) return host_call(SYS_execve, (u64)path, (u64)argv, (u64)envp, 0, 0, 0);
    size_t count = 0;
    while (argv[count]) count++;
    char **emulated = calloc(count + 3, sizeof *emulated);
    if (!emulated) return -ENOMEM;
    emulated[0] = "emu512";
    emulated[1] = program_path;
    for (size_t i = 1; i < count; i++) emulated[i + 1] = argv[i];
    u64 result =
        host_call(SYS_execve, (u64) "/proc/self/exe", (u64)emulated, (u64)envp, 0, 0, 0);
    free(emulated);
    return result;
}

/* ---- Others ---- */

static u64 arch_prctl_call(u64 code, u64 address) {
    switch (code) {
    case ARCH_SET_FS: set_fs(address); return 0;
    case ARCH_GET_FS: *(u64 *)address = get_fs(); return 0;
    default: return -EINVAL;
    }
}

static u64 program_link(char *buffer, u64 size) {
    u64 length = strlen(program_path);
    if (length > size) length = size;
    memcpy(buffer, program_path, length);
    return length;
}

/* How long a sleep until or for `time` lasts. */
static struct timespec sleep_length(u64 clock, u64 flags, struct timespec time) {
    if (!(flags & TIMER_ABSTIME)) return time;
    struct timespec start;
    clock_gettime((clockid_t)clock, &start);
    return time_difference(time, start);
}

/* Does the system call that the guest's registers describe. */
void system_call(void) {
    u64 number = get(RAX), a = get(RDI), b = get(RSI), c = get(RDX), d = get(R10), e = get(R8),
        f = get(R9), result;
    if (tracing)
        fprintf(stderr, "[%d] system call %lu(%#lx, %#lx, %#lx, %#lx)\n", current->tid, number, a,
                b, c, d);
    switch (number) {
    case SYS_mmap:
        result = guest_mmap(a, b, c, d, e, f);
        if (c & PROT_EXEC) cpu_flush_code();
        break;
    case SYS_mprotect:
        result = host_call(number, a, b, c, 0, 0, 0);
        if (c & PROT_EXEC) cpu_flush_code();
        break;
    case SYS_mremap: result = guest_mremap(a, b, c, d, e); break;
    case SYS_brk: result = guest_brk(a); break;
    case SYS_arch_prctl: result = arch_prctl_call(a, b); break;

    case SYS_set_tid_address:
        current->clear_tid = a;
        result = current->tid;
        break;
    case SYS_gettid: result = current->tid; break;
    case SYS_set_robust_list: result = 0; break;
    case SYS_rseq: result = -ENOSYS; break;
    case SYS_sched_getaffinity:
    case SYS_sched_setaffinity: result = host_call(number, 0, b, c, 0, 0, 0); break;
    case SYS_clone:
        result = a & CLONE_THREAD ? thread_new(a, b, e, c, d) : fork_call(a, b, d);
        break;
    case SYS_clone3: result = clone3_call((u64 *)a); break;
    case SYS_fork:
    case SYS_vfork: result = fork_call(0, 0, 0); break;
    case SYS_execve: result = execve_call((char *)a, (char **)b, (char **)c); break;
    case SYS_exit: thread_exit(a); return;
    case SYS_exit_group: fflush(NULL); _exit((int)a);

    case SYS_futex: result = guest_futex(a, (int)b, (u32)c, d, e, (u32)f); break;
    case SYS_sched_yield: thread_yield(0); return;
    case SYS_nanosleep: thread_sleep(*(struct timespec *)a); return;
    case SYS_clock_nanosleep: thread_sleep(sleep_length(a, b, *(struct timespec *)c)); return;

    case SYS_rt_sigaction:
        result = sigaction_call(a, (struct action *)b, (struct action *)c);
        break;
    case SYS_rt_sigprocmask:
        if (c) memset((void *)c, 0, 8);
        result = 0;
        break;
    case SYS_sigaltstack: result = sigaltstack_call((stack_t *)b); break;
    case SYS_tkill: result = host_call(SYS_kill, getpid(), b, 0, 0, 0, 0); break;
    case SYS_tgkill: result = host_call(SYS_kill, getpid(), c, 0, 0, 0, 0); break;

    case SYS_readlink:
        result = strcmp((char *)a, "/proc/self/exe") ? (u64)host_call(number, a, b, c, 0, 0, 0)
                                                     : program_link((char *)b, c);
        break;
    case SYS_readlinkat:
        result = strcmp((char *)b, "/proc/self/exe") ? (u64)host_call(number, a, b, c, d, 0, 0)
                                                     : program_link((char *)c, d);
        break;
    default: result = host_call(number, a, b, c, d, e, f);
    }
    set(RAX, result);
}

/* ---- Ends ---- */

static void end_by(int signal_number) {
    signal(signal_number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    fflush(stderr);
    kill(getpid(), signal_number);
    _exit(128 + signal_number);
}

void guest_exception(void) {
    static const struct {
        const char *name;
        int signal_number;
    } exceptions[] = {
        [0] = {"divide error", SIGFPE},          [1] = {"debug", SIGTRAP},
        [3] = {"breakpoint", SIGTRAP},           [6] = {"illegal instruction", SIGILL},
        [13] = {"general protection", SIGSEGV},  [14] = {"page fault", SIGSEGV},
        [16] = {"x87 floating point", SIGFPE},   [17] = {"alignment check", SIGBUS},
        [19] = {"SIMD floating point", SIGFPE},
    };
    size_t known = sizeof exceptions / sizeof *exceptions;
    unsigned vector = exception_vector;
    int named = vector < known && exceptions[vector].name;
    u64 rip = p_cpu_get_pc(0);
    fprintf(stderr, "emu512: exception %u (%s), code %#x, near %#lx, bytes", vector,
            named ? exceptions[vector].name : "?", exception_code, rip);
    /* The instruction pointer may already be behind the instruction. */
    if (rip >= LOWEST && rip < TOP) {
        for (int i = -16; i < 16; i++)
            fprintf(stderr, "%s%02x", i ? " " : " | ", ((uint8_t *)rip)[i]);
    }
    fputc('\n', stderr);
    end_by(named ? exceptions[vector].signal_number : SIGSEGV);
}

static void on_host_fault(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    char text[200];
    int length =
        snprintf(text, sizeof text, "emu512: signal %d at address %p, near %#lx, thread %d\n",
                 signal_number, info->si_addr, p_cpu_get_pc(0), current ? current->tid : 0);
    if (write(STDERR_FILENO, text, length) < 0) _exit(128 + signal_number);
    end_by(signal_number);
}

/* Memory that the guest must not touch is memory that the emulator cannot touch. */
void catch_host_faults(void) {
    struct sigaction action = {0};
    action.sa_sigaction = on_host_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}
