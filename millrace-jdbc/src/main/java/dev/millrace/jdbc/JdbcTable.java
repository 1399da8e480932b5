package dev.millrace.jdbc;

import dev.millrace.error.MillraceException;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.Sink;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteMode;
import dev.millrace.sink.WriteSummary;
import dev.millrace.sink.WriteTask;
import dev.millrace.type.Schema;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A table to write to. Columns of the dataset are matched by name; other columns of the table get their defaults.
///
/// Tasks insert into a staging table (`millrace_JOB`, beside the target), and the commit moves all rows in one
/// transaction: others see all of them or none, and every row once, whatever was retried. If the response to a commit
/// is lost, its outcome is looked up; if that is impossible, the error says how to do it. A process that dies leaves
/// the staging table behind; drop it. [#direct] writes without a staging table.
///
/// ```java
/// dataset.write(Jdbc.connect(url).table("scores").overwrite())
/// ```
public final class JdbcTable implements Sink {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(JdbcTable.class.getName());
    static final int DEFAULT_BATCH = 1_000;

    private final Connections connections;
    private final String database;
    private final String table;
    private final WriteMode mode;
    private final boolean direct;
    private final @Nullable Schema created;
    private final int batch;
    /// The connections of running jobs, by job id; on the driver only.
    private final transient Map<String, OpenConnection> held = new ConcurrentHashMap<>();
    /// Jobs whose commit has an unknown outcome; on the driver only.
    private final transient Set<String> unknown = ConcurrentHashMap.newKeySet();

    JdbcTable(
            Connections connections,
            String database,
            String table,
            WriteMode mode,
            boolean direct,
            @Nullable Schema created,
            int batch) {
        if (table.isBlank()) {
            throw MillraceException.user("The table to write to has no name.");
        }
        this.connections = connections;
        this.database = database;
        this.table = table;
        this.mode = mode;
        this.direct = direct;
        this.created = created;
        this.batch = batch;
    }

    /// What happens to rows that are already in the table: new rows are added to them (the default), replace them, or
    /// are not written.
    public JdbcTable mode(WriteMode other) {
        return new JdbcTable(connections, database, table, other, direct, created, batch);
    }

    /// Replaces the table's rows, in the transaction that inserts the new ones.
    public JdbcTable overwrite() {
        return mode(WriteMode.OVERWRITE);
    }

    /// Creates the table with these columns if it does not exist.
    public JdbcTable createIfMissing(Schema columns) {
        return new JdbcTable(connections, database, table, mode, direct, columns, batch);
    }

    /// Each task inserts directly into the table, in one transaction. For users who may not create tables, and for
    /// speed. Rows become visible as their tasks end; a job that fails leaves the rows of the tasks that had ended; a
    /// task whose worker is lost just after the commit is run again, and its rows are then in the table twice. A commit
    /// whose response is lost is an error.
    public JdbcTable direct() {
        if (mode == WriteMode.OVERWRITE) {
            throw MillraceException.user(
                    "A direct write cannot overwrite: rows would be gone before the new ones are there.");
        }
        return new JdbcTable(connections, database, table, mode, true, created, batch);
    }

    /// The number of rows that are sent to the database at a time.
    public JdbcTable batchSize(int rows) {
        if (rows < 1) {
            throw MillraceException.user("The batch size must be at least 1, not " + rows + ".");
        }
        return new JdbcTable(connections, database, table, mode, direct, created, rows);
    }

    @Override
    public String name() {
        return "Jdbc(" + database + ", " + table + ")";
    }

    @Override
    public void check(Optional<Schema> schema) {
        schema.ifPresent(SqlValues::check);
    }

    private TableJob job(WriteJob job) {
        return new TableJob(connections, table, job.id(), direct);
    }

    /// The connection to an in-process database is held until the job ends: otherwise the database would be closed and
    /// opened again with every task.
    @Override
    public boolean start(WriteJob job) {
        OpenConnection open = job(job).open();
        held.put(job.id(), open);
        boolean started = false;
        try {
            started = job(job).start(open.connection(), mode, created);
            return started;
        } finally {
            if (!started || !open.isWithinThisProcess()) {
                letGo(job);
            }
        }
    }

    private void letGo(WriteJob job) {
        try {
            OpenConnection open = held.remove(job.id());
            if (open != null) {
                open.close();
            }
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "the connection that a write held was broken", e);
        }
    }

    @Override
    public SinkWriter open(WriteTask task) {
        return new InsertWriter(connections, job(task.job()), task.attempt(), batch);
    }

    @Override
    public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
        Optional<MillraceException> lost = job(job).commit(fragments, mode == WriteMode.OVERWRITE);
        if (lost.isPresent()) {
            unknown.add(job.id());
            throw lost.get();
        }
        letGo(job);
        long rows = fragments.stream().mapToLong(Fragment::rows).sum();
        return new WriteSummary(List.of(), rows, 0, false);
    }

    @Override
    public void abort(WriteJob job) {
        try {
            if (!unknown.remove(job.id())) {
                job(job).abort();
            }
        } finally {
            letGo(job);
        }
    }
}
