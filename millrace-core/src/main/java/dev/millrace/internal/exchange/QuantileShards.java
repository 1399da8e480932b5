package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.internal.kernel.aggregate.ExactQuantiles;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Sorts the numbers of a bundle, without nulls, and reports samples: from these the rank of a row among all numbers is
/// known up to a few rows.
record QuantileShards() implements ShardMaker {
    private static final int SAMPLES = 1024;
    private static final Schema NUMBERS = Schema.of(List.of(new Field(GlobalAggregates.VALUE, DataType.FLOAT64)));

    @Override
    public void make(MapTask task) {
        long rows = 0;
        double scale = 1;
        for (int i = 0; i < task.blocks(); i++) {
            try (Block block = task.block(i)) {
                rows += block.rows();
                scale = Math.max(scale, ExactQuantiles.scaleOf(block.column(0).type()));
            }
        }
        try (CountedArray<double[]> numbers = CountedArray.ofDoubles(task.allocator(), Math.toIntExact(rows))) {
            int count = read(task, numbers.values(), scale);
            task.requireRunning();
            Arrays.sort(numbers.values(), 0, count);
            emit(task, numbers.values(), count);
            task.tell(sample(numbers.values(), count, scale));
        }
    }

    private static int read(MapTask task, double[] into, double scale) {
        int count = 0;
        for (int i = 0; i < task.blocks(); i++) {
            try (Block block = task.block(i)) {
                Column column = block.column(0);
                int from = count;
                count += ExactQuantiles.read(column, into, count);
                double factor = scale / ExactQuantiles.scaleOf(column.type());
                for (int at = from; factor != 1 && at < count; at++) {
                    into[at] *= factor;
                }
            }
        }
        return count;
    }

    private static void emit(MapTask task, double[] numbers, int count) {
        int step = Math.clamp(task.shardBytes() / Double.BYTES, 1, Integer.MAX_VALUE);
        for (int from = 0; from < count; from += Math.min(step, count - from)) {
            int some = Math.min(step, count - from);
            Buffer data = task.allocator().allocate((long) some * Double.BYTES);
            MemorySegment.copy(numbers, from, data.segment(), JAVA_DOUBLE, 0, some);
            task.emit(Block.of(NUMBERS, List.of(new DoubleColumn(DataType.FLOAT64, some, data, null, 0, 0)), some));
        }
    }

    private static SortedNumbers sample(double[] numbers, int count, double scale) {
        int step = Math.max(1, (count + SAMPLES - 1) / SAMPLES);
        double[] samples = new double[(count + step - 1) / step];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = numbers[i * step];
        }
        return new SortedNumbers(samples, step, count, count == 0 ? 0 : numbers[count - 1], scale);
    }
}
