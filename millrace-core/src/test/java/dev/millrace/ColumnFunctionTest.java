package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Column;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.StringColumn;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnCall;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.expression.Expression;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A function that another module adds to expressions.
class ColumnFunctionTest {
    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    /// The number that a text is, times a factor.
    record Parse(long factor) implements ColumnFunction {
        @Override
        public String text(List<String> arguments) {
            return "parse(" + arguments.getFirst() + ", " + factor + ")";
        }

        @Override
        public DataType type(List<DataType> arguments) {
            if (!arguments.equals(List.of(DataType.UTF8))) {
                throw MillraceException.user("parse takes text, not " + arguments + ".");
            }
            return DataType.INT64;
        }

        @Override
        public Column apply(List<Column> arguments, Allocator allocator) throws Exception {
            StringColumn texts = (StringColumn) arguments.getFirst();
            try (LongBuilder numbers = new LongBuilder(allocator, DataType.INT64, texts.length())) {
                for (long row = 0; row < texts.length(); row++) {
                    if (texts.isNull(row)) {
                        numbers.appendNull();
                    } else {
                        numbers.append(factor * parse(texts.get(row), row));
                    }
                }
                return numbers.build();
            }
        }

        private static long parse(String text, long row) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw MillraceException.data("'" + text + "' is no number, in row " + row + " of the block.");
            }
        }
    }

    private static Expression parse(Expression text, long factor) {
        return new ColumnCall(new Parse(factor), List.of(text));
    }

    private List<Object> values(Dataset dataset) {
        List<Object> values = new ArrayList<>();
        dataset.takeAll().forEach(row -> values.add(row.get("n")));
        return values;
    }

    private Dataset texts(Object... texts) {
        return session.items(Arrays.asList(texts), 1);
    }

    @Test
    void itIsAPartOfExpressionsLikeAnyOther() {
        Dataset rows =
                texts("1", null, "30").withColumn("n", parse(col("item"), 2).plus(1));
        assertThat(rows.schema().type("n")).isEqualTo(DataType.INT64);
        assertThat(values(rows)).containsExactly(3L, null, 61L);
        assertThat(texts("1", "9").filter(parse(col("item"), 1).gt(5)).count()).isEqualTo(1);
        assertThat(values(texts("a").withColumn("n", parse(lit("7"), 1)))).containsExactly(7L);
        assertThat(parse(col("a"), 1)).isEqualTo(parse(col("a"), 1)).hasToString("parse(a, 1)");
        assertThat(parse(col("a"), 1).callsOut()).isTrue();
        assertThat(col("a").plus(1).callsOut()).isFalse();
    }

    @Test
    void itSeesTheValuesOfDictionaries() {
        DataType coded = DataType.dictionary(DataType.UTF8);
        assertThat(values(texts("1", null, "1", "2")
                        .withColumn("item", col("item").cast(coded))
                        .withColumn("n", parse(col("item"), 3))))
                .containsExactly(3L, null, 3L, 6L);
    }

    @Test
    void itsTypeRuleIsAskedAtTheCall() {
        assertThatThrownBy(() -> session.range(3).withColumn("n", parse(col("id"), 1)))
                .hasMessage("parse takes text, not [int64].");
    }

    @Test
    void itsDataErrorsFollowThePolicyOfTheVerb() {
        Dataset rows = texts("1", "x", "3", "y", "5");
        Expression parsed = parse(col("item"), 1);
        assertThatThrownBy(rows.withColumn("n", parsed)::takeAll)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContaining("'x' is no number, in row 1 of the block");
        assertThat(values(rows.withColumn("n", parsed, ErrorPolicy.skip()))).containsExactly(1L, 3L, 5L);
        assertThat(values(rows.withColumn("n", parsed, ErrorPolicy.nulls()))).containsExactly(1L, null, 3L, null, 5L);
    }
}
