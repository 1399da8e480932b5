package dev.millrace.preprocess;

import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sum and number of the targets of each category, of a column of structs of `value` and `target`: a list of
/// structs of `value`, which may be null, `sum` and `count`.
record TargetMeans(DataType category) implements AggregateDefinition<LinkedHashMap<@Nullable Object, double[]>> {
    @Override
    public LinkedHashMap<@Nullable Object, double[]> init() {
        return new LinkedHashMap<>();
    }

    @Override
    public LinkedHashMap<@Nullable Object, double[]> accumulate(
            LinkedHashMap<@Nullable Object, double[]> state, @Nullable Object value) {
        if (value instanceof Map<?, ?> pair && pair.get("target") instanceof Number number) {
            double target = number.doubleValue();
            if (!Double.isNaN(target)) {
                Object key = pair.get("value");
                boolean missing = key instanceof Double real && real.isNaN();
                double[] sums = state.computeIfAbsent(missing ? null : key, _ -> new double[2]);
                sums[0] += target;
                sums[1]++;
            }
        }
        return state;
    }

    @Override
    public LinkedHashMap<@Nullable Object, double[]> merge(
            LinkedHashMap<@Nullable Object, double[]> state, LinkedHashMap<@Nullable Object, double[]> other) {
        other.forEach((key, more) -> {
            double[] sums = state.computeIfAbsent(key, _ -> new double[2]);
            sums[0] += more[0];
            sums[1] += more[1];
        });
        return state;
    }

    @Override
    public Object finish(LinkedHashMap<@Nullable Object, double[]> state) {
        List<Map<String, @Nullable Object>> entries = new ArrayList<>();
        state.forEach((key, sums) -> {
            Map<String, @Nullable Object> entry = new HashMap<>();
            entry.put("value", key);
            entry.put("sum", sums[0]);
            entry.put("count", sums[1]);
            entries.add(entry);
        });
        return entries;
    }

    @Override
    public DataType type() {
        return DataType.list(DataType.struct(
                new Field("value", category),
                new Field("sum", DataType.FLOAT64),
                new Field("count", DataType.FLOAT64)));
    }
}
