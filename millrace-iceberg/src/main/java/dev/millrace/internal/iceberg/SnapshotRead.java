package dev.millrace.internal.iceberg;

import dev.millrace.expression.Expression;
import dev.millrace.internal.serial.Confidential;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/// A read of one snapshot of a table. Files are planned when they are first needed.
public final class SnapshotRead implements Serializable, Confidential {
    private static final long serialVersionUID = 1L;

    private final Table table;
    /// Null if the table has no snapshot, and therefore no rows.
    private final @Nullable Long snapshot;

    private final org.apache.iceberg.Schema columns;
    private final String what;
    private final TableRead read;

    /// Computed on first use; the race is benign.
    private transient @Nullable List<PlannedFile> files;

    private SnapshotRead(
            Table table, @Nullable Long snapshot, org.apache.iceberg.Schema columns, String what, TableRead read) {
        this.table = table;
        this.snapshot = snapshot;
        this.columns = columns;
        this.what = what;
        this.read = read;
    }

    /// A read of all columns.
    ///
    /// @param what describes the snapshot, for plans
    public static SnapshotRead of(
            Table table, @Nullable Long snapshot, org.apache.iceberg.Schema columns, String what) {
        Schema all = IcebergTypes.schema(columns);
        return new SnapshotRead(
                SerializableTable.copyOf(table),
                snapshot,
                columns,
                what,
                new TableRead(table.name(), all, all, null, Long.MAX_VALUE));
    }

    /// The properties of its files may hold keys.
    @Override
    public Optional<String> confidence() {
        return Optional.of(
                "the plan reads the Iceberg table " + name() + ", whose properties may hold keys, and they are"
                        + " written to no file. Load the table in the program that loads the plan.");
    }

    private SnapshotRead with(TableRead other) {
        return new SnapshotRead(table, snapshot, columns, what, other);
    }

    public String name() {
        return read.table();
    }

    public String description() {
        return read.table() + what + (read.filter() == null ? "" : " where " + read.filter());
    }

    public Schema schema() {
        return read.output();
    }

    private List<PlannedFile> planned() {
        List<PlannedFile> planned = files;
        if (planned == null) {
            planned = snapshot == null ? List.of() : FilePlan.of(table, snapshot, columns, read.all(), read.filter());
            files = planned;
        }
        return planned;
    }

    /// The number of rows from the metadata, if nothing is deleted.
    public OptionalLong rows() {
        boolean exact = read.filter() == null
                && read.limit() == Long.MAX_VALUE
                && planned().stream().noneMatch(PlannedFile::hasDeletes);
        return exact
                ? OptionalLong.of(
                        planned().stream().mapToLong(PlannedFile::rows).sum())
                : OptionalLong.empty();
    }

    public long sizeBytes() {
        return SplitCutter.memory(
                read, planned().stream().mapToLong(PlannedFile::rows).sum());
    }

    public List<String> files() {
        return planned().stream().map(planned -> planned.file().path()).toList();
    }

    public SnapshotRead project(List<String> names) {
        return with(read.to(Schema.of(names.stream()
                .map(name -> read.output().field(read.output().require(name, "select")))
                .toList())));
    }

    public SnapshotRead narrow(Schema schema) {
        return with(read.to(schema));
    }

    public SnapshotRead limit(long rows) {
        return with(read.limit(rows));
    }

    /// A read with part of a filter pushed down.
    ///
    /// @param rest the part of the filter that remains; null if none
    public record Filtered(SnapshotRead read, @Nullable Expression rest) {}

    /// Pushes down every deterministic conjunct on columns of the table that calls no user-defined function.
    public Filtered filter(Expression predicate) {
        Expression taken = null;
        Expression rest = null;
        for (Expression part : predicate.conjuncts()) {
            boolean ours = part.isDeterministic()
                    && !part.callsOut()
                    && part.columns().stream().allMatch(read.all()::contains);
            if (ours) {
                taken = taken == null ? part : taken.and(part);
            } else {
                rest = rest == null ? part : rest.and(part);
            }
        }
        return new Filtered(taken == null ? this : with(read.and(taken)), rest);
    }

    public List<Split> splits(SplitRequest request) {
        return SplitCutter.cut(read, planned(), request);
    }
}
