package dev.millrace.internal.cost;

/// What the current call of a user's function has cost inside libraries: reported by them, recorded by the code that
/// made the call.
public final class CallCosts {
    /// Of the call that this thread is in; null outside of calls.
    private static final ThreadLocal<Meter> CURRENT = new ThreadLocal<>();

    private CallCosts() {}

    /// Notes the costs of one call.
    public interface Meter {
        /// @param load made something that can be kept, else prepared data
        void note(boolean load, String what, long nanos);

        /// A counter of the function's own.
        void count(String name, long amount);
    }

    public static void enter(Meter meter) {
        CURRENT.set(meter);
    }

    public static void leave() {
        CURRENT.set(null);
    }

    /// Without effect outside of calls.
    public static void count(String name, long amount) {
        Meter meter = CURRENT.get();
        if (meter != null) {
            meter.count(name, amount);
        }
    }

    /// Without effect outside of calls.
    public static void note(boolean load, String what, long nanos) {
        Meter meter = CURRENT.get();
        if (meter != null) {
            meter.note(load, what, nanos);
        }
    }
}
