package dev.millrace.preprocess;

import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How often each element occurs in the lists of a column, or each part in its texts: a list of structs of `value` and
/// `count`, the most frequent first, equally frequent ones in their order. Missing lists and elements are not counted.
///
/// @param separator between the parts of texts; empty for lists
record ElementCounts(DataType element, String separator) implements AggregateDefinition<TreeMap<Object, Long>> {
    @Override
    public TreeMap<Object, Long> init() {
        return new TreeMap<>();
    }

    @Override
    public TreeMap<Object, Long> accumulate(TreeMap<Object, Long> state, @Nullable Object value) {
        if (value instanceof String text) {
            int from = 0;
            for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
                state.merge(text.substring(from, at), 1L, Long::sum);
                from = at + separator.length();
            }
            state.merge(text.substring(from), 1L, Long::sum);
        } else if (value instanceof List<?> elements) {
            for (Object each : elements) {
                if (each != null && !(each instanceof Double number && number.isNaN())) {
                    state.merge(each, 1L, Long::sum);
                }
            }
        }
        return state;
    }

    @Override
    public TreeMap<Object, Long> merge(TreeMap<Object, Long> state, TreeMap<Object, Long> other) {
        other.forEach((value, count) -> state.merge(value, count, Long::sum));
        return state;
    }

    @Override
    public Object finish(TreeMap<Object, Long> state) {
        List<Map.Entry<Object, Long>> entries = new ArrayList<>(state.entrySet());
        entries.sort(Map.Entry.<Object, Long>comparingByValue().reversed());
        return entries.stream()
                .map(entry -> Map.of("value", entry.getKey(), "count", entry.getValue()))
                .toList();
    }

    @Override
    public DataType type() {
        return DataType.list(DataType.struct(new Field("value", element), new Field("count", DataType.INT64)));
    }
}
