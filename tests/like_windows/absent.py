"""What Python lacks on Windows, as patterns of names (from the types of its standard library)."""

from __future__ import annotations

from fnmatch import fnmatchcase

MODULES = {
    *("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "spwd", "crypt", "nis"),
    *("syslog", "readline", "curses", "posix"),
}
NAMES = {
    "os": (
        "CLD_* EX_[!O]* EX_OS* F_LOCK F_T* F_ULOCK O_ACCMODE O_ASYNC O_CLOEXEC O_DIRECTORY "
        "O_DSYNC O_FSYNC O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW* O_NONBLOCK O_SYNC POSIX_* PRIO_* "
        "P_ALL P_P* RTLD_* RWF_* SCHED_* ST_* WC* WE* WI* WN* WS* WT* WU* XATTR_* chown chroot "
        "confstr* ctermid environb fchdir fchmod fchown fdatasync fork forkpty fpathconf fstatvfs "
        "fwalk get_blocking getegid getenvb geteuid getgid getgroup* getloadavg getpg* "
        "getpriority getres* getsid getuid *xattr* initgroups killpg lchown lockf major makedev "
        "minor mkfifo mknod nice openpty pathconf* pipe2 posix_* pread* pwrite* readv "
        "register_at_fork sched_* sendfile set_blocking set*id setgroups setpgrp setpriority "
        "spawn*p spawn*pe statvfs sync sysconf* tc*etpgrp ttyname uname wait wait[34] waitid* "
        "writev"
    ),
    "signal": (
        "ITIMER_* ItimerError SIGALRM SIGBUS SIGC[HLO]* SIGHUP SIGI[O]* SIGKILL SIGP* SIGQUIT "
        "SIGRT* SIGST* SIGSYS SIGT[RST]* SIGU* SIGVTALRM SIGWINCH SIGX* SIG_* Sigmasks alarm "
        "*itimer pause pthread_* siginterrupt sig*wait* sigpending struct_siginfo"
    ),
    "socket": (
        "AF_UNIX AF_ROUTE AF_KEY CMSG_* MSG_DONTWAIT MSG_NOSIGNAL SCM_* SO_PASSCRED SO_PEERCRED "
        "SO_REUSEPORT TCP_CORK recv_fds send_fds sethostname"
    ),
    "time": "tzset clock_get* clock_set* CLOCK_*",
    "select": "poll* POLL* epoll EPOLL* PIPE_BUF",
    "multiprocessing": "forkserver popen_f* resource_sharer",
}
KEPT = {"signal": {"SIG_DFL", "SIG_IGN"}}  # of those, there are these


def is_absent(module: str, name: str) -> bool:
    """Tell whether a module of the standard library lacks a name on Windows."""
    patterns = NAMES.get(module, "").split()
    return name not in KEPT.get(module, ()) and any(fnmatchcase(name, p) for p in patterns)
