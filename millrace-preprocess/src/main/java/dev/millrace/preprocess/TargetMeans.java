package dev.millrace.preprocess;

import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The sum and number of the targets of each category, of a column of structs of `value` and `target`: a list of
/// structs of `value`, which may be null, `sum` and `count`.
record TargetMeans(DataType category) implements AggregateDefinition<TargetMeans.Sums> {
    /// The sum and number of targets by category, and of the rows without one.
    static final class Sums implements Serializable {
        private static final long serialVersionUID = 1L;

        private final TreeMap<Object, double[]> known = new TreeMap<>();
        private final double[] missing = new double[2];

        private double[] of(@Nullable Object key) {
            return key == null || key instanceof Double real && real.isNaN()
                    ? missing
                    : known.computeIfAbsent(key, _ -> new double[2]);
        }
    }

    @Override
    public Sums init() {
        return new Sums();
    }

    @Override
    public Sums accumulate(Sums state, @Nullable Object value) {
        if (value instanceof Map<?, ?> pair && pair.get("target") instanceof Number number) {
            double target = number.doubleValue();
            if (!Double.isNaN(target)) {
                add(state.of(pair.get("value")), target, 1);
            }
        }
        return state;
    }

    private static void add(double[] sums, double sum, double count) {
        sums[0] += sum;
        sums[1] += count;
    }

    @Override
    public Sums merge(Sums state, Sums other) {
        other.known.forEach((key, more) -> add(state.of(key), more[0], more[1]));
        add(state.missing, other.missing[0], other.missing[1]);
        return state;
    }

    @Override
    public Object finish(Sums state) {
        List<Map<String, @Nullable Object>> entries = new ArrayList<>();
        state.known.forEach((key, sums) -> entries.add(entry(key, sums)));
        if (state.missing[1] > 0) {
            entries.add(entry(null, state.missing));
        }
        return entries;
    }

    private static Map<String, @Nullable Object> entry(@Nullable Object key, double[] sums) {
        Map<String, @Nullable Object> entry = new HashMap<>();
        entry.put("value", key);
        entry.put("sum", sums[0]);
        entry.put("count", sums[1]);
        return entry;
    }

    @Override
    public DataType type() {
        return DataType.list(DataType.struct(
                new Field("value", category),
                new Field("sum", DataType.FLOAT64),
                new Field("count", DataType.FLOAT64)));
    }
}
