package dev.millrace.expression;

/// The operators of [Arithmetic].
public enum ArithmeticOperator {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    /// Exact: integers give float64.
    DIVIDE("/"),
    /// Truncates towards zero.
    INT_DIVIDE("div"),
    MODULO("%");

    private final String symbol;

    ArithmeticOperator(String symbol) {
        this.symbol = symbol;
    }

    /// The symbol in plans.
    public String symbol() {
        return symbol;
    }
}
