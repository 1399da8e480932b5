package dev.millrace.function;

import dev.millrace.internal.cost.CallCosts;

/// Libraries report here what they spent inside a user's function, so that a run can hint at costs in the wrong place
/// ([dev.millrace.stats.Hint]). Without effect outside the calls of a function: in an actor's factory, where loading
/// belongs, in sources, and in threads that the function starts itself. A call costs nanoseconds.
public final class Costs {
    private Costs() {}

    /// Something expensive and reusable was created: a model, a tokeniser, a connection.
    ///
    /// @param what its name in a hint, e.g. "OnnxModel"
    /// @param nanos how long it took
    public static void loaded(String what, long nanos) {
        CallCosts.note(true, what, nanos);
    }

    /// Data was prepared in a way that other threads could have done before.
    ///
    /// @param what its name in a hint, e.g. "decoding images"
    /// @param nanos how long it took
    public static void prepared(String what, long nanos) {
        CallCosts.note(false, what, nanos);
    }
}
