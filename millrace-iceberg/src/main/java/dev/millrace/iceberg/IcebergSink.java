package dev.millrace.iceberg;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.iceberg.DataFileText;
import dev.millrace.internal.iceberg.TableCommit;
import dev.millrace.internal.iceberg.TableWriter;
import dev.millrace.internal.iceberg.WriteColumns;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.Sink;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteSummary;
import dev.millrace.sink.WriteTask;
import dev.millrace.sink.WrittenFile;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/// Writes to a table. Tasks write data files into the table's data folder, under names with the job's id; the commit of
/// the table's metadata adds all of them to the table.
final class IcebergSink implements Sink {
    private static final long serialVersionUID = 1L;

    /// Only on the driver.
    private final transient Table table;

    /// The outcome of a commit is unknown: its files may be part of the table.
    private transient volatile boolean unknown;

    private final Table written;
    private final boolean overwrite;
    private final WriteColumns columns;

    IcebergSink(Table table, boolean overwrite) {
        this.table = table;
        this.written = SerializableTable.copyOf(table);
        this.overwrite = overwrite;
        this.columns = WriteColumns.of(table);
    }

    @Override
    public String name() {
        return "Iceberg(" + written.name() + ")";
    }

    @Override
    public void check(Optional<Schema> schema) {
        schema.ifPresent(columns::check);
    }

    @Override
    public boolean start(WriteJob job) {
        return true;
    }

    @Override
    public SinkWriter open(WriteTask task) {
        return new TableWriter(written, columns, task);
    }

    @Override
    public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
        List<WrittenFile> files = fragments.stream()
                .flatMap(fragment -> fragment.files().stream())
                .toList();
        List<DataFile> data =
                files.stream().map(file -> DataFileText.read(file.path())).toList();
        if (!data.isEmpty() || overwrite) {
            commit(job, () -> overwrite ? replace(data) : add(data));
        }
        return new WriteSummary(
                data.stream().map(DataFile::location).toList(),
                files.stream().mapToLong(WrittenFile::rows).sum(),
                files.stream().mapToLong(WrittenFile::bytes).sum(),
                false);
    }

    private AppendFiles add(List<DataFile> files) {
        AppendFiles append = table.newAppend();
        files.forEach(append::appendFile);
        return append;
    }

    private OverwriteFiles replace(List<DataFile> files) {
        OverwriteFiles replace = table.newOverwrite().overwriteByRowFilter(Expressions.alwaysTrue());
        files.forEach(replace::addFile);
        return replace;
    }

    private void commit(WriteJob job, Supplier<SnapshotUpdate<?>> update) {
        try {
            new TableCommit(table, job.id()).run(update);
        } catch (CommitStateUnknownException e) {
            unknown = true;
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "Nobody knows whether the write to " + written.name()
                            + " was committed: the catalog did not say."
                            + " Look for a snapshot with " + TableCommit.JOB + " = " + job.id()
                            + " before writing again; the files stay.",
                    e);
        } catch (CommitFailedException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The write to " + written.name() + " was not committed, because other writers always were first: "
                            + e.getMessage() + " Write again, or raise the table's commit.retry.num-retries.",
                    e);
        } catch (RuntimeException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The write to " + written.name() + " was not committed, and its files are removed: "
                            + e.getMessage(),
                    e);
        }
    }

    /// Deletes the job's files if the table's files can be listed; otherwise the files of tasks that had ended stay
    /// until the table's maintenance (remove_orphan_files) finds them.
    @Override
    public void abort(WriteJob job) {
        if (unknown || !(table.io() instanceof SupportsPrefixOperations files)) {
            return;
        }
        for (FileInfo file : files.listPrefix(TableWriter.dataFolder(written))) {
            if (file.location().contains(job.id())) {
                files.deleteFile(file.location());
            }
        }
    }
}
