package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.internal.sql.ScalarFunctions.BIGINT;
import static dev.millrace.internal.sql.ScalarFunctions.DOUBLE;
import static dev.millrace.internal.sql.ScalarFunctions.TEXT;
import static dev.millrace.internal.sql.ScalarFunctions.add;
import static dev.millrace.internal.sql.ScalarFunctions.operands;
import static dev.millrace.internal.sql.ScalarFunctions.text;

import dev.millrace.expression.Conditional;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
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
    private static final List<String> MONTHS = List.of(
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December");
    private static final List<String> DAYS =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

    private TimeScalars() {}

    static void addAll() {
        add("date_trunc", ReturnTypes.ARG1_NULLABLE, TEXT_TIME, a -> a.get(1).truncate(text("date_trunc", a, 0)));
        add("date_part", BIGINT, TEXT_TIME, a -> TimeParts.part(text("date_part", a, 0), a.get(1)));
        for (String name : List.of("date_diff", "datediff")) {
            add(name, BIGINT, TEXT_TIMES, a -> TimeParts.difference(text(name, a, 0), a.get(1), a.get(2)));
        }
        add(
                "last_day",
                ReturnTypes.DATE_NULLABLE,
                OperandTypes.DATETIME,
                a -> a.get(0)
                        .cast(DataType.DATE)
                        .truncate("month")
                        .plusMonths(1)
                        .plusDays(-1));
        for (String part : TimeParts.NAMES) {
            add(part, BIGINT, OperandTypes.DATETIME, a -> TimeParts.part(part, a.get(0)));
        }
        add("epoch", DOUBLE, OperandTypes.DATETIME, a -> TimeParts.epoch(a.get(0)));
        add("epoch_ms", BIGINT, OperandTypes.DATETIME, a -> a.get(0).epochMillis());
        add("monthname", TEXT, OperandTypes.DATETIME, a -> named(a.get(0).month(), MONTHS));
        add("dayname", TEXT, OperandTypes.DATETIME, a -> named(a.get(0).dayOfWeek(), DAYS));
        add("now", ReturnTypes.TIMESTAMP, OperandTypes.NILADIC, _ -> lit(now()));
        add("today", ReturnTypes.DATE_NULLABLE, OperandTypes.NILADIC, _ -> lit(LocalDate.now(ZoneOffset.UTC)));
    }

    /// In UTC, of the microseconds that a timestamp of a query has.
    static LocalDateTime now() {
        return LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }

    /// The name of a number from 1.
    private static Expression named(Expression number, List<String> names) {
        Conditional.Then branches = when(number.eq(1)).then(names.getFirst());
        for (int i = 1; i < names.size(); i++) {
            branches = branches.when(number.eq(i + 1)).then(names.get(i));
        }
        return branches.orNull();
    }
}
