package dev.millrace.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The engines to compare with, and the workloads that their scripts support. Each has a script `peers/with_NAME.py`
/// and its packages in `tools/python/NAME.txt`.
public enum Peer {
    RAY(
            "rows",
            "range",
            "start",
            "tiny",
            "connect",
            "memory",
            "scan",
            "read",
            "etl",
            "small-files",
            "csv",
            "json",
            "images",
            "inference",
            "sort",
            "shuffle",
            "groupby-high",
            "join"),
    TORCH("images"),
    DAFT("rows", "range", "start", "images", "inference"),
    POLARS(
            "rows",
            "range",
            "start",
            "scan",
            "read",
            "etl",
            "csv",
            "json",
            "sort",
            "shuffle",
            "join",
            "nulls-filter",
            "nulls-group",
            "nulls-join",
            "nulls-sort",
            "keys-group",
            "keys-join",
            "keys-sort",
            "strings-group",
            "strings-join",
            "strings-distinct",
            "strings-sort",
            "decimals",
            "text-functions",
            "casts"),
    DUCKDB(
            "range",
            "start",
            "scan",
            "read",
            "etl",
            "small-files",
            "csv",
            "json",
            "sort",
            "shuffle",
            "groupby",
            "groupby-mean",
            "groupby-high",
            "join",
            "join-left",
            "window",
            "window-whole",
            "distinct",
            "value-counts",
            "approx-distinct",
            "sort-large",
            "join-large",
            "nulls-filter",
            "nulls-group",
            "nulls-join",
            "nulls-sort",
            "keys-group",
            "keys-join",
            "keys-sort",
            "strings-group",
            "strings-join",
            "strings-distinct",
            "strings-sort",
            "decimals",
            "text-functions",
            "casts"),
    PYARROW("scan", "read", "csv", "json"),
    SPARK("rows", "range", "start"),
    PLAIN("rows", "range", "start", "images", "inference");

    private final List<String> workloads;

    Peer(String... workloads) {
        this.workloads = List.of(workloads);
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static String labels() {
        return Arrays.stream(values()).map(Peer::label).collect(Collectors.joining(", "));
    }

    /// Whether this peer supports the workload.
    public boolean has(Workload workload) {
        return workloads.contains(workload.peerName());
    }

    /// @throws BenchFailure a sentence, if this peer does not support the workload
    public void require(Workload workload) throws BenchFailure {
        if (!has(workload)) {
            throw new BenchFailure("'" + workload.name() + "' has no counterpart in " + label() + ", which has "
                    + String.join(", ", workloads) + ".");
        }
    }
}
