package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.column.RandomValues;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// [GroupTable], [RunningGroups], [GroupIds], [RowGroups] and [FirstRows] number the same groups.
class GroupTableTest {
    private static final int CHUNK = 64;

    @Test
    void groupsAreNumberedAsTheyCome() {
        RandomCase.check("GroupTable", 150, 150, each -> {
            List<Field> fields = new ArrayList<>();
            List<List<Object>> columns = new ArrayList<>();
            for (int i = 1 + each.random().nextInt(3); i > 0; i--) {
                DataType type = each.oneOf(RandomValues.types());
                boolean coded = each.rarely(5) && KeyIds.areFor(type);
                fields.add(new Field("k" + i, coded ? DataType.dictionary(type) : type));
                columns.add(each.values(type, each.rows()));
            }
            each.about(each.rows() + " rows of " + fields);
            Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
            List<Integer> firstRows = new ArrayList<>();
            int[] expected = new int[each.rows()];
            for (int row = 0; row < each.rows(); row++) {
                List<Object> key = new ArrayList<>();
                for (List<Object> column : columns) {
                    key.add(OracleValues.normal(column.get(row)));
                }
                if (!numbers.containsKey(key)) {
                    numbers.put(key, numbers.size());
                    firstRows.add(row);
                }
                expected[row] = numbers.get(key);
            }
            List<String> keys = fields.stream().map(Field::name).toList();
            try (Block block = each.block(fields, columns)) {
                table(each, block, expected, firstRows);
                IntColumn made = GroupIds.of(each.allocator(), block, keys);
                for (int row = 0; row < expected.length; row++) {
                    assertThat(made.get(row)).as("GroupNumbers, row %s", row).isEqualTo(expected[row]);
                }
                made.release();
                assertThat(FirstRows.of(each.allocator(), block, keys))
                        .as("FirstRows")
                        .isEqualTo(
                                firstRows.stream().mapToInt(Integer::intValue).toArray());
                try (RowGroups groups = RowGroups.of(each.allocator(), block, keys)) {
                    assertThat(groups.groups()).as("RowGroups").isEqualTo(firstRows.size());
                    for (int group = 0; group < groups.groups(); group++) {
                        int own = group;
                        assertThat(groups.rowsOf(group))
                                .as("RowGroups, group %s", group)
                                .isEqualTo(IntStream.range(0, expected.length)
                                        .filter(row -> expected[row] == own)
                                        .toArray());
                    }
                }
                if (fields.stream()
                        .map(Field::type)
                        .map(AccumulatorFunctions::plain)
                        .allMatch(KeyIds::areFor)) {
                    running(each, block, expected);
                }
            }
        });
    }

    private static void table(RandomCase each, Block block, int[] expected, List<Integer> firstRows) {
        try (GroupTable table = new GroupTable(each.allocator(), new ArrayList<>(block.columns()), CHUNK)) {
            int[] all = new int[expected.length];
            int[] some = new int[CHUNK];
            for (int from = 0; from < all.length; from += CHUNK) {
                int count = Math.min(CHUNK, all.length - from);
                table.assign(from, count, some);
                System.arraycopy(some, 0, all, from, count);
            }
            assertThat(all).as("GroupTable").isEqualTo(expected);
            assertThat(table.groups()).isEqualTo(firstRows.size());
            for (int group = 0; group < firstRows.size(); group++) {
                assertThat(table.firstRows().getAtIndex(JAVA_INT, group)).isEqualTo(firstRows.get(group));
            }
        }
    }

    /// Groups that live over many blocks.
    private static void running(RandomCase each, Block block, int[] expected) {
        List<DataType> types = block.columns().stream()
                .map(column -> AccumulatorFunctions.plain(column.type()))
                .toList();
        List<Block> pieces = each.pieces(block, 6);
        try (RunningGroups groups = new RunningGroups(each.allocator(), types, CHUNK)) {
            int[] some = new int[CHUNK];
            int at = 0;
            for (Block piece : pieces) {
                if (piece.rows() == 0) {
                    continue;
                }
                groups.bind(new ArrayList<>(piece.columns()));
                for (int from = 0; from < piece.rows(); from += CHUNK) {
                    int count = (int) Math.min(CHUNK, piece.rows() - from);
                    groups.assign(from, count, some);
                    assertThat(Arrays.copyOf(some, count))
                            .as("RunningGroups, rows from %s on", at)
                            .isEqualTo(Arrays.copyOfRange(expected, at, at + count));
                    at += count;
                }
            }
            int found = groups.groups();
            assertThat(found).isEqualTo(Arrays.stream(expected).max().orElse(-1) + 1);
            List<Column> keys = groups.build();
            keys.forEach(key -> assertThat(key.length()).isEqualTo(found));
            keys.forEach(Column::release);
        } finally {
            pieces.forEach(Block::close);
        }
    }

    /// A large uint64 has the hash of the float that is equal to it, whose bits may be another key.
    @Test
    void largeUnsignedKeysAreNotTakenForTheBitsOfFloats() {
        RandomCase.check("GroupTable of uint64", 1, 1, each -> {
            List<Object> keys = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                keys.add(BigInteger.ONE.shiftLeft(63).add(BigInteger.valueOf(4096L * i)));
                keys.add(BigInteger.valueOf(Double.doubleToLongBits(0x1p63 + 4096.0 * i)));
            }
            int[] expected = new int[keys.size()];
            Arrays.setAll(expected, row -> row);
            List<Integer> firstRows = IntStream.range(0, keys.size()).boxed().toList();
            try (Block block = each.block(List.of(new Field("k", DataType.UINT64)), List.of(keys))) {
                table(each, block, expected, firstRows);
            }
        });
    }
}
