package dev.millrace.expression;

/// Functions of the bits of integers; see [BitMethods] for their meaning.
public enum BitFunction implements Function {
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    BIT_NOT,
    BIT_COUNT,
    SHIFT_LEFT,
    SHIFT_RIGHT
}
