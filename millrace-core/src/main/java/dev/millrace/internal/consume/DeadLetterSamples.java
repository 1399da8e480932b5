package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.internal.observe.DeadLetterSample;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The first dead letters of a run, for its observer.
final class DeadLetterSamples {
    private static final int MAX_ROWS = 20;

    private DeadLetterSamples() {}

    /// Reads as many blocks as it needs for the first few rows; the caller keeps its references. What cannot be read is
    /// left out: a sample is not worth an error.
    static List<DeadLetterSample> of(Runtime runtime, Map<String, List<BlockSlice>> byName) {
        List<DeadLetterSample> samples = new ArrayList<>();
        new TreeMap<>(byName).forEach((name, slices) -> {
            long rows = slices.stream().mapToLong(BlockSlice::rows).sum();
            samples.add(new DeadLetterSample(name, rows, first(runtime, slices)));
        });
        return samples;
    }

    private static List<Map<String, @Nullable Object>> first(Runtime runtime, List<BlockSlice> slices) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (BlockSlice slice : slices) {
            int left = MAX_ROWS - rows.size();
            if (left > 0 && slice.rows() > 0) {
                BlockSlice part = new BlockSlice(slice.block(), slice.from(), Math.min(left, slice.rows()));
                try (Block block = runtime.get(part)) {
                    list(block, rows);
                } catch (RuntimeException _) {
                    return rows;
                }
            }
        }
        return rows;
    }

    private static void list(Block block, List<Map<String, @Nullable Object>> into) {
        for (int row = 0; row < block.rows(); row++) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (int column = 0; column < block.schema().fields().size(); column++) {
                values.put(
                        block.schema().fields().get(column).name(),
                        block.column(column).value(row));
            }
            into.add(values);
        }
    }
}
