/* Green threads: one runs until it waits, ends, or has run for long. */
#include "emu512.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct thread *current;

/* In the order of their start; it is never empty. */
static struct thread *threads;
static int count = 1, last_tid;

/* ---- Time ---- */

static struct timespec now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

static int is_before(struct timespec a, struct timespec b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static struct timespec time_sum(struct timespec a, struct timespec b) {
    a.tv_sec += b.tv_sec;
    a.tv_nsec += b.tv_nsec;
    if (a.tv_nsec >= 1000000000) {
        a.tv_nsec -= 1000000000;
        a.tv_sec++;
    }
    return a;
}

/* a - b, or 0 where that is negative. */
struct timespec time_difference(struct timespec a, struct timespec b) {
    struct timespec zero = {0};
    if (is_before(a, b)) return zero;
    a.tv_sec -= b.tv_sec;
    a.tv_nsec -= b.tv_nsec;
    if (a.tv_nsec < 0) {
        a.tv_nsec += 1000000000;
        a.tv_sec--;
    }
    return a;
}

/* ---- Switching ---- */

/* Makes those ready whose time has come; of the others, the first in time, if any is timed. */
static struct thread *wake_due(struct timespec time) {
    struct thread *first = NULL;
    for (struct thread *thread = threads; thread; thread = thread->next) {
        if ((thread->state != WAITING && thread->state != SLEEPING) || !thread->timed) continue;
        if (!is_before(time, thread->due)) {
            thread->registers[RAX] = thread->state == WAITING ? (u64)-ETIMEDOUT : 0;
            thread->state = READY;
        } else if (!first || is_before(thread->due, first->due)) {
            first = thread;
        }
    }
    return first;
}

/* The next ready thread after the current one; sleeps until there is one. */
static struct thread *next_ready(void) {
    for (;;) {
        struct timespec time = now();
        struct thread *first = wake_due(time);
        struct thread *thread = current;
        do {
            thread = thread->next ? thread->next : threads;
            if (thread->state == READY) return thread;
        } while (thread != current);
        if (!first) die("deadlock: every thread waits");
        struct timespec pause = time_difference(first->due, time);
        nanosleep(&pause, NULL);
    }
}

static void save_registers(struct thread *thread) {
    for (int reg = 0; reg < 16; reg++) thread->registers[reg] = get(reg);
    thread->fs = get_fs();
}

/* The current thread is in a system call. */
static void save_in_system_call(struct thread *thread) {
    save_registers(thread);
    thread->rip = get(RCX);
    thread->rflags = get(R11);
    thread->in_system_call = 1;
}

/* Runs the code at `address` in ring 3, which makes the system call `call`. */
static void run_stub(u64 address, struct thread *thread, u64 call) {
    set(RDI, (u64)thread->vectors);
    set(RAX, STATE_COMPONENTS);
    set(RDX, 0);
    set(RCX, address);
    set(R11, 0x202);
    p_cpu_set_pc(0, thread->in_system_call || call == CALL_LOADED ? KERNEL_SYSRET : address);
    if (cpu_run() != SYSTEM_CALL || get(RAX) != call) die("a context switch failed");
}

/* Puts `thread` on the CPU. `from`, whose registers are saved but for its vector registers, leaves
 * it; NULL if it has ended. */
static void switch_to(struct thread *thread, struct thread *from) {
    if (from) run_stub(USER_SAVE, from, CALL_SAVED);
    current = thread;
    run_stub(USER_LOAD, thread, CALL_LOADED);
    for (int reg = 0; reg < 16; reg++) {
        if (reg != RSP) set(reg, thread->registers[reg]);
    }
    set_fs(thread->fs);
    if (thread->in_system_call) {
        set(RSP, thread->registers[RSP]);
        set(RCX, thread->rip);
        set(R11, thread->rflags);
        p_cpu_set_pc(0, KERNEL_SYSRET);
    } else {
        u64 *frame = (u64 *)KERNEL_FRAME;
        frame[0] = thread->rip;
        frame[1] = 0x2b; /* code of ring 3 */
        frame[2] = thread->rflags;
        frame[3] = thread->registers[RSP];
        frame[4] = 0x23; /* data of ring 3 */
        set(RSP, KERNEL_FRAME);
        p_cpu_set_pc(0, KERNEL_IRET);
    }
}

void thread_yield(u64 result) {
    struct thread *me = current;
    save_in_system_call(me);
    me->registers[RAX] = result;
    struct thread *thread = next_ready();
    if (thread == me)
        set(RAX, me->registers[RAX]);
    else
        switch_to(thread, me);
}

void thread_sleep(struct timespec length) {
    current->state = SLEEPING;
    current->timed = 1;
    current->due = time_sum(now(), length);
    thread_yield(0);
}

void thread_preempt(void) {
    struct thread *me = current;
    u64 rip = p_cpu_get_pc(0);
    if (rip < SYSTEM + SYSTEM_SIZE) return; /* in code of ours: next time */
    struct thread *thread = next_ready();
    if (thread == me) return;
    save_registers(me);
    me->rip = rip;
    me->rflags = p_cpu_get_eflags(0);
    me->in_system_call = 0;
    switch_to(thread, me);
}

/* ---- Start and end ---- */

static void *new_vectors(void) {
    u64 protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    long area = guest_mmap(0, PAGE, protection, flags, -1, 0);
    if (area < 0) die("no memory for a thread");
    /* All components are in their first state, and so are the two control words. */
    ((uint16_t *)area)[0] = 0x37f;
    ((u32 *)area)[6] = 0x1f80;
    return (void *)area;
}

static struct thread *allocate(void) {
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread) die("no memory for a thread");
    thread->vectors = new_vectors();
    return thread;
}

void threads_start(void) {
    current = threads = allocate();
    current->tid = last_tid = getpid();
}

u64 thread_new(u64 flags, u64 stack, u64 tls, u64 parent_tid, u64 child_tid) {
    struct thread *thread = allocate();
    save_in_system_call(thread);
    thread->tid = ++last_tid;
    thread->registers[RAX] = 0;
    if (stack) thread->registers[RSP] = stack;
    if (flags & CLONE_SETTLS) thread->fs = tls;
    if (flags & CLONE_PARENT_SETTID) *(int *)parent_tid = thread->tid;
    if (flags & CLONE_CHILD_SETTID) *(int *)child_tid = thread->tid;
    if (flags & CLONE_CHILD_CLEARTID) thread->clear_tid = child_tid;
    struct thread **end = &threads;
    while (*end) end = &(*end)->next;
    *end = thread;
    count++;
    preemptive = 1;
    return thread->tid;
}

int thread_count(void) { return count; }

static int futex_wake(u32 *futex, int most, u32 mask) {
    int woken = 0;
    for (struct thread *thread = threads; thread && woken < most; thread = thread->next) {
        if (thread->state != WAITING || thread->futex != futex || !(thread->futex_mask & mask))
            continue;
        thread->state = READY;
        thread->registers[RAX] = 0;
        woken++;
    }
    return woken;
}

void thread_exit(u64 code) {
    struct thread *me = current;
    if (me->clear_tid) {
        u32 *tid = (u32 *)me->clear_tid;
        *tid = 0;
        futex_wake(tid, INT_MAX, FUTEX_BITSET_MATCH_ANY);
    }
    count--;
    if (!count) exit((int)code);
    me->state = DEAD;
    struct thread *thread = next_ready();
    struct thread **link = &threads;
    while (*link != me) link = &(*link)->next;
    *link = me->next;
    preemptive = count > 1;
    switch_to(thread, NULL);
    munmap(me->vectors, PAGE);
    free(me);
}

void threads_forked(void) {
    struct thread *next;
    for (struct thread *thread = threads; thread; thread = next) {
        next = thread->next;
        if (thread != current) free(thread);
    }
    threads = current;
    current->next = NULL;
    current->tid = last_tid = getpid();
    count = 1;
    preemptive = 0;
}

/* ---- Futexes ---- */

static u64 futex_wait(u32 *futex, u32 value, u32 mask, int operation, struct timespec *time) {
    if (__atomic_load_n(futex, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
    current->state = WAITING;
    current->futex = futex;
    current->futex_mask = mask;
    current->timed = time != NULL;
    if (time) {
        struct timespec due = *time;
        if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) {
            due = time_sum(now(), due);
        } else if (operation & FUTEX_CLOCK_REALTIME) {
            struct timespec real;
            clock_gettime(CLOCK_REALTIME, &real);
            due = time_sum(now(), time_difference(due, real));
        }
        current->due = due;
    }
    thread_yield(0);
    return get(RAX); /* of whichever thread runs now */
}

static u64 futex_requeue(u32 *futex, int wake, int move, u32 *to) {
    int woken = futex_wake(futex, wake, FUTEX_BITSET_MATCH_ANY), moved = 0;
    for (struct thread *thread = threads; thread && moved < move; thread = thread->next) {
        if (thread->state != WAITING || thread->futex != futex) continue;
        thread->futex = to;
        moved++;
    }
    return woken + moved;
}

/* `time` is a number, not a time, where waiting threads are moved to another futex. */
u64 guest_futex(u64 address, int operation, u32 value, u64 time, u64 address2, u32 value3) {
    u32 *futex = (u32 *)address, *other = (u32 *)address2;
    struct timespec *timeout = (struct timespec *)time;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return futex_wait(futex, value, FUTEX_BITSET_MATCH_ANY, operation, timeout);
    case FUTEX_WAIT_BITSET: return futex_wait(futex, value, value3, operation, timeout);
    case FUTEX_WAKE: return futex_wake(futex, value, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET: return futex_wake(futex, value, value3);
    case FUTEX_REQUEUE: return futex_requeue(futex, value, (int)time, other);
    case FUTEX_CMP_REQUEUE:
        return *futex == value3 ? futex_requeue(futex, value, (int)time, other) : (u64)-EAGAIN;
    default: return -ENOSYS;
    }
}
