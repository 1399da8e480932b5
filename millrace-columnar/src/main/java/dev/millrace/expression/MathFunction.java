package dev.millrace.expression;

/// Functions of numbers; see [MathMethods] for their meaning.
public enum MathFunction implements Function {
    NEGATE,
    ABS,
    SIGN,
    SQRT,
    EXP,
    LOG,
    LOG2,
    LOG10,
    POW,
    FLOOR,
    CEIL,
    ROUND,
    ROUND_HALF_EVEN,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    ATAN2,
    LEAST,
    GREATEST,
    IS_NAN
}
