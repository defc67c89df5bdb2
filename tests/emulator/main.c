#include "emu512.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int tracing;

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("emu512: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(125);
}

long host_call(long number, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
    long result;
    register u64 r10 __asm__("r10") = d;
    register u64 r8 __asm__("r8") = e;
    register u64 r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

int main(int argc, char **argv, char **envp) {
    if (argc < 2) die("usage: emu512 PROGRAM [ARGS...]");
    if (getenv("LD_BIND_NOW")) {
        /* The shared object names functions of Python, which must stay unbound. */
        unsetenv("LD_BIND_NOW");
        execv("/proc/self/exe", argv);
    }
    tracing = getenv("EMU512_TRACE") != NULL;

    cpu_open();
    struct start start = program_load(argv + 1, envp);
    cpu_start(start.entry, start.stack);
    threads_start();
    catch_host_faults();
    for (;;) {
        switch (cpu_run()) {
        case SYSTEM_CALL: system_call(); break;
        case EXCEPTION: guest_exception(); break;
        case TIME_UP: thread_preempt(); break;
        case RUNNING: break;
        }
    }
}
