package dev.millrace.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            Relational.WORKLOADS,
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
            "join"),
    DUCKDB(
            Relational.WORKLOADS,
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
            "join-large"),
    PYARROW("scan", "read", "csv", "json"),
    SPARK("rows", "range", "start"),
    PLAIN("rows", "range", "start", "images", "inference");

    /// The workloads over nulls, several keys, texts and types, which engines for tables have all of. In a class of
    /// its own, since the constants above are made before the static fields of this one.
    private static final class Relational {
        private static final List<String> WORKLOADS = List.of(
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
                "casts");
    }

    private final List<String> workloads;

    Peer(String... workloads) {
        this(List.of(), workloads);
    }

    Peer(List<String> common, String... own) {
        this.workloads = Stream.concat(Stream.of(own), common.stream()).toList();
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
