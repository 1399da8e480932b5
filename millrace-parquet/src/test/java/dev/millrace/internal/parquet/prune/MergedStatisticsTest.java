package dev.millrace.internal.parquet.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.internal.parquet.format.ValueStatistics;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.parquet.Int96Timestamps;
import dev.millrace.source.ColumnStatistics;
import dev.millrace.type.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MergedStatisticsTest {
    private static final SchemaNode.Leaf LEAF = new SchemaNode.Leaf(
            "number",
            DataType.INT64,
            new SchemaElement(PhysicalType.INT64, 0, SchemaElement.OPTIONAL, "number", 0, null),
            0,
            0,
            0,
            0,
            1,
            Int96Timestamps.values()[0]);

    private final MergedStatistics merged = new MergedStatistics(DataType.INT64);

    @Test
    void chunksAreMerged() {
        merged.add(LEAF, new ValueStatistics(plain(1), plain(5), 1, true), 10, 5);
        merged.add(LEAF, new ValueStatistics(plain(3), plain(9), 2, true), 10, 7);

        assertThat(merged.merged()).isEqualTo(new ColumnStatistics(1L, 9L, OptionalLong.of(3), OptionalLong.of(12)));
    }

    @Test
    void aChunkWhoseStatisticsContradictThemselvesMakesAllOfThemUnknown() {
        merged.add(LEAF, new ValueStatistics(plain(1), plain(5), 0, true), 10, 5);
        // More nulls than values.
        merged.add(LEAF, new ValueStatistics(plain(1), plain(5), 11, true), 10, 5);

        assertThat(merged.merged()).isEqualTo(ColumnStatistics.UNKNOWN);
    }

    private static byte[] plain(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
