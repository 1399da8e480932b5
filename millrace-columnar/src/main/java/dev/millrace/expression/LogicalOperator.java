package dev.millrace.expression;

/// The operators of [Logical].
public enum LogicalOperator {
    AND("and"),
    OR("or");

    private final String symbol;

    LogicalOperator(String symbol) {
        this.symbol = symbol;
    }

    /// The symbol in plans.
    public String symbol() {
        return symbol;
    }
}
