package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFunction;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What becomes of rows whose function fails.
interface ErrorBehaviour extends Behaviour {
    final class Functions {
        static final RowFunction BROKEN = _ -> {
            throw new IllegalStateException("always");
        };

        private Functions() {}

        /// Fails on every tenth row.
        static RowFunction picky() {
            return row -> {
                long id = row.getLong("id");
                if (id % 10 == 3) {
                    throw new IllegalArgumentException("bad id " + id);
                }
                return Row.of("id", id, "half", id / 2);
            };
        }

        /// Every tenth row has a list whose second element is no number, and a column that no other row has.
        static RowFunction unwritable() {
            return row -> {
                long id = row.getLong("id");
                return id % 10 == 3
                        ? Row.of("id", id, "other", "x", "list", List.of(1L, "two"))
                        : Row.of("id", id, "list", List.of(id, id));
            };
        }

        static BatchFunction pickyBatches() {
            return batch -> {
                if (batch.longs("id").get(0) == 20) {
                    throw new IllegalArgumentException("bad batch");
                }
                return batch;
            };
        }
    }

    private static Compute on(ErrorPolicy policy) {
        return Compute.defaults().onError(policy);
    }

    private static List<Long> ids(Dataset dataset) {
        return dataset.takeAll().stream().map(row -> (Long) row.get("id")).toList();
    }

    private static List<Long> good(long rows) {
        return LongStream.range(0, rows).filter(id -> id % 10 != 3).boxed().toList();
    }

    static long counter(Dataset dataset, String name) {
        return dataset.lastRun().orElseThrow().operators().stream()
                .mapToLong(operator -> operator.counters().getOrDefault(name, 0L))
                .sum();
    }

    @Test
    default void skipLeavesTheFailingRowsOutAndCountsThem() {
        Dataset skipping = session().range(100, 4).map(Functions.picky(), on(ErrorPolicy.skip()));
        assertThat(ids(skipping)).isEqualTo(good(100));
        assertThat(counter(skipping, "skippedRows")).isEqualTo(10);
        assertThat(skipping.count()).isEqualTo(90);
        assertThat(ids(skipping.limit(4))).containsExactly(0L, 1L, 2L, 4L);
    }

    @Test
    default void skipIsPerOperationAlsoWhereOperationsShareATask() {
        Dataset two = session()
                .range(20, 2)
                .flatMap(row -> List.of(row, Row.of("id", row.getLong("id") + 100)))
                .map(Functions.picky(), on(ErrorPolicy.skip()))
                .filter(
                        row -> {
                            if (row.getLong("id") == 110) {
                                throw new IllegalStateException("no");
                            }
                            return row.getLong("id") < 115;
                        },
                        on(ErrorPolicy.skip()));
        assertThat(ids(two))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.concat(LongStream.range(0, 20), LongStream.range(100, 115))
                                .filter(id -> id % 10 != 3 && id != 110)
                                .boxed()
                                .toList());
        Dataset strictFirst = session().range(10).map(Functions.picky()).map(row -> row, on(ErrorPolicy.skip()));
        assertThatThrownBy(strictFirst::takeAll).hasMessageContaining("bad id 3");
    }

    @Test
    default void aFlatMapThatFailsInTheMiddleGivesNothingOfItsRow() {
        Dataset rows = session()
                .range(3, 1)
                .flatMap(
                        row -> () -> LongStream.range(0, 3)
                                .mapToObj(i -> {
                                    if (row.getLong("id") == 1 && i == 2) {
                                        throw new IllegalStateException("late");
                                    }
                                    return Row.of("id", row.getLong("id") * 10 + i);
                                })
                                .iterator(),
                        on(ErrorPolicy.skip()));
        assertThat(ids(rows)).containsExactly(0L, 1L, 2L, 20L, 21L, 22L);
    }

    @Test
    default void nullsKeepThePlaceOfTheFailingRow() {
        Dataset nulled = session().range(10, 1).map(Functions.picky(), on(ErrorPolicy.nulls()));
        assertThat(ids(nulled)).containsExactly(0L, 1L, 2L, null, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(nulled.takeAll().get(3).get("half")).isNull();
        assertThat(nulled.count()).isEqualTo(10);
        Dataset broken = session().range(4, 1).map(Functions.BROKEN, on(ErrorPolicy.nulls()));
        assertThatThrownBy(broken::takeAll)
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("failed on all of the 4 rows")
                .hasMessageContaining("The first: ");
        assertThatThrownBy(() -> session().range(4).filter(row -> true, on(ErrorPolicy.nulls())))
                .hasMessageContaining("a filter makes no rows");
    }

    @Test
    default void aFailingBatchIsSkippedOrNulledAsAWhole() {
        Dataset skipped = session()
                .range(50, 1)
                .mapBatches(Functions.pickyBatches(), on(ErrorPolicy.skip()).batchSize(10));
        assertThat(ids(skipped)).hasSize(40).doesNotContain(20L, 29L).contains(19L, 30L);
        Dataset nulled = session()
                .range(50, 1)
                .mapBatches(Functions.pickyBatches(), on(ErrorPolicy.nulls()).batchSize(10));
        assertThat(ids(nulled).subList(19, 31))
                .containsExactly(19L, null, null, null, null, null, null, null, null, null, null, 30L);
        // The first batch fails: its rows of nulls wait for the columns of the second.
        Dataset first = session()
                .range(50, 1)
                .filter(row -> row.getLong("id") >= 20)
                .mapBatches(Functions.pickyBatches(), on(ErrorPolicy.nulls()).batchSize(10));
        assertThat(ids(first)).hasSize(30).startsWith((Long) null).endsWith(49L);
        Dataset all = session()
                .range(5, 1)
                .mapBatches(
                        _ -> {
                            throw new IllegalStateException("always");
                        },
                        on(ErrorPolicy.nulls()));
        assertThatThrownBy(all::takeAll).hasMessageContaining("failed on all of the 5 rows");
    }

    record Sized(long id, BigDecimal size) {}

    @Test
    default void rowsThatCannotBeWrittenFallUnderThePolicyOfTheirFunction() {
        Dataset skipped = session().range(20, 1).map(Functions.unwritable(), on(ErrorPolicy.skip()));
        assertThat(ids(skipped)).isEqualTo(good(20));
        assertThat(counter(skipped, "skippedRows")).isEqualTo(2);
        assertThat(skipped.columns()).containsExactly("id", "list");
        Dataset nulled = session().range(10, 1).map(Functions.unwritable(), on(ErrorPolicy.nulls()));
        assertThat(ids(nulled)).containsExactly(0L, 1L, 2L, null, 4L, 5L, 6L, 7L, 8L, 9L);
        Dataset kept = session()
                .range(20, 1)
                .map(Functions.unwritable(), on(ErrorPolicy.deadLetter("unwritable")))
                .filter(row -> row.getLong("id") != 5);
        assertThat(kept.count()).isEqualTo(17);
        assertThat(kept.deadLetters().takeAll()).allSatisfy(letter -> {
            assertThat(letter.getString("operator")).startsWith("map(");
            assertThat(letter.getString("message")).contains("Column 'list'");
            assertThat(letter.getString("data")).isIn("{\"id\":3}", "{\"id\":13}");
        });
        assertThatThrownBy(
                        () -> session().range(20, 1).map(Functions.unwritable()).takeAll())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("Column 'list'");
    }

    @Test
    default void aFlatMapThatMakesARowThatCannotBeWrittenGivesNothingOfItsRow() {
        Dataset rows = session()
                .range(3, 1)
                .flatMap(
                        row -> List.of(
                                Row.of("id", row.getLong("id") * 10),
                                Row.of("id", row.getLong("id") == 1 ? new Object() : row.getLong("id") * 10 + 1)),
                        on(ErrorPolicy.skip()));
        assertThat(ids(rows)).containsExactly(0L, 1L, 20L, 21L);
    }

    @Test
    default void recordsThatCannotBeWrittenFallUnderThePolicyOfTheirFunction() {
        record Id(long id) {}
        Dataset sized = session()
                .range(10, 1)
                .map(
                        Id.class,
                        Sized.class,
                        row -> new Sized(
                                row.id(), row.id() == 4 ? BigDecimal.TEN.pow(40) : BigDecimal.valueOf(row.id())),
                        on(ErrorPolicy.skip()));
        assertThat(ids(sized)).containsExactly(0L, 1L, 2L, 3L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    default void deadLettersTellRowOriginAndCauseOnce() {
        Dataset dataset = session().range(100, 4).map(Functions.picky(), on(ErrorPolicy.deadLetter("bad ids")));
        assertThat(ids(dataset)).isEqualTo(good(100));
        try (MaterializedDataset letters = session().deadLetters("bad ids")) {
            List<Row> rows = letters.takeAll();
            assertThat(rows).hasSize(10);
            Row thirteen = rows.stream()
                    .filter(row -> row.getString("data").equals("{\"id\":13}"))
                    .findFirst()
                    .orElseThrow();
            assertThat(thirteen.getString("error")).isEqualTo("java.lang.IllegalArgumentException");
            assertThat(thirteen.getString("message")).isEqualTo("bad id 13");
            assertThat(thirteen.getString("line")).contains("ErrorBehaviour.java:");
            assertThat(thirteen.getString("operator")).startsWith("map(");
            assertThat(thirteen.getString("origin")).isNotBlank();
            assertThat(thirteen.getLong("row")).isEqualTo(13);
        }
        assertThat(counter(dataset, "deadLetterRows")).isEqualTo(10);
        // A further run replaces them.
        assertThat(dataset.takeAll()).hasSize(90);
        assertThat(dataset.deadLetters().count()).isEqualTo(10);
    }

    @Test
    default void deadLettersOfBatchesAreTheRowsOfTheBatch() {
        Dataset dataset = session()
                .range(50, 1)
                .mapBatches(
                        Functions.pickyBatches(),
                        on(ErrorPolicy.deadLetter("batches")).batchSize(10));
        assertThat(dataset.count()).isEqualTo(40);
        assertThat(dataset.deadLetters().takeAll())
                .extracting(row -> row.getString("data"))
                .hasSize(10)
                .contains("{\"id\":20}", "{\"id\":29}");
        Dataset fine = session().range(5).map(row -> row, on(ErrorPolicy.deadLetter("none")));
        assertThatThrownBy(fine::deadLetters).hasMessageContaining("no run has ended");
        fine.takeAll();
        assertThat(fine.deadLetters().takeAll()).isEmpty();
        assertThat(fine.deadLetters().columns()).contains("data", "message");
    }

    @Test
    default void beyondItsLimitAPolicyFailsTheRunWithCountAndFirstCause() {
        Dataset few = session()
                .range(100, 10)
                .map(Functions.picky(), on(ErrorPolicy.skip().atMost(4)));
        assertThatThrownBy(few::takeAll)
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("failed on 5 rows")
                .hasMessageContaining("skip, lets at most 4 pass")
                .hasMessageContaining("The first: ")
                .hasMessageContaining("IllegalArgumentException: bad id ");
        assertThat(ids(session()
                        .range(100, 10)
                        .map(Functions.picky(), on(ErrorPolicy.skip().atMost(10)))))
                .hasSize(90);
        Dataset ratio = session()
                .range(100, 10)
                .map(Functions.picky(), on(ErrorPolicy.skip().atMostRatio(0.05)));
        assertThatThrownBy(ratio::takeAll)
                .hasMessageContaining("failed on 10 rows")
                .hasMessageContaining("at most 5.0 % of 100");
        assertThat(ids(session()
                        .range(100, 10)
                        .map(Functions.picky(), on(ErrorPolicy.skip().atMostRatio(0.1)))))
                .hasSize(90);
    }

    @Test
    default void actorsHavePoliciesToo() {
        Dataset actors = session()
                .range(40, 4)
                .map(() -> Functions.picky(), Compute.actors(2).onError(ErrorPolicy.skip()));
        assertThat(ids(actors)).isEqualTo(good(40));
    }
}
