package dev.millrace.function;

import dev.millrace.internal.cost.CallCosts;

/// What a function may say while it is called: counters of its own, which appear in `stats()`, on the dashboard and
/// among the metrics.
///
/// ```java
/// mapBatches(batch -> {
///     FunctionContext context = FunctionContext.current();
///     context.count("tokens", tokens);
///     return batch;
/// })
/// ```
public final class FunctionContext {
    private static final FunctionContext CURRENT = new FunctionContext();

    private FunctionContext() {}

    /// The context of the call that this thread is in. There is one outside of calls too, so that a function can be
    /// tested alone; what it counts there is lost, as it is in threads that a function starts itself.
    public static FunctionContext current() {
        return CURRENT;
    }

    /// Adds to a counter of the operator that calls the function. Counts of a task appear when it has ended; those of
    /// an attempt that failed and is made again do not count. A call costs nanoseconds.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, if the name is one of Millrace's own counters
    public void count(String name, long amount) {
        CallCosts.count(name, amount);
    }
}
