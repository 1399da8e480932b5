package dev.millrace.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Texts beside dates and times.
class TimeLiteralsTest {
    private Session session;
    private Dataset days;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        LocalDate first = LocalDate.of(1995, 1, 1);
        ZoneId zone = ZoneId.of("Europe/Berlin");
        days = session.items(java.util.stream.LongStream.range(0, 10)
                .mapToObj(i -> {
                    LocalDateTime time = first.plusDays(i).atTime(12, 30);
                    return Row.of(
                            "n", i,
                            "date", first.plusDays(i),
                            "time", LocalTime.of((int) i, 0),
                            "at", time,
                            "zoned", time.atZone(zone));
                })
                .toList());
    }

    @AfterEach
    void close() {
        session.close();
    }

    static List<Arguments> comparisons() {
        return List.of(
                Arguments.of(col("date").ge("1995-01-08"), 3),
                Arguments.of(col("date").eq("1995-01-08"), 1),
                Arguments.of(lit("1995-01-08").gt(col("date")), 7),
                Arguments.of(col("date").between("1995-01-03", "1995-01-04"), 2),
                Arguments.of(col("date").isIn("1995-01-03", "1995-01-09", "2000-01-01"), 2),
                Arguments.of(col("time").lt("03:00"), 3),
                Arguments.of(col("at").lt("1995-01-02 12:30:00"), 1),
                Arguments.of(col("at").le("1995-01-02T12:30:00"), 2),
                Arguments.of(col("at").lt("1995-01-02 12:30:00.001"), 2),
                Arguments.of(col("at").gt("1995-01-08"), 3),
                Arguments.of(col("zoned").le("1995-01-02 11:30:00Z"), 2),
                Arguments.of(col("zoned").le("1995-01-02 12:30:00"), 2),
                Arguments.of(col("zoned").lt("1995-01-02 12:30:00+01:00"), 1));
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void aTextIsComparedAsTheTimeThatItSays(Expression condition, int rows) {
        assertThat(days.filter(condition).count()).isEqualTo(rows);
        assertThat(days.withColumn("x", condition).filter(col("x")).count()).isEqualTo(rows);
        assertThat(days.map(row -> row.copy()).filter(condition).count()).isEqualTo(rows);
    }

    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of(
                        col("date").ge("1995-13-01"),
                        "date >= '1995-13-01': '1995-13-01' is no date. Write it like '2024-02-29', or give a LocalDate."),
                Arguments.of(col("date").isIn("today"), "'today' is no date"),
                Arguments.of(col("at").lt("noon"), "'noon' is no timestamp[us]. Write it like '2024-02-29 13:45:30'"),
                Arguments.of(col("n").lt("1"), "n is int64 and '1' is utf8, which do not go together"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aTextThatIsNoTimeIsAnErrorAtTheCall(Expression condition, String sentence) {
        assertThatThrownBy(() -> days.filter(condition))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessageContaining(sentence);
    }
}
