package dev.millrace.expression;

/// Functions of strings; see [TextMethods] for their meaning.
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
    REGEX_REPLACE_FIRST,
    SPLIT,
    CONCAT,
    LPAD,
    RPAD,
    REPEAT,
    INITCAP,
    MD5,
    JSON_EXTRACT,
    JSON_TEXT,
    TO_BINARY
}
