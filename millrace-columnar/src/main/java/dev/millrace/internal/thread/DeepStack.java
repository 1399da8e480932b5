package dev.millrace.internal.thread;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Room for walks over plans, expressions and queries, which call themselves once for each level: programs make chains
/// of thousands of verbs, and generated queries have as many operators. Threads of users have stacks of a megabyte or
/// less.
public final class DeepStack {
    /// For threads of ours that bind and compute expressions, and pass blocks through chains of steps: enough for about
    /// 10,000 levels. Memory that is not used is not taken from the system.
    public static final long THREAD_BYTES = 16L << 20;

    private static final long BYTES = 256L << 20;
    private static final int MAX_CAUSES = 20;

    private DeepStack() {}

    /// The result of work that changes nothing: done here, and again on a deeper stack where this one runs over.
    ///
    /// @throws MillraceException culprit USER, when that runs over too
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

    /// The result of work that is known to go deep, and cannot be begun twice.
    ///
    /// @throws MillraceException culprit USER, when even the deep stack runs over
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

    /// Also if it was wrapped.
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

        /// When it has ended.
        T outcome() {
            switch (thrown) {
                case null -> {
                    return Objects.requireNonNull(result, "work has a result");
                }
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
            }
        }
    }
}
