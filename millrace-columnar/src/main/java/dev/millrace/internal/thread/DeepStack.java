package dev.millrace.internal.thread;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Stack space for recursive walks over plans, expressions and queries: programs build chains of thousands of verbs,
/// and generated queries have as many operators. Threads of users have stacks of one megabyte or less.
public final class DeepStack {
    /// The stack size of our threads that bind and evaluate expressions, and pass blocks through chains of steps:
    /// enough for about 10,000 levels. Unused stack memory is not committed.
    public static final long THREAD_BYTES = 16L << 20;

    private static final long BYTES = 256L << 20;
    private static final int MAX_CAUSES = 20;

    private DeepStack() {}

    /// The result of work without side effects: run here, and again on a deeper stack if this one overflows.
    ///
    /// @throws MillraceException culprit USER, if the deeper stack overflows too
    public static <T> T call(Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException | StackOverflowError e) {
            if (!isOverflow(e)) {
                throw e;
            }
            if (Thread.currentThread() instanceof DeepThread<?>) {
                throw e;
            }
        }
        return onOwnThread(work);
    }

    /// The result of work that is known to recurse deeply, and cannot be started twice.
    ///
    /// @throws MillraceException culprit USER, if even the deep stack overflows
    public static <T> T onOwnThread(Supplier<T> work) {
        if (Thread.currentThread() instanceof DeepThread<?>) {
            return work.get();
        }
        DeepThread<T> thread = new DeepThread<>(work);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return thread.outcome();
    }

    /// Whether it is a stack overflow, possibly wrapped.
    private static boolean isOverflow(Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < MAX_CAUSES; cause = cause.getCause(), depth++) {
            if (cause instanceof StackOverflowError) {
                return true;
            }
        }
        return false;
    }

    private static final class DeepThread<T> extends Thread {
        private final Supplier<T> work;
        private @Nullable T result;
        private @Nullable Throwable thrown;

        DeepThread(Supplier<T> work) {
            super(null, null, "millrace-deep", BYTES, true);
            this.work = work;
            setContextClassLoader(Thread.currentThread().getContextClassLoader());
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                result = work.get();
            } catch (Throwable e) {
                thrown = e;
            }
        }

        /// The result, after the thread has ended.
        T outcome() {
            return switch (thrown) {
                case null -> Objects.requireNonNull(result, "work has a result");
                case StackOverflowError e ->
                    throw new MillraceException(
                            Culprit.USER,
                            "A plan, an expression or a query is nested too deeply: verbs, operators or subqueries, some"
                                    + " hundred thousand one on top of the other. Materialise datasets in between, and"
                                    + " write long lists of values with isIn (IN in SQL).",
                            e);
                case MillraceException e -> throw CallerStack.of(e);
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(thrown);
            };
        }
    }
}
