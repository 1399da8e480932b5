package dev.millrace.expression;

/// Tests of the characters of a text; see [CharacterMethods] for their meaning.
public enum CharacterFunction implements Function {
    IS_ALPHA,
    IS_ALPHANUMERIC,
    IS_DECIMAL,
    IS_DIGIT,
    IS_NUMERIC,
    IS_SPACE,
    IS_ASCII,
    IS_PRINTABLE,
    IS_LOWER,
    IS_UPPER,
    IS_TITLE
}
