package dev.millrace.window;

import dev.millrace.relation.SortKey;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A partitioning of rows and the order within each partition: `Window.partitionBy("user").orderBy("time")`.
///
/// The order is that of `sort`: NaN after the numbers and null last in both directions. Rows with equal keys are peers,
/// and are in the order of the dataset's rows. Without an order all rows of a partition are peers.
///
/// @param keys rows with equal values in these columns form a partition: null is equal to null, NaN to NaN, 0.0 to
///     -0.0; empty: all rows are one partition
public record Window(List<String> keys, List<SortKey> order) implements Serializable {
    public Window {
        keys = List.copyOf(keys);
        order = List.copyOf(order);
    }

    /// All rows are one partition. They are sorted together and then processed by one task.
    public static Window whole() {
        return new Window(List.of(), List.of());
    }

    /// Rows with equal values in these columns form a partition; null is a value.
    public static Window partitionBy(String... columns) {
        return new Window(List.of(columns), List.of());
    }

    /// The same partitions, with rows ordered by these columns, ascending.
    public Window orderBy(String... columns) {
        return orderBy(Arrays.stream(columns).map(SortKey::ascending).toArray(SortKey[]::new));
    }

    /// The order of rows within a partition.
    public Window orderBy(SortKey... by) {
        return new Window(keys, List.of(by));
    }

    @Override
    public String toString() {
        String sorted = order.stream().map(SortKey::toString).collect(Collectors.joining(", "));
        return (keys.isEmpty() ? "all rows" : "by " + String.join(", ", keys))
                + (order.isEmpty() ? "" : " in order of " + sorted);
    }
}
