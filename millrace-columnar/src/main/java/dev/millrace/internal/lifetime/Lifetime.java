package dev.millrace.internal.lifetime;

import dev.millrace.error.MillraceException;

/// How long an object passed to a user's function may be used. Ended by the code that passed it, on the same thread.
public final class Lifetime {
    private final String what;
    private volatile boolean ended;

    /// A life that has begun.
    ///
    /// @param what e.g. "mapBatches(resize)": named in the error
    public Lifetime(String what) {
        this.what = what;
    }

    /// From now on [#check] throws.
    public void end() {
        ended = true;
    }

    /// Throws, with what it is that has ended, if it has.
    public void check() {
        if (ended) {
            throw MillraceException.user("A batch or column of " + what + " was used after the function returned."
                    + " Its memory is reused by then: copy what you keep longer (toArray, value, or batch.copy()).");
        }
    }
}
