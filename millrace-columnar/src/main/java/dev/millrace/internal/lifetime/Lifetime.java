package dev.millrace.internal.lifetime;

import dev.millrace.error.MillraceException;

/// How long an object passed to a user's function may be used. Ended by the code that passed it.
public final class Lifetime {
    private final String what;
    private final String end;
    private volatile boolean ended;

    /// A lifetime that has begun, and ends when a function returns.
    ///
    /// @param what e.g. "mapBatches(resize)": named in the error
    public Lifetime(String what) {
        this(what, "the function returned");
    }

    /// A lifetime that has begun.
    ///
    /// @param end what ends it, after "after": "the function returned"
    public Lifetime(String what, String end) {
        this.what = what;
        this.end = end;
    }

    /// Ends the lifetime: from now on [#check] throws.
    public void end() {
        ended = true;
    }

    public boolean isEnded() {
        return ended;
    }

    /// Throws, naming what has ended, if the lifetime has ended.
    public void check() {
        if (ended) {
            throw MillraceException.user("A batch or column of " + what + " was used after " + end + "."
                    + " Its memory is reused by then: copy what you keep longer (toArray, value, or batch.copy()).");
        }
    }
}
