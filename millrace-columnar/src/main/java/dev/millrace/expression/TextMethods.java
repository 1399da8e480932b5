package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of strings: positions and lengths count code points, case is that of `Locale.ROOT`. `contains` is in
/// [NestedMethods], for strings and lists.
sealed interface TextMethods permits Expression {

    /// In small letters, by Unicode's rules and no language's.
    default Expression lower() {
        return Call.of(TextFunction.LOWER, (Expression) this);
    }

    /// In capitals, by Unicode's rules and no language's.
    default Expression upper() {
        return Call.of(TextFunction.UPPER, (Expression) this);
    }

    /// Without the white space at both ends.
    default Expression trim() {
        return Call.of(TextFunction.TRIM, (Expression) this);
    }

    /// Without the code points at both ends that are in `characters`.
    default Expression trim(@Nullable Object characters) {
        return Call.of(TextFunction.TRIM, (Expression) this, characters);
    }

    /// Without white space at its beginning.
    default Expression ltrim() {
        return Call.of(TextFunction.LTRIM, (Expression) this);
    }

    /// Without these characters at its beginning.
    default Expression ltrim(@Nullable Object characters) {
        return Call.of(TextFunction.LTRIM, (Expression) this, characters);
    }

    /// Without white space at its end.
    default Expression rtrim() {
        return Call.of(TextFunction.RTRIM, (Expression) this);
    }

    /// Without these characters at its end.
    default Expression rtrim(@Nullable Object characters) {
        return Call.of(TextFunction.RTRIM, (Expression) this, characters);
    }

    /// By code points.
    default Expression reverse() {
        return Call.of(TextFunction.REVERSE, (Expression) this);
    }

    /// The number of code points, as int32; of a binary its bytes.
    default Expression length() {
        return Call.of(TextFunction.LENGTH, (Expression) this);
    }

    /// The bytes in UTF-8, as int32.
    default Expression byteLength() {
        return Call.of(TextFunction.BYTE_LENGTH, (Expression) this);
    }

    /// From code point `begin` (0-based) to the end; empty where the text is shorter.
    default Expression substring(@Nullable Object begin) {
        return Call.of(TextFunction.SUBSTRING, (Expression) this, begin);
    }

    /// From code point `begin` to before `end`, both cut to the text's length, as in `String.substring`.
    default Expression substring(@Nullable Object begin, @Nullable Object end) {
        return Call.of(TextFunction.SUBSTRING, (Expression) this, begin, end);
    }

    /// Whether it begins with a text.
    default Expression startsWith(@Nullable Object prefix) {
        return Call.of(TextFunction.STARTS_WITH, (Expression) this, prefix);
    }

    /// Whether it ends with a text.
    default Expression endsWith(@Nullable Object suffix) {
        return Call.of(TextFunction.ENDS_WITH, (Expression) this, suffix);
    }

    /// Where `part` first begins, in code points from 0, or -1.
    default Expression indexOf(@Nullable Object part) {
        return Call.of(TextFunction.INDEX_OF, (Expression) this, part);
    }

    /// Every occurrence of `part` replaced; an empty `part` replaces nothing.
    default Expression replace(@Nullable Object part, @Nullable Object replacement) {
        return Call.of(TextFunction.REPLACE, (Expression) this, part, replacement);
    }

    /// Whether the whole text has the form of a pattern as in SQL: `%` is any text, `_` any one code point.
    default Expression like(String pattern) {
        return Call.of(TextFunction.LIKE, (Expression) this, pattern);
    }

    /// The same with a character that makes a `%`, a `_` or itself plain: `like("100$%", '$')`.
    default Expression like(String pattern, char escape) {
        return Call.of(TextFunction.LIKE, (Expression) this, pattern, String.valueOf(escape));
    }

    /// Whether the regular expression (of `java.util.regex`) is found anywhere in the text.
    default Expression regexMatches(String pattern) {
        return Call.of(TextFunction.REGEX_MATCHES, (Expression) this, pattern);
    }

    /// The first match's group (0: the whole match), or null where nothing matches.
    default Expression regexExtract(String pattern, int group) {
        return Call.of(TextFunction.REGEX_EXTRACT, (Expression) this, pattern, group);
    }

    /// Every match replaced; `$1` is a group, as in `Matcher.replaceAll`.
    default Expression regexReplace(String pattern, String replacement) {
        return Call.of(TextFunction.REGEX_REPLACE, (Expression) this, pattern, replacement);
    }

    /// The first match replaced; `$1` is a group, as in `Matcher.replaceFirst`.
    default Expression regexReplaceFirst(String pattern, String replacement) {
        return Call.of(TextFunction.REGEX_REPLACE_FIRST, (Expression) this, pattern, replacement);
    }

    /// The parts between `separator`s (taken literally), empty ones included, as a list.
    default Expression split(String separator) {
        return Call.of(TextFunction.SPLIT, (Expression) this, separator);
    }

    /// The texts one after the other; null if one of them is null.
    default Expression concat(@Nullable Object other) {
        return Call.of(TextFunction.CONCAT, (Expression) this, other);
    }

    /// Filled on the left to `length` code points with `fill`; a longer text is cut to its first `length`.
    default Expression lpad(int length, String fill) {
        return Call.of(TextFunction.LPAD, (Expression) this, length, fill);
    }

    /// Filled on the right to `length` code points with `fill`; a longer text is cut.
    default Expression rpad(int length, String fill) {
        return Call.of(TextFunction.RPAD, (Expression) this, length, fill);
    }

    /// The text so many times one after the other; empty for 0 and fewer.
    default Expression repeat(@Nullable Object times) {
        return Call.of(TextFunction.REPEAT, (Expression) this, times);
    }

    /// The first letter of each word in upper case, the others in lower case; a word is of letters and digits.
    default Expression initcap() {
        return Call.of(TextFunction.INITCAP, (Expression) this);
    }

    /// The MD5 sum of the UTF-8 bytes (or of a binary), as 32 hexadecimal digits. To tell texts apart, not to keep
    /// secrets.
    default Expression md5() {
        return Call.of(TextFunction.MD5, (Expression) this);
    }

    /// The part of a JSON text at a path, as JSON without blanks, or null where there is none. The path is `$.key[0]`
    /// (keys with other characters in double quotes, `[-1]` the last element), `/key/0`, or the key of an object alone.
    /// A text that is no JSON is an error.
    default Expression jsonExtract(String path) {
        return Call.of(TextFunction.JSON_EXTRACT, (Expression) this, path);
    }

    /// The same, of a string its text without quotes, and null for JSON's null.
    default Expression jsonText(String path) {
        return Call.of(TextFunction.JSON_TEXT, (Expression) this, path);
    }

    /// The UTF-8 bytes.
    default Expression toBinary() {
        return Call.of(TextFunction.TO_BINARY, (Expression) this);
    }
}
