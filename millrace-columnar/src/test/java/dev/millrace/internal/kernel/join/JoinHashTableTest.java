package dev.millrace.internal.kernel.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JoinHashTableTest {
    private static final int ROWS = 20_000;

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    record Case(String name, TableShape.Kind kind, LongFunction<Long> key) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() {
        Random random = new Random(11);
        return List.of(
                new Case("close together", TableShape.Kind.DIRECT, i -> 7 * i - 50_000),
                new Case("spread evenly", TableShape.Kind.ORDERED, i -> 100 * i + i % 7),
                new Case("random within 2^32", TableShape.Kind.ORDERED, i -> (long) random.nextInt()),
                new Case(
                        "the farthest that are near",
                        TableShape.Kind.ORDERED,
                        i -> i == 0 ? -1L : (i << 17) & 0xFFFFFFFEL),
                new Case("two heaps", TableShape.Kind.NEAR, i -> i % 2 == 0 ? i : 4_000_000_000L - i),
                new Case("some twice", TableShape.Kind.ORDERED, i -> 1000 * (i / 3)),
                new Case("far for many, not for few", TableShape.Kind.DIRECT, i -> 20 * i),
                new Case("null now and then", TableShape.Kind.ORDERED, i -> i % 5 == 0 ? null : 1000 * i),
                new Case("far apart", TableShape.Kind.HASHED, i -> i << 40),
                new Case("both ends", TableShape.Kind.HASHED, i -> i == 0 ? Long.MIN_VALUE : Long.MAX_VALUE - i));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyKeyLeadsToItsRowsInOrderAndOthersToNone(Case each) {
        List<Long> built = keys(each.key());
        List<Long> asked = new ArrayList<>(built);
        built.stream().filter(key -> key != null).forEach(key -> asked.add(key + 1));
        asked.addAll(List.of(0L, Long.MIN_VALUE, Long.MAX_VALUE, -1L, 1L << 32, 1L << 33));
        Collections.shuffle(asked, new Random(5));
        Column builtColumn = Columns.of(memory.allocator(), DataType.INT64, built);
        Column askedColumn = Columns.of(memory.allocator(), DataType.INT64, asked);
        List<DataType> as = Collections.singletonList(null);
        List<KeyForm> forms = List.of(KeyForm.WHOLE);
        try (JoinKeys keys = JoinKeys.of(memory.allocator(), List.of(builtColumn), as);
                JoinKeys others = JoinKeys.of(memory.allocator(), List.of(askedColumn), as);
                JoinHashTable table = JoinHashTable.build(memory.allocator(), keys, forms, built.size())) {
            assertThat(table.shape().kind()).isEqualTo(each.kind());
            assertFinds(table, built, others, asked);
            Column slots = table.slots();
            Column words = table.words(built.size());
            Column chains = table.chains(built.size());
            try (JoinHashTable reader = JoinHashTable.over(table.shape(), keys, slots, words, chains)) {
                assertFinds(reader, built, others, asked);
            }
            Arrays.asList(slots, words, chains).forEach(column -> {
                if (column != null) {
                    column.release();
                }
            });
        }
        builtColumn.release();
        askedColumn.release();
    }

    private static List<Long> keys(LongFunction<Long> key) {
        return new ArrayList<>(LongStream.range(0, ROWS).mapToObj(key).toList());
    }

    private static void assertFinds(JoinHashTable table, List<Long> built, JoinKeys others, List<Long> asked) {
        Map<Long, List<Integer>> rows = new HashMap<>();
        for (int i = 0; i < built.size(); i++) {
            if (built.get(i) != null) {
                rows.computeIfAbsent(built.get(i), _ -> new ArrayList<>()).add(i);
            }
        }
        int[] firsts = new int[JoinHashTable.CHUNK];
        for (int from = 0; from < asked.size(); from += JoinHashTable.CHUNK) {
            int count = Math.min(JoinHashTable.CHUNK, asked.size() - from);
            table.find(others, from, count, firsts);
            for (int i = 0; i < count; i++) {
                List<Integer> found = new ArrayList<>();
                for (int row = firsts[i]; row >= 0; row = table.after(row)) {
                    found.add(row);
                }
                Long key = asked.get(from + i);
                assertThat(found)
                        .as("rows of %s", key)
                        .isEqualTo(key == null ? List.of() : rows.getOrDefault(key, List.of()));
            }
        }
    }

    @Test
    void keysThatNoRowHasAreOneTable() {
        Column none = Columns.of(memory.allocator(), DataType.INT64, Arrays.asList(null, null));
        try (JoinKeys keys = JoinKeys.of(memory.allocator(), List.of(none), Collections.singletonList(null));
                JoinHashTable table = JoinHashTable.build(memory.allocator(), keys, List.of(KeyForm.WHOLE), 2)) {
            int[] firsts = new int[2];
            table.find(keys, 0, 2, firsts);
            assertThat(firsts).containsExactly(-1, -1);
        }
        none.release();
    }
}
