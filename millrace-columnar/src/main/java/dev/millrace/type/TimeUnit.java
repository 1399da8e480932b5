package dev.millrace.type;

/// The resolution of a time, timestamp or duration, as in Arrow.
public enum TimeUnit {
    SECOND(1L, "s"),
    MILLISECOND(1_000L, "ms"),
    MICROSECOND(1_000_000L, "us"),
    NANOSECOND(1_000_000_000L, "ns");

    private final long perSecond;
    private final String symbol;

    TimeUnit(long perSecond, String symbol) {
        this.perSecond = perSecond;
        this.symbol = symbol;
    }

    /// The number of units per second.
    public long perSecond() {
        return perSecond;
    }

    /// The symbol in types: s, ms, us, ns.
    public String symbol() {
        return symbol;
    }
}
