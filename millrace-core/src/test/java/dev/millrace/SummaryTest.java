package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.testing.OracleTable;
import dev.millrace.testing.OracleValues;
import dev.millrace.type.DataType;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Summaries of random tables against DuckDB, and of a few rows by hand.
@Timeout(300)
class SummaryTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 128 << 20};

    private final int cases = Integer.getInteger("millrace.cases", 60);

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    private static List<ColumnSummary> summary(Dataset dataset, String... columns) {
        try (var records = dataset.summary(columns).iterRecords(ColumnSummary.class)) {
            return records.stream().toList();
        }
    }

    @Test
    void figuresAreDuckDbs() throws Exception {
        for (long number = 0; number < cases; number++) {
            Random random = new Random(seed + number);
            OracleTable table = new OracleTable(random, 200);
            Session session = sessions.get(random.nextInt(sessions.size()));
            table.load(duck, "t");
            try (MaterializedDataset dataset = session.fromBlocks(table.blocks(session.allocator()))) {
                List<ColumnSummary> all = summary(dataset);
                assertThat(all)
                        .extracting(ColumnSummary::column)
                        .isEqualTo(table.schema().names());
                for (ColumnSummary one : all) {
                    compare("seed " + seed + ", case " + number + ", " + table.schema() + ": " + one, one, table);
                }
            }
        }
    }

    private void compare(String which, ColumnSummary one, OracleTable table) throws Exception {
        DataType type = table.schema().type(one.column());
        boolean number = type.isNumeric() || type instanceof DataType.Decimal;
        String c = one.column();
        String missing = type instanceof DataType.Float ? c + " is null or isnan(" + c + ")" : c + " is null";
        String sql = "select count(*), 100.0 * count(*) filter (where " + missing + ") / nullif(count(*), 0), min(" + c
                + "), max(" + c + ")"
                + (number
                        ? ", 100.0 * count(*) filter (where " + c + " = 0) / nullif(count(" + c + "), 0), avg(" + c
                                + "::double), max(abs(" + c + "::double)), count(" + c + ")"
                        : "")
                + " from t";
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            assertThat(one.count()).as(which).isEqualTo(result.getLong(1));
            near(which, one.missing(), OracleValues.of(result, 2, DataType.FLOAT64), 1e-9);
            boolean text = type instanceof DataType.Utf8 || type instanceof DataType.Dictionary;
            assertThat(one.min())
                    .as(which)
                    .isEqualTo(text ? null : textOf(OracleValues.of(result, 3, type), one.min()));
            assertThat(one.max())
                    .as(which)
                    .isEqualTo(text ? null : textOf(OracleValues.of(result, 4, type), one.max()));
            boolean values =
                    table.rows().stream().anyMatch(row -> row[table.schema().indexOf(c)] != null);
            assertThat(one.top() != null && !one.top().isEmpty())
                    .as(which)
                    .isEqualTo((text || type instanceof DataType.Bool) && values);
            if (number) {
                near(which, one.zero(), OracleValues.of(result, 5, DataType.FLOAT64), 1e-9);
                near(which, one.mean(), OracleValues.of(result, 6, DataType.FLOAT64), 1e-11 * result.getDouble(7));
                assertThat(one.std() != null).as(which).isEqualTo(result.getLong(8) > 0);
            } else {
                assertThat(one.mean()).as(which).isNull();
                assertThat(one.zero()).as(which).isNull();
                assertThat(one.median()).as(which).isNull();
            }
        }
    }

    private static void near(String which, Double ours, Object theirs, double apart) {
        assertThat(OracleValues.same(ours, theirs, apart))
                .as("%s: %s, not %s", which, ours, theirs)
                .isTrue();
    }

    /// The same number may be written in two ways.
    private static String textOf(Object theirs, String ours) {
        if (theirs instanceof Number number && ours != null) {
            return Double.compare(Double.parseDouble(ours) + 0.0, number.doubleValue() + 0.0) == 0
                    ? ours
                    : theirs.toString();
        }
        return theirs == null ? null : theirs.toString();
    }

    record Person(Integer age, String city) {}

    @Test
    void aFewRowsByHand() {
        List<Person> rows = List.of(new Person(20, "Oslo"), new Person(0, "Oslo"), new Person(null, null));
        Dataset people = sessions.getFirst().records(Person.class, rows);
        List<ColumnSummary> both = summary(people);
        ColumnSummary age = both.get(0);
        assertThat(age.count()).isEqualTo(3);
        assertThat(age.missing()).isCloseTo(100.0 / 3, within(1e-9));
        assertThat(age.zero()).isEqualTo(50);
        assertThat(age.mean()).isEqualTo(10);
        assertThat(age.std()).isCloseTo(Math.sqrt(200), within(1e-9));
        assertThat(age.min()).isEqualTo("0");
        assertThat(age.median()).isIn(0.0, 20.0);
        assertThat(age.max()).isEqualTo("20");
        ColumnSummary city = both.get(1);
        assertThat(city.top()).containsExactly(new ColumnSummary.Frequency("Oslo", 2));
        assertThat(city.min()).isNull();
        assertThat(summary(people, "city")).containsExactly(city);
        assertThat(people.summary().showString(20)).contains("missing", "Oslo");
        assertThatThrownBy(() -> people.summary("town")).hasMessageContaining("town");
    }
}
