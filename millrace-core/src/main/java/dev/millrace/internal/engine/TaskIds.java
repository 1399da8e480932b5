package dev.millrace.internal.engine;

import java.util.concurrent.atomic.AtomicLong;

/// Numbers of tasks and actors, unique within this process and so within every runtime's life.
public final class TaskIds {
    private static final AtomicLong LAST = new AtomicLong();

    private TaskIds() {}

    public static long next() {
        return LAST.incrementAndGet();
    }
}
