package dev.millrace.internal.python;

/// A Python process that makes shared memory and gets orders. Thread-safe.
interface WorkerLink {
    long pid();

    /// Orders to a process that has ended are dropped: its end is told to whoever receives.
    void send(WorkerFrame.Order order, int call, long a, long b);
}
