package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.quantile;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.window.WindowFunctions.lag;
import static dev.millrace.window.WindowFunctions.lastValue;
import static dev.millrace.window.WindowFunctions.moving;
import static dev.millrace.window.WindowFunctions.ntile;
import static dev.millrace.window.WindowFunctions.over;
import static dev.millrace.window.WindowFunctions.rank;
import static dev.millrace.window.WindowFunctions.rowNumber;
import static dev.millrace.window.WindowFunctions.running;
import static dev.millrace.window.WindowFunctions.total;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WindowVerbTest {
    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();
    private final Window byZone = Window.partitionBy("zone").orderBy("time");

    @AfterEach
    void close() {
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    private Dataset trips() {
        return session.items(
                Row.of("zone", "a", "time", 2L, "fare", 5.0),
                Row.of("zone", "b", "time", 1L, "fare", 7.0),
                Row.of("zone", "a", "time", 1L, "fare", null),
                Row.of("zone", "a", "time", 3L, "fare", 1.0));
    }

    @Test
    void columnsComeBehindThoseThatThereAre() {
        Dataset windowed = trips().window(
                        byZone,
                        rowNumber(),
                        lag("fare", 1, 0.0),
                        running(sum("fare")),
                        moving(mean("fare"), 1, 0).as("near"),
                        total(count()).as("all"),
                        lastValue("fare").over(Frame.running()).ignoreNulls().as("filled"));
        assertThat(windowed.columns())
                .containsExactly(
                        "zone", "time", "fare", "rowNumber()", "lag(fare)", "sum(fare)", "near", "all", "filled");
        assertThat(windowed.filter(row -> row.getString("zone").equals("a")).takeAll())
                .extracting(Row::toString)
                .containsExactly(
                        "{zone: a, time: 1, fare: null, rowNumber(): 1, lag(fare): 0.0, sum(fare): null, near: null,"
                                + " all: 3, filled: null}",
                        "{zone: a, time: 2, fare: 5.0, rowNumber(): 2, lag(fare): null, sum(fare): 5.0, near: 5.0,"
                                + " all: 3, filled: 5.0}",
                        "{zone: a, time: 3, fare: 1.0, rowNumber(): 3, lag(fare): 5.0, sum(fare): 6.0, near: 3.0,"
                                + " all: 3, filled: 1.0}");
    }

    @Test
    void whatNobodyUsesIsNotComputed() {
        Dataset windowed =
                trips().window(byZone, rowNumber().as("n"), running(sum("fare")).as("sum"));
        assertThat(windowed.select("n").explain()).contains("Window[by zone in order of time: rowNumber()]");
        assertThat(windowed.count()).isEqualTo(4);
        assertThat(windowed.select("n").takeAll()).hasSize(4);
    }

    @Test
    void columnsBehindAFunctionAreFoundWhenItRuns() {
        Dataset unknown = trips().mapBatches(batch -> batch);
        assertThat(unknown.window(byZone, rank().as("r")).takeAll()).hasSize(4);
        assertThatThrownBy(
                        () -> unknown.window(Window.partitionBy("town"), rank()).takeAll())
                .hasMessageContaining("town");
        assertThat(unknown.distinct("zone").takeAll()).hasSize(2);
    }

    @Test
    void noRowsGiveNoRows() {
        Dataset none = trips().filter(row -> false);
        assertThat(none.window(byZone, rowNumber()).takeAll()).isEmpty();
        assertThat(none.window(Window.whole().orderBy("time"), rowNumber(), total(sum("fare")))
                        .takeAll())
                .isEmpty();
        assertThat(none.distinct().takeAll()).isEmpty();
        assertThat(none.unique("zone")).isEmpty();
        assertThat(none.sort("time").take(2)).isEmpty();
        assertThat(none.groupBy("zone").pivot("time", List.of(1, 2), count()).takeAll())
                .isEmpty();
    }

    private static void assertRefused(ThrowingCallable call, String sentence) {
        assertThatThrownBy(call).hasMessageContaining(sentence);
    }

    @Test
    void mistakesAreToldAtTheCall() {
        Dataset trips = trips();
        assertRefused(() -> trips.window(byZone), "window: give at least one function");
        assertRefused(() -> trips.window(Window.partitionBy("town"), rank()), "town");
        assertRefused(() -> trips.window(byZone.orderBy("town"), rank()), "town");
        assertRefused(() -> trips.window(byZone, lag("tip")), "tip");
        assertRefused(
                () -> trips.window(byZone, rank().as("fare")),
                "window: there is a column 'fare' already. Give rank() another name: .as(\"other\").");
        assertRefused(() -> trips.window(byZone, rank(), rank()), "window: two functions make the column 'rank()'.");
        assertRefused(() -> trips.window(byZone, running(sum("zone"))), "numbers are needed");
        assertRefused(
                () -> trips.window(byZone, running(quantile("fare", 0.5))),
                "window: quantile(fare) can be computed of whole partitions, total(quantile(fare)), but not over");
        assertRefused(
                () -> trips.window(byZone, lag("fare", 1, "x")),
                "lag(fare, 1): the value where there is no row does not fit.");
        assertRefused(() -> ntile(0), "ntile: there must be 1 or more buckets, not 0.");
        assertRefused(() -> Frame.rows(1, -1), "A frame ends where it begins or later, not from 1 to -1.");
        assertRefused(
                () -> new Frame(Frame.Unit.RANGE, -3, 0),
                "A frame of ranges is unbounded or ends at the current row's peers, not from -3 to 0."
                        + " For distances between values use Frame.values(from, to), for rows Frame.rows(from, to).");
        assertRefused(
                () -> trips.window(byZone.orderBy("fare", "time"), over(sum("fare"), Frame.values(-1, 0))),
                "needs one column to order by, not 2: distances are between the values of one.");
        assertRefused(
                () -> trips.window(byZone.orderBy("zone"), over(sum("fare"), Frame.values(-1, 0))),
                "over the order key 'zone', which is utf8, has no distances between its values.");
        assertRefused(
                () -> trips.window(byZone, over(sum("fare"), Frame.values(Duration.ofDays(-1), null))),
                "over the order key 'time', which is int64, takes numbers, not PT-24H.");
        assertRefused(() -> trips.distinct("town"), "town");
        assertRefused(() -> trips.distinct("zone", "zone"), "the column 'zone' would come twice");
        assertRefused(() -> trips.unique("town"), "town");
    }

    @Test
    void aSumBeyondItsTypeIsAnErrorThatNamesTheColumn() {
        Dataset large = session.items(Row.of("v", Long.MAX_VALUE), Row.of("v", 1L), Row.of("v", -5L));
        assertRefused(() -> large.window(Window.whole(), running(sum("v"))).takeAll(), "sum(v): a sum is beyond int64");
        assertThat(large.window(Window.whole(), moving(sum("v"), 0, 0).as("s")).takeAll())
                .extracting(row -> row.getLong("s"))
                .containsExactly(Long.MAX_VALUE, 1L, -5L);
    }
}
