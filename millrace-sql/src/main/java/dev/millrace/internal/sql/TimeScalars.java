package dev.millrace.internal.sql;

import static dev.millrace.internal.sql.ScalarFunctions.BIGINT;
import static dev.millrace.internal.sql.ScalarFunctions.DOUBLE;
import static dev.millrace.internal.sql.ScalarFunctions.TEXT;
import static dev.millrace.internal.sql.ScalarFunctions.add;
import static dev.millrace.internal.sql.ScalarFunctions.operands;

import java.util.List;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;

/// Functions of dates and times.
final class TimeScalars {
    private static final SqlOperandTypeChecker TEXT_TIME = operands(2, SqlTypeFamily.CHARACTER, SqlTypeFamily.DATETIME);
    private static final SqlOperandTypeChecker TEXT_TIMES =
            operands(3, SqlTypeFamily.CHARACTER, SqlTypeFamily.DATETIME, SqlTypeFamily.DATETIME);
    /// The date parts that are also functions, `day(time)`; the standard has some of them.
    private static final List<String> PARTS = List.of(
            "year",
            "quarter",
            "month",
            "week",
            "weekofyear",
            "day",
            "dayofmonth",
            "dayofweek",
            "weekday",
            "isodow",
            "dayofyear",
            "hour",
            "minute",
            "second");

    private TimeScalars() {}

    static void addAll() {
        add("date_trunc", ReturnTypes.ARG1_NULLABLE, TEXT_TIME);
        add("date_part", BIGINT, TEXT_TIME);
        add("date_diff", BIGINT, TEXT_TIMES);
        add("datediff", BIGINT, TEXT_TIMES);
        add("last_day", ReturnTypes.DATE_NULLABLE, OperandTypes.DATETIME);
        for (String part : PARTS) {
            add(part, BIGINT, OperandTypes.DATETIME);
        }
        add("epoch", DOUBLE, OperandTypes.DATETIME);
        add("epoch_ms", BIGINT, OperandTypes.DATETIME);
        add("monthname", TEXT, OperandTypes.DATETIME);
        add("dayname", TEXT, OperandTypes.DATETIME);
        add("now", ReturnTypes.TIMESTAMP, OperandTypes.NILADIC);
        add("today", ReturnTypes.DATE_NULLABLE, OperandTypes.NILADIC);
    }
}
