package dev.millrace.expression;

/// The operators of [Comparison].
public enum ComparisonOperator {
    EQUAL("="),
    NOT_EQUAL("!="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    /// Null-safe equality: null equals null; the result is never null.
    EQUAL_NULL_SAFE("<=>");

    private final String symbol;

    ComparisonOperator(String symbol) {
        this.symbol = symbol;
    }

    /// The symbol in plans.
    public String symbol() {
        return symbol;
    }

    /// The operator with its operands swapped: `a < b` is `b > a`.
    public ComparisonOperator flipped() {
        return switch (this) {
            case EQUAL, NOT_EQUAL, EQUAL_NULL_SAFE -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }
}
