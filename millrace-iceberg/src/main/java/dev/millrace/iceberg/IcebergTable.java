package dev.millrace.iceberg;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.iceberg.SnapshotRead;
import dev.millrace.sink.Sink;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/// A table: a source that is read at one snapshot, fixed when this is created, and the entry point for writing. Columns
/// are matched by field id, so that files from before a schema change are read with the schema of the snapshot.
public final class IcebergTable implements Source {
    private static final long serialVersionUID = 1L;

    /// Only in the process that loaded the table: workers and other processes read, but do not commit.
    private final transient @Nullable Table table;

    private final SnapshotRead read;

    private IcebergTable(@Nullable Table table, SnapshotRead read) {
        this.table = table;
        this.read = read;
    }

    static IcebergTable of(Table table) {
        Snapshot current = table.currentSnapshot();
        Long snapshot = current == null ? null : current.snapshotId();
        return new IcebergTable(table, SnapshotRead.of(table, snapshot, table.schema(), ""));
    }

    private Table table() {
        if (table == null) {
            throw MillraceException.user(
                    "The table " + read.name()
                            + " was sent here from another process: choose its snapshot, and write to it, where it was loaded.");
        }
        return table;
    }

    /// Reads the table at this snapshot.
    public IcebergTable snapshot(long id) {
        Table table = table();
        if (table.snapshot(id) == null) {
            throw MillraceException.user("The table " + table.name() + " has no snapshot " + id + ".");
        }
        return at(id, SnapshotUtil.schemaFor(table, id), " at snapshot " + id);
    }

    /// Reads the table as of a time.
    public IcebergTable asOf(Instant time) {
        Table table = table();
        Long id = SnapshotUtil.nullableSnapshotIdAsOfTime(table, time.toEpochMilli());
        if (id == null) {
            throw MillraceException.user("The table " + table.name() + " had no snapshot yet at " + time + ".");
        }
        return at(id, SnapshotUtil.schemaFor(table, id), " as of " + time);
    }

    /// Reads a branch or a tag.
    public IcebergTable ref(String name) {
        Table table = table();
        SnapshotRef ref = table.refs().get(name);
        if (ref == null) {
            throw MillraceException.user("The table " + table.name() + " has no branch or tag '" + name + "'. It has "
                    + table.refs().keySet().stream().sorted().toList() + ".");
        }
        return at(ref.snapshotId(), SnapshotUtil.schemaFor(table, name), " at " + name);
    }

    private IcebergTable at(long snapshot, org.apache.iceberg.Schema schema, String what) {
        return new IcebergTable(table, SnapshotRead.of(table(), snapshot, schema, what));
    }

    /// A sink that appends rows to the table: columns are matched by name, those that the dataset lacks are null.
    /// Others see all rows of a write or none.
    public Sink append() {
        return new IcebergSink(table(), false);
    }

    /// A sink that replaces all rows of the table, in one commit.
    public Sink overwrite() {
        return new IcebergSink(table(), true);
    }

    /// The library's own table.
    public Table unwrap() {
        return table();
    }

    @Override
    public String name() {
        return "Iceberg(" + read.description() + ")";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(read.schema());
    }

    @Override
    public OptionalLong rows() {
        return read.rows();
    }

    @Override
    public OptionalLong sizeBytes() {
        return OptionalLong.of(read.sizeBytes());
    }

    @Override
    public List<String> inputFiles() {
        return read.files();
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        return Optional.of(new IcebergTable(table, read.project(columns)));
    }

    @Override
    public Optional<Source> narrow(Schema schema) {
        return Optional.of(new IcebergTable(table, read.narrow(schema)));
    }

    @Override
    public Optional<PushedFilter> filter(Expression predicate) {
        SnapshotRead.Filtered filtered = read.filter(predicate);
        return filtered.read() == read
                ? Optional.empty()
                : Optional.of(new PushedFilter(new IcebergTable(table, filtered.read()), filtered.rest()));
    }

    @Override
    public Optional<Source> limit(long rows) {
        return Optional.of(new IcebergTable(table, read.limit(rows)));
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return read.splits(request).iterator();
    }
}
