package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.memory.Buffer;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The numbers from 0 to `count`: as int64 in column `id`, or, with a tensor type, each as a tensor filled with its
/// number in column `data`.
///
/// @param type int64, or a tensor of int64
/// @param projected whether the column is wanted: without it only the number of rows remains
public record RangeSource(long count, DataType type, boolean projected) implements Source {
    public static RangeSource ids(long count) {
        return new RangeSource(count, DataType.INT64, true);
    }

    public static RangeSource tensors(long count, int... shape) {
        return new RangeSource(count, DataType.tensor(DataType.INT64, shape), true);
    }

    @Override
    public String name() {
        return type instanceof DataType.Tensor ? "RangeTensor" : "Range";
    }

    private String column() {
        return type instanceof DataType.Tensor ? "data" : "id";
    }

    private long bytesPerRow() {
        return type instanceof DataType.Tensor tensor ? Long.BYTES * tensor.elements() : Long.BYTES;
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(projected ? Schema.of(column(), type) : Schema.empty());
    }

    @Override
    public OptionalLong rows() {
        return OptionalLong.of(count);
    }

    @Override
    public OptionalLong sizeBytes() {
        return OptionalLong.of(projected ? count * bytesPerRow() : 0);
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        if (columns.isEmpty()) {
            return Optional.of(new RangeSource(count, type, false));
        }
        return projected && columns.equals(List.of(column())) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Optional<Source> limit(long wanted) {
        return Optional.of(wanted < count ? new RangeSource(wanted, type, projected) : this);
    }

    /// Or one for each row.
    @Override
    public boolean hasSplits(int wanted) {
        return true;
    }

    /// Equal splits of `count / parallelism` rows, and what is left over as a further one: 10 rows in 3 blocks are 3,
    /// 3, 3 and 1.
    @Override
    public Iterator<Split> splits(SplitRequest request) {
        long size = Math.max(1, count / request.parallelism());
        return LongStream.range(0, (count + size - 1) / size)
                .mapToObj(i -> (Split) new RangeSplit(this, i * size, Math.min(count, (i + 1) * size)))
                .iterator();
    }

    private record RangeSplit(RangeSource source, long from, long to) implements Split {
        @Override
        public String description() {
            return "ids " + from + "-" + (to - 1);
        }

        @Override
        public OptionalLong rows() {
            return OptionalLong.of(to - from);
        }

        @Override
        public OptionalLong sizeBytes() {
            return OptionalLong.of(source.projected ? (to - from) * source.bytesPerRow() : 0);
        }

        @Override
        public SplitReader open(ReadContext context) {
            return new RangeReader(this, context);
        }
    }

    private static final class RangeReader implements SplitReader {
        private final RangeSplit split;
        private final ReadContext context;
        private final Schema schema;
        private final long chunkRows;
        private long at;

        RangeReader(RangeSplit split, ReadContext context) {
            this.split = split;
            this.context = context;
            this.schema = split.source.schema().orElseThrow();
            this.chunkRows = split.source.projected
                    ? Math.max(1, context.chunkBytes() / split.source.bytesPerRow())
                    : Long.MAX_VALUE;
            this.at = split.from;
        }

        @Override
        public @Nullable Block next() {
            if (at == split.to) {
                return null;
            }
            long rows = Math.min(chunkRows, split.to - at);
            List<Column> columns = split.source.projected ? List.of(column(rows)) : List.of();
            at += rows;
            return Block.of(schema, columns, rows);
        }

        private Column column(long rows) {
            Buffer data = context.allocator().allocate(rows * split.source.bytesPerRow());
            if (split.source.type instanceof DataType.Tensor tensor) {
                long elements = tensor.elements();
                for (long row = 0; row < rows; row++) {
                    fill(data.segment(), row * elements, elements, at + row);
                }
                return new TensorColumn(tensor, rows, data, null, 0, 0);
            }
            count(data.segment(), rows, at);
            return new LongColumn(DataType.INT64, rows, data, null, 0, 0);
        }

        private static void count(MemorySegment target, long rows, long first) {
            for (long i = 0; i < rows; i++) {
                target.setAtIndex(ValueLayout.JAVA_LONG, i, first + i);
            }
        }

        private static void fill(MemorySegment target, long from, long elements, long value) {
            for (long i = from; i < from + elements; i++) {
                target.setAtIndex(ValueLayout.JAVA_LONG, i, value);
            }
        }
    }
}
