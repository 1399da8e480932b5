package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import org.jspecify.annotations.Nullable;

/// Functions of strings: positions and lengths count code points, case conversion uses `Locale.ROOT`. `contains` is in
/// [NestedMethods], for strings and lists.
sealed interface TextMethods permits Expression {

    /// Converts to lower case by Unicode's language-independent rules.
    default Expression lower() {
        return Call.of(TextFunction.LOWER, (Expression) this);
    }

    /// Converts to upper case by Unicode's language-independent rules.
    default Expression upper() {
        return Call.of(TextFunction.UPPER, (Expression) this);
    }

    /// Removes white space at both ends.
    default Expression trim() {
        return Call.of(TextFunction.TRIM, (Expression) this);
    }

    /// Removes the code points in `characters` at both ends.
    default Expression trim(@Nullable Object characters) {
        return Call.of(TextFunction.TRIM, (Expression) this, characters);
    }

    /// Removes white space at the beginning.
    default Expression ltrim() {
        return Call.of(TextFunction.LTRIM, (Expression) this);
    }

    /// Removes these characters at the beginning.
    default Expression ltrim(@Nullable Object characters) {
        return Call.of(TextFunction.LTRIM, (Expression) this, characters);
    }

    /// Removes white space at the end.
    default Expression rtrim() {
        return Call.of(TextFunction.RTRIM, (Expression) this);
    }

    /// Removes these characters at the end.
    default Expression rtrim(@Nullable Object characters) {
        return Call.of(TextFunction.RTRIM, (Expression) this, characters);
    }

    /// Reverses the code points.
    default Expression reverse() {
        return Call.of(TextFunction.REVERSE, (Expression) this);
    }

    /// The number of code points, as int32; for a binary the number of bytes.
    default Expression length() {
        return Call.of(TextFunction.LENGTH, (Expression) this);
    }

    /// The number of UTF-8 bytes, as int32.
    default Expression byteLength() {
        return Call.of(TextFunction.BYTE_LENGTH, (Expression) this);
    }

    /// The text from code point `begin` (0-based) to the end; empty if the text is shorter.
    default Expression substring(@Nullable Object begin) {
        return Call.of(TextFunction.SUBSTRING, (Expression) this, begin);
    }

    /// The text from code point `begin` to `end` (exclusive), both clamped to the length of the text.
    default Expression substring(@Nullable Object begin, @Nullable Object end) {
        return Call.of(TextFunction.SUBSTRING, (Expression) this, begin, end);
    }

    /// Whether the text begins with `prefix`.
    default Expression startsWith(@Nullable Object prefix) {
        return Call.of(TextFunction.STARTS_WITH, (Expression) this, prefix);
    }

    /// Whether the text ends with `suffix`.
    default Expression endsWith(@Nullable Object suffix) {
        return Call.of(TextFunction.ENDS_WITH, (Expression) this, suffix);
    }

    /// The 0-based position of the first occurrence of `part` in code points, or -1.
    default Expression indexOf(@Nullable Object part) {
        return Call.of(TextFunction.INDEX_OF, (Expression) this, part);
    }

    /// Replaces every occurrence of `part`; an empty `part` replaces nothing.
    default Expression replace(@Nullable Object part, @Nullable Object replacement) {
        return Call.of(TextFunction.REPLACE, (Expression) this, part, replacement);
    }

    /// Whether the whole text matches an SQL pattern: `%` is any text, `_` any one code point.
    default Expression like(String pattern) {
        return Call.of(TextFunction.LIKE, (Expression) this, pattern);
    }

    /// The same with an escape character, which makes a following `%`, `_` or itself literal: `like("100$%", '$')`.
    default Expression like(String pattern, char escape) {
        return Call.of(TextFunction.LIKE, (Expression) this, pattern, String.valueOf(escape));
    }

    /// Whether the regular expression (`java.util.regex`) matches any part of the text.
    default Expression regexMatches(String pattern) {
        return Call.of(TextFunction.REGEX_MATCHES, (Expression) this, pattern);
    }

    /// A group of the first match (0: the whole match), or null if nothing matches.
    default Expression regexExtract(String pattern, int group) {
        return Call.of(TextFunction.REGEX_EXTRACT, (Expression) this, pattern, group);
    }

    /// Replaces every match; `$1` is a group, as in `Matcher.replaceAll`.
    default Expression regexReplace(String pattern, String replacement) {
        return Call.of(TextFunction.REGEX_REPLACE, (Expression) this, pattern, replacement);
    }

    /// Replaces the first match; `$1` is a group, as in `Matcher.replaceFirst`.
    default Expression regexReplaceFirst(String pattern, String replacement) {
        return Call.of(TextFunction.REGEX_REPLACE_FIRST, (Expression) this, pattern, replacement);
    }

    /// Splits at every `separator` (a literal text) into a list, including empty parts.
    default Expression split(String separator) {
        return Call.of(TextFunction.SPLIT, (Expression) this, separator);
    }

    /// Concatenates both texts; null if one of them is null.
    default Expression concat(@Nullable Object other) {
        return Call.of(TextFunction.CONCAT, (Expression) this, other);
    }

    /// Pads on the left to `length` code points with `fill`; a longer text is truncated to its first `length`.
    default Expression lpad(int length, String fill) {
        return Call.of(TextFunction.LPAD, (Expression) this, length, fill);
    }

    /// Pads on the right to `length` code points with `fill`; a longer text is truncated.
    default Expression rpad(int length, String fill) {
        return Call.of(TextFunction.RPAD, (Expression) this, length, fill);
    }

    /// Repeats the text this many times; empty for 0 and fewer.
    default Expression repeat(@Nullable Object times) {
        return Call.of(TextFunction.REPEAT, (Expression) this, times);
    }

    /// Converts the first letter of each word to upper case and the others to lower case; a word consists of letters
    /// and digits.
    default Expression initcap() {
        return Call.of(TextFunction.INITCAP, (Expression) this);
    }

    /// Converts the first character to title case and the others to lower case. Here and in [#title] and [#swapCase],
    /// one character becomes one character.
    default Expression capitalize() {
        return Call.of(TextFunction.CAPITALIZE, (Expression) this);
    }

    /// Converts the first letter after each character without a case to title case, and the others to lower case:
    /// "they're" becomes "They'Re". [#initcap] counts digits as parts of words.
    default Expression title() {
        return Call.of(TextFunction.TITLE, (Expression) this);
    }

    /// Converts upper case to lower case and lower case to upper case.
    default Expression swapCase() {
        return Call.of(TextFunction.SWAP_CASE, (Expression) this);
    }

    /// Pads on both sides to `width` code points with one character, as Python's `center`; a longer text is unchanged.
    default Expression center(int width, String fill) {
        return Call.of(TextFunction.CENTER, (Expression) this, width, fill);
    }

    /// Replaces each code point that is in `from` by the one at the same position in `to`, and removes it if `to` is
    /// shorter.
    default Expression translate(String from, String to) {
        return Call.of(TextFunction.TRANSLATE, (Expression) this, from, to);
    }

    /// Unicode's normal form of this name: `NFC`, `NFD`, `NFKC` or `NFKD`.
    default Expression normalize(String form) {
        return Call.of(TextFunction.NORMALIZE, (Expression) this, form);
    }

    /// The first code point, as int32; -1 for an empty text.
    default Expression codePoint() {
        return Call.of(TextFunction.CODE_POINT, (Expression) this);
    }

    /// The number of occurrences of `part` that do not overlap, as int32; an empty part occurs before each code point
    /// and at the end.
    default Expression countMatches(String part) {
        return Call.of(TextFunction.COUNT_MATCHES, (Expression) this, part);
    }

    /// The text with the code points from `begin` to `end` (exclusive) replaced, both clamped to its length.
    default Expression replaceSlice(int begin, int end, @Nullable Object replacement) {
        if (begin < 0 || end < begin) {
            throw MillraceException.user("replaceSlice(" + begin + ", " + end
                    + ", ...): a slice begins at 0 or later and does not end before it begins.");
        }
        Expression text = (Expression) this;
        return Expressions.concat(text.substring(0, begin), replacement, text.substring(end));
    }

    /// The part at `index` (0-based; -1 is the last) of [#split]; empty if there is none.
    default Expression splitPart(String separator, int index) {
        return Call.of(TextFunction.SPLIT_PART, (Expression) this, separator, index);
    }

    /// The parts between runs of white space, none of them empty.
    default Expression splitWhitespace() {
        return Call.of(TextFunction.SPLIT_WHITESPACE, (Expression) this);
    }

    /// Splits at every match of a regular expression into a list, including empty parts; a pattern that matches the
    /// empty text splits after each code point.
    default Expression regexSplit(String pattern) {
        return Call.of(TextFunction.REGEX_SPLIT, (Expression) this, pattern);
    }

    /// A group (0: the whole match) of every match, as a list; null elements where the group took no part in a match.
    default Expression regexExtractAll(String pattern, int group) {
        return Call.of(TextFunction.REGEX_EXTRACT_ALL, (Expression) this, pattern, group);
    }

    /// The number of matches, as int32.
    default Expression regexCount(String pattern) {
        return Call.of(TextFunction.REGEX_COUNT, (Expression) this, pattern);
    }

    /// The 0-based position of the first match in code points, or -1.
    default Expression regexIndexOf(String pattern) {
        return Call.of(TextFunction.REGEX_INDEX_OF, (Expression) this, pattern);
    }

    /// The parts of a URL as a struct of `scheme`, `user`, `password`, `host`, `port` (int32), `path`, `query` and
    /// `fragment`, by the grammar of RFC 3986; a missing part is null, except the path, which is then empty. Scheme and
    /// host are in lower case; escapes such as `%20` stay. An address of IPv6
    /// is without its brackets. A port that is no number up to 65535 is null.
    default Expression parseUrl() {
        return Call.of(TextFunction.PARSE_URL, (Expression) this);
    }

    /// The part of a JSON text at a path, as JSON without blanks, or null if there is none. The path is `$.key[0]`
    /// (keys with other characters in double quotes, `[-1]` the last element), `/key/0`, or just the key of an object.
    /// A text that is not JSON is an error.
    default Expression jsonExtract(String path) {
        return Call.of(TextFunction.JSON_EXTRACT, (Expression) this, path);
    }

    /// Like [#jsonExtract], but a string is returned without quotes, and JSON's null as null.
    default Expression jsonText(String path) {
        return Call.of(TextFunction.JSON_TEXT, (Expression) this, path);
    }

    /// The UTF-8 bytes.
    default Expression toBinary() {
        return Call.of(TextFunction.TO_BINARY, (Expression) this);
    }
}
