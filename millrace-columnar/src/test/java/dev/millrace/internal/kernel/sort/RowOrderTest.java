package dev.millrace.internal.kernel.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.column.RandomValues;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.PlainValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// [RowOrder], [RowCompare], [KeyBytes], [TopRows] and [TopRun] have one order, that of [PlainValues#compare].
class RowOrderTest {
    private static final int CASES = 150;
    private static final int MAX_ROWS = 120;

    /// Rows and keys by which they are sorted.
    private static final class Case {
        final RandomCase each;
        final List<SortKey> keys = new ArrayList<>();
        final List<Field> fields = new ArrayList<>();
        final List<List<Object>> columns = new ArrayList<>();

        Case(RandomCase each) {
            this.each = each;
            List<DataType> ordered =
                    RandomValues.types().stream().filter(Types::hasOrder).toList();
            for (int i = 1 + each.random().nextInt(3); i > 0; i--) {
                DataType type = each.oneOf(ordered);
                boolean coded =
                        each.rarely(5) && !(type instanceof DataType.Dictionary) && !(type instanceof DataType.Null);
                fields.add(new Field("k" + i, coded ? DataType.dictionary(type) : type));
                columns.add(each.values(type, each.rows()));
                keys.add(new SortKey("k" + i, each.random().nextBoolean()));
            }
            if (each.rarely(6)) {
                keys.add(new SortKey(keys.getFirst().column(), each.random().nextBoolean()));
            }
            each.about(each.rows() + " rows of " + fields + " by " + keys);
        }

        Block block() {
            return each.block(fields, columns);
        }

        int compare(int a, int b) {
            for (SortKey key : keys) {
                List<Object> column =
                        columns.get(fields.stream().map(Field::name).toList().indexOf(key.column()));
                int order = PlainValues.compare(column.get(a), column.get(b), key.isDescending());
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        int[] sorted() {
            return IntStream.range(0, each.rows())
                    .boxed()
                    .sorted(this::compare)
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        /// The rows of a block as numbers, where a column `row` has them.
        Block numbered() {
            List<Field> more = new ArrayList<>(fields);
            List<List<Object>> all = new ArrayList<>(columns);
            more.add(new Field("row", DataType.INT64));
            all.add(new ArrayList<>(IntStream.range(0, each.rows())
                    .mapToObj(row -> (Object) (long) row)
                    .toList()));
            return each.block(more, all);
        }
    }

    private static int[] numbersOf(Block block) {
        int[] rows = new int[(int) block.rows()];
        Arrays.setAll(rows, row -> ((Long) block.column("row").value(row)).intValue());
        return rows;
    }

    @Test
    void rowsAreSortedStably() {
        RandomCase.check("RowOrder", CASES, MAX_ROWS, each -> {
            Case one = new Case(each);
            try (Block block = one.block();
                    RowOrder order = RowOrder.of(each.allocator(), block, one.keys)) {
                int[] rows = new int[each.rows()];
                order.copy(0, rows.length, rows);
                assertThat(rows).isEqualTo(one.sorted());
            }
        });
    }

    @Test
    void comparisonsOfRowsAndOfTheirBytesAgree() {
        RandomCase.check("RowCompare and KeyBytes", CASES, MAX_ROWS, each -> {
            Case one = new Case(each);
            try (Block block = one.block()) {
                RowCompare compare = RowCompare.of(each.allocator(), block, one.keys);
                KeyBytes bytes = KeyBytes.of(block, one.keys);
                for (int i = 0; i < 200 && each.rows() > 0; i++) {
                    int a = each.random().nextInt(each.rows());
                    int b = each.random().nextInt(each.rows());
                    int expected = Integer.signum(one.compare(a, b));
                    assertThat(Integer.signum(compare.compare(a, b)))
                            .as("RowCompare of rows %s and %s", a, b)
                            .isEqualTo(expected);
                    assertThat(Integer.signum(bytes.compare(a, bytes.of(b))))
                            .as("KeyBytes of rows %s and %s", a, b)
                            .isEqualTo(expected);
                }
            }
        });
    }

    @Test
    void theFirstRowsAreThoseOfTheWholeOrder() {
        RandomCase.check("TopRows and TopRun", CASES, MAX_ROWS, each -> {
            Case one = new Case(each);
            int wanted = each.random().nextInt(30);
            int[] expected = Arrays.copyOf(one.sorted(), Math.min(wanted, each.rows()));
            each.about("the first " + wanted);
            try (Block block = one.numbered()) {
                try (Block top = TopRows.of(each.allocator(), block, one.keys, wanted)) {
                    assertThat(numbersOf(top)).as("TopRows").isEqualTo(expected);
                }
                List<Block> pieces = each.pieces(block, 7);
                try (TopRun run = new TopRun(each.allocator(), one.keys, wanted)) {
                    pieces.forEach(run::add);
                    try (Block top = run.finish()) {
                        assertThat(numbersOf(top)).as("TopRun").isEqualTo(expected);
                    }
                } finally {
                    pieces.forEach(Block::close);
                }
            }
        });
    }
}
