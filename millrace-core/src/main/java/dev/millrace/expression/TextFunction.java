package dev.millrace.expression;

/// Functions of strings; see [TextMethods] for what they do.
public enum TextFunction implements Function {
    LOWER,
    UPPER,
    TRIM,
    LTRIM,
    RTRIM,
    REVERSE,
    LENGTH,
    BYTE_LENGTH,
    SUBSTRING,
    STARTS_WITH,
    ENDS_WITH,
    INDEX_OF,
    REPLACE,
    LIKE,
    REGEX_MATCHES,
    REGEX_EXTRACT,
    REGEX_REPLACE,
    SPLIT,
    CONCAT,
    LPAD,
    RPAD,
    TO_BINARY
}
