package dev.millrace.function;

import dev.millrace.internal.cost.CallCosts;

/// Where libraries tell what they spent inside a user's function, so that a run can say when it is spent in the wrong
/// place ([dev.millrace.stats.Hint]). Without effect outside the calls of a function: in an actor's factory, where such
/// things belong, in sources, and in threads that the function starts itself. A call costs nanoseconds.
public final class Costs {
    private Costs() {}

    /// Something expensive was made that can be kept: a model, a tokeniser, a connection.
    ///
    /// @param what as a hint should call it, e.g. "OnnxModel"
    /// @param nanos how long it took
    public static void loaded(String what, long nanos) {
        CallCosts.note(true, what, nanos);
    }

    /// Work was done that prepares data for something else, and could be done by other threads before.
    ///
    /// @param what as a hint should call it, e.g. "decoding images"
    /// @param nanos how long it took
    public static void prepared(String what, long nanos) {
        CallCosts.note(false, what, nanos);
    }
}
