package dev.millrace.internal.sql;

import static dev.millrace.internal.sql.ScalarFunctions.BIGINT;
import static dev.millrace.internal.sql.ScalarFunctions.BOOLEAN;
import static dev.millrace.internal.sql.ScalarFunctions.DOUBLE;
import static dev.millrace.internal.sql.ScalarFunctions.TEXT;
import static dev.millrace.internal.sql.ScalarFunctions.add;
import static dev.millrace.internal.sql.ScalarFunctions.addTyped;
import static dev.millrace.internal.sql.ScalarFunctions.operands;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import java.util.List;
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

    private TextScalars() {}

    static void addAll() {
        add("starts_with", BOOLEAN, TEXT_2);
        add("ends_with", BOOLEAN, TEXT_2);
        add("contains", BOOLEAN, TEXT_2);
        add("length", BIGINT, TEXT_1);
        add("strlen", BIGINT, TEXT_1);
        add("strpos", BIGINT, TEXT_2);
        add("instr", BIGINT, TEXT_2);
        add("reverse", TEXT, TEXT_1);
        add("trim", TEXT, TEXT_1_OR_2);
        add("ltrim", TEXT, TEXT_1_OR_2);
        add("rtrim", TEXT, TEXT_1_OR_2);
        add("lpad", TEXT, PADDING);
        add("rpad", TEXT, PADDING);
        add("left", TEXT, TEXT_NUMBER);
        add("right", TEXT, TEXT_NUMBER);
        add("repeat", TEXT, TEXT_NUMBER);
        add("initcap", TEXT, TEXT_1);
        add("md5", TEXT, OperandTypes.or(TEXT_1, operands(1, SqlTypeFamily.BINARY)));
        addTyped("concat", ReturnTypes.VARCHAR, OperandTypes.ONE_OR_MORE, (a, types) -> texts("concat", a, types, 0));
        addTyped("concat_ws", TEXT, OperandTypes.ONE_OR_MORE, (a, types) -> texts("concat_ws", a, types, 1));
        add("split_part", TEXT, operands(3, CHARACTER, CHARACTER, INTEGER));
        add("translate", TEXT, operands(3, CHARACTER, CHARACTER, CHARACTER));
        for (String name : List.of("unicode", "ord", "ascii")) {
            add(name, ReturnTypes.INTEGER_NULLABLE, TEXT_1);
        }
        add("nfc_normalize", TEXT, TEXT_1);
        for (String name : List.of("levenshtein", "editdist3", "damerau_levenshtein", "hamming", "mismatches")) {
            add(name, BIGINT, TEXT_2);
        }
        for (String name : List.of("jaro_similarity", "jaro_winkler_similarity", "jaccard")) {
            add(name, DOUBLE, TEXT_2);
        }
        addExpressions();
        addJson();
    }

    private static void addExpressions() {
        add("regexp_matches", BOOLEAN, TEXT_2_OR_3);
        add("regexp_like", BOOLEAN, TEXT_2_OR_3);
        add("regexp_full_match", BOOLEAN, TEXT_2_OR_3);
        add("regexp_replace", TEXT, operands(3, CHARACTER, CHARACTER, CHARACTER, CHARACTER));
        add("regexp_extract", TEXT, operands(2, CHARACTER, CHARACTER, INTEGER, CHARACTER));
    }

    private static void addJson() {
        SqlOperandTypeChecker json = OperandTypes.or(TEXT_2, TEXT_NUMBER);
        var nullable = ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.FORCE_NULLABLE);
        add("json_extract", nullable, json);
        add("json_extract_string", nullable, json);
    }

    /// A call whose arguments from position `first` on are cast to text.
    private static Expression texts(String function, List<Expression> a, List<RelDataType> types, int first) {
        Object[] arguments = a.toArray();
        for (int i = first; i < arguments.length; i++) {
            arguments[i] = SqlCasts.text(a.get(i), types.get(i));
        }
        return Expressions.call(function, arguments);
    }
}
