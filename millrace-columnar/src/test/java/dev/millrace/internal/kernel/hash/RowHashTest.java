package dev.millrace.internal.kernel.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.column.Column;
import dev.millrace.column.RandomValues;
import dev.millrace.error.MillraceException;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// [RowHash]: rows that are equal have one hash, wherever and in whatever type they are stored.
class RowHashTest {
    private static final List<DataType> NUMBERS = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64);

    @Test
    void theHashOfBytesDoesNotDependOnWhatIsAroundThem() {
        Random random = new Random(3);
        for (int length = 0; length < 40; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            long alone = HashMix.bytes(MemorySegment.ofArray(bytes), 0, length);
            for (int before = 0; before < 10; before++) {
                byte[] around = new byte[before + length + random.nextInt(10)];
                random.nextBytes(around);
                System.arraycopy(bytes, 0, around, before, length);
                assertThat(HashMix.bytes(MemorySegment.ofArray(around), before, length))
                        .as("%d bytes after %d", length, before)
                        .isEqualTo(alone);
            }
        }
        // Partitions of all versions are the same.
        byte[] known = "0123456789abcdefghij".getBytes(StandardCharsets.US_ASCII);
        assertThat(HashMix.bytes(MemorySegment.ofArray(known), 0, 20)).isEqualTo(-2108845841940391149L);
        assertThat(HashMix.bytes(MemorySegment.ofArray(known), 3, 5)).isEqualTo(3310149976500859218L);
    }

    @Test
    void equalRowsHaveOneHashAndOthersHardlyEver() {
        RandomCase.check("RowHash", 200, 80, each -> {
            int columns = 1 + each.random().nextInt(3);
            List<Column> stored = new ArrayList<>();
            List<List<Object>> values = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                DataType type = each.oneOf(RandomValues.types());
                values.add(each.values(type, each.rows()));
                stored.add(each.column(type, values.getLast()));
            }
            each.about(each.rows() + " rows of "
                    + stored.stream().map(Column::type).toList());
            long[] hashes = hashes(stored, each.rows(), each.random().nextInt(1, 50));
            stored.forEach(Column::release);
            Map<List<Object>, Long> hashOf = new HashMap<>();
            Map<Long, List<Object>> rowOf = new HashMap<>();
            for (int row = 0; row < each.rows(); row++) {
                List<Object> key = new ArrayList<>();
                for (List<Object> column : values) {
                    key.add(OracleValues.normal(column.get(row)));
                }
                Long known = hashOf.putIfAbsent(key, hashes[row]);
                assertThat(known == null || known == hashes[row])
                        .as("two rows of %s have one hash", key)
                        .isTrue();
                List<Object> other = rowOf.putIfAbsent(hashes[row], key);
                assertThat(other == null || other.equals(key))
                        .as("%s and %s have different hashes", key, other)
                        .isTrue();
            }
        });
    }

    /// @param step so many at a time
    private static long[] hashes(List<Column> columns, int rows, int step) {
        RowHash hash = RowHash.of(columns);
        long[] all = new long[rows];
        for (int from = 0; from < rows; from += step) {
            int count = Math.min(step, rows - from);
            long[] some = new long[count];
            hash.compute(from, count, some);
            System.arraycopy(some, 0, all, from, count);
        }
        return all;
    }

    @Test
    void numbersHaveOneHashInEveryTypeThatHoldsThem() {
        RandomCase.check("RowHash of numbers", 120, 30, each -> {
            DataType type = each.oneOf(NUMBERS);
            DataType other = each.oneOf(NUMBERS);
            List<Object> values = new ArrayList<>(each.values(type, each.rows()));
            if (type.equals(DataType.UINT64)) {
                values.add(BigInteger.ONE.shiftLeft(63));
                values.add(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.valueOf(2048)));
            }
            each.about(type + " as " + other);
            for (Object value : values) {
                Column one = each.column(type, Arrays.asList(value));
                Column same = null;
                try {
                    same = each.column(other, Arrays.asList(value));
                } catch (MillraceException _) {
                    one.release();
                    continue;
                }
                if (OracleValues.normal(one.value(0)).equals(OracleValues.normal(same.value(0)))) {
                    assertThat(hashes(List.of(one), 1, 1)).as("%s", value).isEqualTo(hashes(List.of(same), 1, 1));
                }
                one.release();
                same.release();
            }
        });
    }
}
