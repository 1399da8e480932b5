package dev.millrace.expression;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.concat;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.expression.NamedFunctions.MANY;
import static dev.millrace.expression.NamedFunctions.add;
import static dev.millrace.expression.NamedFunctions.constant;
import static dev.millrace.expression.NamedFunctions.text;
import static dev.millrace.expression.NamedFunctions.whole;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Functions of texts, regular expressions and JSON, with the same results as in DuckDB.
final class NamedTexts {
    /// The characters that DuckDB trims by default: spaces of all widths, but no tabs and line breaks.
    private static final String BLANKS =
            " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" + "\u202f\u205f\u3000";

    private NamedTexts() {}

    static void addAll() {
        add("upper", 1, a -> a.get(0).upper());
        add("lower", 1, a -> a.get(0).lower());
        add("starts_with", 2, a -> a.get(0).startsWith(a.get(1)));
        add("ends_with", 2, a -> a.get(0).endsWith(a.get(1)));
        add("contains", 2, a -> a.get(0).contains(a.get(1)));
        add("length", 1, a -> a.get(0).length().cast(DataType.INT64));
        add("char_length", 1, a -> a.get(0).length());
        add("character_length", 1, a -> a.get(0).length());
        add("strlen", 1, a -> a.get(0).byteLength().cast(DataType.INT64));
        add("strpos", 2, NamedTexts::position);
        add("instr", 2, NamedTexts::position);
        add("reverse", 1, a -> a.get(0).reverse());
        add("trim", 1, 2, a -> a.get(0).trim(characters(a)));
        add("ltrim", 1, 2, a -> a.get(0).ltrim(characters(a)));
        add("rtrim", 1, 2, a -> a.get(0).rtrim(characters(a)));
        add("lpad", 3, a -> a.get(0).lpad(whole("lpad", a, 1), text("lpad", a, 2)));
        add("rpad", 3, a -> a.get(0).rpad(whole("rpad", a, 1), text("rpad", a, 2)));
        add("left", 2, NamedTexts::left);
        add("right", 2, NamedTexts::right);
        add("substring", 2, 3, NamedTexts::substring);
        add("substr", 2, 3, NamedTexts::substring);
        add("replace", 3, a -> a.get(0).replace(a.get(1), a.get(2)));
        add("repeat", 2, a -> a.get(0).repeat(a.get(1)));
        add("initcap", 1, a -> a.get(0).initcap());
        add("md5", 1, a -> a.get(0).md5());
        add("concat", 1, MANY, NamedTexts::concatenated);
        add("concat_ws", 1, MANY, NamedTexts::joined);
        add("split_part", 3, NamedTexts::part);
        add("translate", 3, a -> a.get(0).translate(text("translate", a, 1), text("translate", a, 2)));
        add("unicode", 1, a -> a.get(0).codePoint());
        add("ord", 1, a -> a.get(0).codePoint());
        add("ascii", 1, a -> when(a.get(0).eq("")).then(0).otherwise(a.get(0).codePoint()));
        add("nfc_normalize", 1, a -> a.get(0).normalize("NFC"));
        addPatterns();
        addSimilarities();
    }

    private static void addPatterns() {
        add("like", 2, 3, a -> like(a, false));
        add("ilike", 2, 3, a -> like(a, true));
        add("regexp_matches", 2, 3, a -> a.get(0).regexMatches(pattern("regexp_matches", a, 2)));
        add("regexp_like", 2, 3, a -> a.get(0).regexMatches(pattern("regexp_like", a, 2)));
        add(
                "regexp_full_match",
                2,
                3,
                a -> a.get(0).regexMatches("\\A(?:" + pattern("regexp_full_match", a, 2) + ")\\z"));
        add("regexp_replace", 3, 4, NamedTexts::replaced);
        add("regexp_extract", 2, 4, NamedTexts::extracted);
        add("regexp_extract_all", 2, 4, NamedTexts::allExtracted);
        for (String name : List.of("string_split_regex", "regexp_split_to_array", "str_split_regex")) {
            add(name, 2, 3, a -> a.get(0).regexSplit(pattern(name, a, 2)));
        }
        for (String name : List.of("string_split", "str_split", "string_to_array")) {
            add(name, 2, a -> a.get(0).split(text(name, a, 1)));
        }
        add("json_extract", 2, a -> a.get(0).jsonExtract(path("json_extract", a)));
        add("json_extract_string", 2, a -> a.get(0).jsonText(path("json_extract_string", a)));
    }

    private static void addSimilarities() {
        for (String name : List.of("levenshtein", "editdist3")) {
            add(name, 2, a -> a.get(0).levenshteinDistance(a.get(1)).cast(DataType.INT64));
        }
        add(
                "damerau_levenshtein",
                2,
                a -> a.get(0).damerauLevenshteinDistance(a.get(1)).cast(DataType.INT64));
        for (String name : List.of("hamming", "mismatches")) {
            add(name, 2, a -> a.get(0).hammingDistance(a.get(1)).cast(DataType.INT64));
        }
        add("jaro_similarity", 2, a -> a.get(0).jaroSimilarity(a.get(1)));
        add("jaro_winkler_similarity", 2, a -> a.get(0).jaroWinklerSimilarity(a.get(1)));
        add("jaccard", 2, a -> a.get(0).jaccardSimilarity(a.get(1)));
    }

    private static Expression allExtracted(List<Expression> a) {
        int group = a.size() > 2 ? whole("regexp_extract_all", a, 2) : 0;
        return a.get(0).regexExtractAll(pattern("regexp_extract_all", a, 3), group);
    }

    /// @param a the text, the pattern, and the escape character
    private static Expression like(List<Expression> a, boolean ignoreCase) {
        String pattern = pattern("LIKE", a.get(1));
        Expression text = ignoreCase ? a.getFirst().lower() : a.getFirst();
        String wanted = ignoreCase ? pattern.toLowerCase(Locale.ROOT) : pattern;
        if (a.size() < 3) {
            return text.like(wanted);
        }
        String escape = pattern("ESCAPE", a.get(2));
        if (escape.length() != 1) {
            throw MillraceException.user("ESCAPE takes one character, not '" + escape + "'.");
        }
        return text.like(wanted, escape.charAt(0));
    }

    private static String pattern(String what, Expression expression) {
        if (expression instanceof Literal literal && literal.value() instanceof String text) {
            return text;
        }
        throw MillraceException.user(what + " needs a text that is a constant, not " + expression + ".");
    }

    private static Expression position(List<Expression> a) {
        return a.get(0).indexOf(a.get(1)).cast(DataType.INT64).plus(1);
    }

    private static Object characters(List<Expression> a) {
        return a.size() == 1 ? BLANKS : a.get(1);
    }

    /// The first characters; for a negative number all but that many of the last.
    private static Expression left(List<Expression> a) {
        int count = whole("left", a, 1);
        return count >= 0
                ? a.get(0).substring(0, count)
                : a.get(0).substring(0, a.get(0).length().plus((long) count));
    }

    private static Expression right(List<Expression> a) {
        int count = whole("right", a, 1);
        return count >= 0
                ? a.get(0).substring(a.get(0).length().minus((long) count))
                : a.get(0).substring((int) Math.min(-(long) count, Integer.MAX_VALUE));
    }

    /// Positions count from 1, negative ones from the end; the length includes positions before the first character.
    private static Expression substring(List<Expression> a) {
        Expression position = a.get(1).cast(DataType.INT64);
        boolean plain = a.get(1) instanceof Literal literal
                && literal.value() instanceof Number number
                && number.longValue() >= 0;
        Expression begin = plain
                ? position.minus(1)
                : when(position.lt(0))
                        .then(a.getFirst().length().plus(position))
                        .otherwise(position.minus(1));
        if (a.size() == 2) {
            return a.getFirst().substring(begin);
        }
        return a.getFirst().substring(begin, begin.plus(a.get(2)));
    }

    /// Null counts as an empty text.
    private static Expression concatenated(List<Expression> a) {
        return concat(a.stream().map(text -> coalesce(text, "")).toArray());
    }

    /// Joins the non-null texts with a separator.
    private static Expression joined(List<Expression> a) {
        if (a.get(0) instanceof Literal literal && literal.value() == null) {
            return new Literal(null, DataType.UTF8);
        }
        return list(a.subList(1, a.size()).toArray()).join(text("concat_ws", a, 0));
    }

    private static Expression part(List<Expression> a) {
        int number = whole("split_part", a, 2);
        if (number == 0) {
            throw MillraceException.user(
                    "split_part: parts count from 1, or from -1 from the end; there is no part 0.");
        }
        return a.get(0).splitPart(text("split_part", a, 1), number > 0 ? number - 1 : number);
    }

    /// The pattern in argument 1, preceded by the options argument as inline flags.
    private static String pattern(String function, List<Expression> a, int options) {
        String pattern = text(function, a, 1);
        StringBuilder flags = new StringBuilder();
        for (char option : (a.size() > options ? text(function, a, options) : "").toCharArray()) {
            switch (option) {
                case 'i' -> flags.append("iu");
                case 's' -> flags.append('s');
                case 'l' -> pattern = Pattern.quote(pattern);
                case 'c', 'g', 'm', 'n', 'p' -> {}
                default ->
                    throw MillraceException.user(function + ": there is no option '" + option
                            + "'. Use i (any case), c (case counts), s (a dot is a line's end too), l (no pattern but a"
                            + " text) or, in regexp_replace, g (all matches).");
            }
        }
        return flags.isEmpty() ? pattern : "(?" + flags + ")" + pattern;
    }

    /// Replaces the first match, or all with the option `g`; `\1` is a group.
    private static Expression replaced(List<Expression> a) {
        String replacement = text("regexp_replace", a, 2).replace("$", "\\$").replaceAll("\\\\([0-9])", "\\$$1");
        String pattern = pattern("regexp_replace", a, 3);
        boolean all = a.size() > 3 && text("regexp_replace", a, 3).contains("g");
        return all ? a.get(0).regexReplace(pattern, replacement) : a.get(0).regexReplaceFirst(pattern, replacement);
    }

    /// A group of the first match; empty if there is none.
    private static Expression extracted(List<Expression> a) {
        String pattern = pattern("regexp_extract", a, 3);
        int group = a.size() > 2 ? whole("regexp_extract", a, 2) : 0;
        Expression found;
        try {
            boolean there = group <= Pattern.compile(pattern).matcher("").groupCount();
            found = there ? coalesce(a.get(0).regexExtract(pattern, group), "") : Literal.of("");
        } catch (PatternSyntaxException e) {
            // The expression reports the error.
            found = a.get(0).regexExtract(pattern, 0);
        }
        return when(a.get(0).isNotNull()).then(found).orNull();
    }

    /// A number is an array index.
    private static String path(String function, List<Expression> a) {
        Object path = constant(function, a, 1);
        return path instanceof Number number ? "$[" + number + "]" : path.toString();
    }
}
