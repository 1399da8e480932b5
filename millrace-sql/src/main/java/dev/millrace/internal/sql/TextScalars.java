package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.concat;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.internal.sql.ScalarFunctions.BIGINT;
import static dev.millrace.internal.sql.ScalarFunctions.BOOLEAN;
import static dev.millrace.internal.sql.ScalarFunctions.TEXT;
import static dev.millrace.internal.sql.ScalarFunctions.add;
import static dev.millrace.internal.sql.ScalarFunctions.addTyped;
import static dev.millrace.internal.sql.ScalarFunctions.constant;
import static dev.millrace.internal.sql.ScalarFunctions.operands;
import static dev.millrace.internal.sql.ScalarFunctions.text;
import static dev.millrace.internal.sql.ScalarFunctions.whole;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/// Functions of texts, regular expressions and JSON.
final class TextScalars {
    private static final SqlTypeFamily CHARACTER = SqlTypeFamily.CHARACTER;
    private static final SqlTypeFamily INTEGER = SqlTypeFamily.INTEGER;
    private static final SqlOperandTypeChecker TEXT_1 = operands(1, CHARACTER);
    private static final SqlOperandTypeChecker TEXT_2 = operands(2, CHARACTER, CHARACTER);
    private static final SqlOperandTypeChecker TEXT_1_OR_2 = operands(1, CHARACTER, CHARACTER);
    private static final SqlOperandTypeChecker TEXT_2_OR_3 = operands(2, CHARACTER, CHARACTER, CHARACTER);
    private static final SqlOperandTypeChecker TEXT_NUMBER = operands(2, CHARACTER, INTEGER);
    private static final SqlOperandTypeChecker PADDING = operands(3, CHARACTER, INTEGER, CHARACTER);

    /// What DuckDB trims where it is not told: spaces of all widths, but no tabs and ends of lines.
    static final String BLANKS =
            " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" + "\u202f\u205f\u3000";

    private TextScalars() {}

    static void addAll() {
        add("starts_with", BOOLEAN, TEXT_2, a -> a.get(0).startsWith(a.get(1)));
        add("ends_with", BOOLEAN, TEXT_2, a -> a.get(0).endsWith(a.get(1)));
        add("contains", BOOLEAN, TEXT_2, a -> a.get(0).contains(a.get(1)));
        add("length", BIGINT, TEXT_1, a -> a.get(0).length().cast(DataType.INT64));
        add("strlen", BIGINT, TEXT_1, a -> a.get(0).byteLength().cast(DataType.INT64));
        add("strpos", BIGINT, TEXT_2, TextScalars::position);
        add("instr", BIGINT, TEXT_2, TextScalars::position);
        add("reverse", TEXT, TEXT_1, a -> a.get(0).reverse());
        add("trim", TEXT, TEXT_1_OR_2, a -> a.get(0).trim(characters(a)));
        add("ltrim", TEXT, TEXT_1_OR_2, a -> a.get(0).ltrim(characters(a)));
        add("rtrim", TEXT, TEXT_1_OR_2, a -> a.get(0).rtrim(characters(a)));
        add("lpad", TEXT, PADDING, a -> a.get(0).lpad((int) whole("lpad", a, 1), text("lpad", a, 2)));
        add("rpad", TEXT, PADDING, a -> a.get(0).rpad((int) whole("rpad", a, 1), text("rpad", a, 2)));
        add("left", TEXT, TEXT_NUMBER, TextScalars::left);
        add("right", TEXT, TEXT_NUMBER, TextScalars::right);
        add("repeat", TEXT, TEXT_NUMBER, a -> a.get(0).repeat(a.get(1)));
        add("initcap", TEXT, TEXT_1, a -> a.get(0).initcap());
        add(
                "md5",
                TEXT,
                OperandTypes.or(TEXT_1, operands(1, SqlTypeFamily.BINARY)),
                a -> a.get(0).md5());
        addTyped("concat", ReturnTypes.VARCHAR, OperandTypes.ONE_OR_MORE, TextScalars::concatenated);
        addTyped("concat_ws", TEXT, OperandTypes.ONE_OR_MORE, TextScalars::joined);
        add("split_part", TEXT, operands(3, CHARACTER, CHARACTER, INTEGER), TextScalars::part);
        addExpressions();
        addJson();
    }

    private static void addExpressions() {
        add("regexp_matches", BOOLEAN, TEXT_2_OR_3, a -> matches("regexp_matches", a));
        add("regexp_like", BOOLEAN, TEXT_2_OR_3, a -> matches("regexp_like", a));
        add(
                "regexp_full_match",
                BOOLEAN,
                TEXT_2_OR_3,
                a -> a.get(0).regexMatches("\\A(?:" + pattern("regexp_full_match", a, 2) + ")\\z"));
        add("regexp_replace", TEXT, operands(3, CHARACTER, CHARACTER, CHARACTER, CHARACTER), TextScalars::replaced);
        add("regexp_extract", TEXT, operands(2, CHARACTER, CHARACTER, INTEGER, CHARACTER), TextScalars::extracted);
    }

    private static void addJson() {
        SqlOperandTypeChecker json = OperandTypes.or(TEXT_2, TEXT_NUMBER);
        var nullable = ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.FORCE_NULLABLE);
        add("json_extract", nullable, json, a -> a.get(0).jsonExtract(path("json_extract", a)));
        add("json_extract_string", nullable, json, a -> a.get(0).jsonText(path("json_extract_string", a)));
    }

    private static Expression position(List<Expression> a) {
        return a.get(0).indexOf(a.get(1)).cast(DataType.INT64).plus(1);
    }

    private static Object characters(List<Expression> a) {
        return a.size() == 1 ? BLANKS : a.get(1);
    }

    /// The first characters; of a negative number all but so many of the last.
    private static Expression left(List<Expression> a) {
        long count = whole("left", a, 1);
        return count >= 0
                ? a.get(0).substring(0, (int) Math.min(count, Integer.MAX_VALUE))
                : a.get(0).substring(0, a.get(0).length().plus(count));
    }

    private static Expression right(List<Expression> a) {
        long count = whole("right", a, 1);
        return count >= 0
                ? a.get(0).substring(a.get(0).length().minus(count))
                : a.get(0).substring((int) Math.min(-count, Integer.MAX_VALUE));
    }

    private static Expression concatenated(List<Expression> a, List<RelDataType> types) {
        List<Expression> texts = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            texts.add(coalesce(SqlCasts.text(a.get(i), types.get(i)), ""));
        }
        return concat(texts.toArray());
    }

    /// The texts that are not null with a separator between them.
    private static Expression joined(List<Expression> a, List<RelDataType> types) {
        if (a.get(0) instanceof Literal literal && literal.value() == null) {
            return new Literal(null, DataType.UTF8);
        }
        List<Expression> texts = new ArrayList<>();
        for (int i = 1; i < a.size(); i++) {
            texts.add(SqlCasts.text(a.get(i), types.get(i)));
        }
        return list(texts.toArray()).join(text("concat_ws", a, 0));
    }

    private static Expression part(List<Expression> a) {
        long number = whole("split_part", a, 2);
        if (number == 0) {
            throw MillraceException.user(
                    "split_part: parts count from 1, or from -1 from the end; there is no part 0.");
        }
        Expression parts = a.get(0).split(text("split_part", a, 1));
        Expression part = coalesce(parts.get(number > 0 ? number - 1 : number), "");
        return when(a.get(0).isNull()).then(new Literal(null, DataType.UTF8)).otherwise(part);
    }

    private static Expression matches(String function, List<Expression> a) {
        return a.get(0).regexMatches(pattern(function, a, 2));
    }

    /// The pattern that is argument 1, with the options that may be an argument as flags in front of it.
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

    /// The first match, or with the option `g` all; `\1` is a group.
    private static Expression replaced(List<Expression> a) {
        String replacement = text("regexp_replace", a, 2).replace("$", "\\$").replaceAll("\\\\([0-9])", "\\$$1");
        String pattern = pattern("regexp_replace", a, 3);
        boolean all = a.size() > 3 && text("regexp_replace", a, 3).contains("g");
        return all ? a.get(0).regexReplace(pattern, replacement) : a.get(0).regexReplaceFirst(pattern, replacement);
    }

    /// A group of the first match, the empty text where there is none.
    private static Expression extracted(List<Expression> a) {
        String pattern = pattern("regexp_extract", a, 3);
        int group = a.size() > 2 ? (int) whole("regexp_extract", a, 2) : 0;
        Expression found;
        try {
            boolean there = group <= Pattern.compile(pattern).matcher("").groupCount();
            found = there ? coalesce(a.get(0).regexExtract(pattern, group), "") : Literal.of("");
        } catch (PatternSyntaxException e) {
            // The expression says what is wrong.
            found = a.get(0).regexExtract(pattern, 0);
        }
        return when(a.get(0).isNotNull()).then(found).orNull();
    }

    /// A number is a position in an array.
    private static String path(String function, List<Expression> a) {
        Object path = constant(function, a, 1);
        return path instanceof Number number ? "$[" + number + "]" : path.toString();
    }
}
