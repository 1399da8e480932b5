package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.sql;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.testing.AtOnce;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/// Rows found by a key.
interface RandomAccessBehaviour extends Behaviour {
    private static RandomAccessDataset access(Dataset rows, String key) {
        try (MaterializedDataset kept = rows.materialize()) {
            return kept.randomAccess(key);
        }
    }

    @Test
    default void rowsAreFoundByTheirKey() {
        Dataset rows = session().range(1000, 7).randomShuffle(3).withColumn("name", sql("CAST(id AS VARCHAR) || 'x'"));
        try (RandomAccessDataset byId = access(rows, "id");
                RandomAccessDataset byName = access(rows, "name")) {
            assertThat(byId.count()).isEqualTo(1000);
            assertThat(byId.get(17)).contains(Row.of("id", 17L, "name", "17x"));
            assertThat(byId.get(0L)).isPresent();
            assertThat(byId.get(999L)).isPresent();
            assertThat(byId.get(-1)).isEmpty();
            assertThat(byId.get(1000)).isEmpty();
            assertThat(byName.get("17x")).contains(Row.of("id", 17L, "name", "17x"));
            assertThat(byName.get("17")).isEmpty();
            assertThat(byId.getMany(List.of(5, 2000, 4, 5, -3)).stream()
                            .map(row -> row.map(found -> found.getLong("id"))))
                    .containsExactly(
                            Optional.of(5L), Optional.empty(), Optional.of(4L), Optional.of(5L), Optional.empty());
            assertThat(byId.getMany(List.of())).isEmpty();
        }
    }

    @Test
    default void ofEqualKeysTheFirstRowIsGivenOrAll() {
        Dataset rows = session()
                .range(90, 9)
                .select(col("id").mod(3).as("key"), col("id").as("v"));
        try (RandomAccessDataset access = access(rows, "key")) {
            assertThat(access.get(1)).contains(Row.of("key", 1L, "v", 1L));
            assertThat(access.getAll(1)).hasSize(30).first().isEqualTo(Row.of("key", 1L, "v", 1L));
            assertThat(access.getAll(1)).last().isEqualTo(Row.of("key", 1L, "v", 88L));
            assertThat(access.getAll(3)).isEmpty();
        }
    }

    @Test
    default void rowsWithoutAKeyAreLeftOutAndANullIsNoKey() {
        Dataset rows = session().items(Row.of("k", 1.5), Row.of("k", null), Row.of("k", -0.0), Row.of("k", Double.NaN));
        try (RandomAccessDataset access = access(rows, "k")) {
            assertThat(access.count()).isEqualTo(3);
            assertThat(access.get(1.5)).isPresent();
            assertThat(access.get(0.0)).isPresent();
            assertThat(access.get(Double.NaN)).isPresent();
            assertError(() -> access.get(null))
                    .hasMessage(
                            "A lookup by k: null is no key, and rows without a key are left out. Filter the dataset:"
                                    + " k IS NULL.");
            assertError(() -> access.getMany(Arrays.asList(1.5, null))).hasMessageContaining("null is no key");
            assertError(() -> access.get("x")).hasMessageContaining("A lookup by k, which is float64: x (String)");
        }
        try (RandomAccessDataset none = access(session().range(0), "id")) {
            assertThat(none.get(1)).isEmpty();
        }
    }

    @Test
    default void blocksAreSmallSoThatALookupReadsLittle() {
        try (RandomAccessDataset access = access(session().range(1_000_000, 3), "id")) {
            assertThat(access.numBlocks()).isBetween(5, 16);
            assertThat(access.get(777_777)).isPresent();
        }
    }

    @Test
    default void keysMayBeTimes() {
        Dataset rows = session().items(Row.of("d", LocalDate.of(2024, 2, 29), "v", 1));
        try (RandomAccessDataset access = access(rows, "d")) {
            assertThat(access.get(LocalDate.of(2024, 2, 29))).isPresent();
            assertThat(access.get(LocalDate.of(2024, 3, 1))).isEmpty();
        }
    }

    @Test
    default void columnsThatAreNoKeysAreErrorsAtTheCall() {
        try (MaterializedDataset kept =
                session().items(Row.of("l", List.of(1), "v", 1)).materialize()) {
            assertError(() -> kept.randomAccess("w")).hasMessageContaining("randomAccess: there is no column 'w'.");
            assertError(() -> kept.randomAccess("l"))
                    .hasMessage(
                            "randomAccess: 'l' is list<int32>, and values of this type have no order. Use a column of"
                                    + " numbers, texts or times.");
        }
    }

    @Test
    default void threadsLookUpAtOnceAndALookupAfterTheCloseIsAnError() throws Exception {
        RandomAccessDataset access = access(session().range(2000, 5), "id");
        List<Callable<Long>> lookups = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            long first = thread;
            lookups.add(() -> {
                long sum = 0;
                for (long id = first; id < 2000; id += 40) {
                    sum += access.get(id).orElseThrow().getLong("id") == id ? 1 : 0;
                }
                return sum;
            });
        }
        assertThat(AtOnce.all(lookups)).containsExactly(50L, 50L, 50L, 50L);
        access.close();
        access.close();
        assertError(() -> access.get(1)).hasMessage("A lookup by id came after the close: the rows are gone.");
    }
}
