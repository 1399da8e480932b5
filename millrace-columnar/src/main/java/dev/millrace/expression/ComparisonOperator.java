package dev.millrace.expression;

/// The operators of [Comparison].
public enum ComparisonOperator {
    EQUAL("="),
    NOT_EQUAL("!="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    /// Null equals null; never null itself.
    EQUAL_NULL_SAFE("<=>");

    private final String symbol;

    ComparisonOperator(String symbol) {
        this.symbol = symbol;
    }

    /// As plans show it.
    public String symbol() {
        return symbol;
    }

    /// The operator with its operands exchanged: `a < b` is `b > a`.
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
