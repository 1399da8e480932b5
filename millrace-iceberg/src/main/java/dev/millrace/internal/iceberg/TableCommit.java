package dev.millrace.internal.iceberg;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.util.PropertyUtil;

/// Commits one job's files to a table with concurrent writers. The library gives up after a few attempts, each of which
/// is lost if another writer commits first: with many writers some would lose all attempts, and hours of work. So
/// unless the table sets the number of attempts, its commit timeout (`commit.retry.total-timeout-ms`) is the limit.
public final class TableCommit {
    /// The snapshot property that names the job that created the snapshot.
    public static final String JOB = "millrace.job";

    private static final long MAX_PAUSE = Duration.ofSeconds(1).toNanos();

    private final Table table;
    private final String job;

    public TableCommit(Table table, String job) {
        this.table = table;
        this.job = job;
    }

    /// When this returns, the files are part of the table.
    ///
    /// @param update called for each attempt: an update that failed cannot be committed again
    /// @throws CommitFailedException other writers always committed first; nothing is committed
    /// @throws CommitStateUnknownException if the outcome of the commit is unknown
    public void run(Supplier<SnapshotUpdate<?>> update) {
        long end = System.nanoTime() + patience().toNanos();
        while (true) {
            try {
                once(update.get());
                return;
            } catch (CommitFailedException e) {
                if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE));
                table.refresh();
            }
        }
    }

    private void once(SnapshotUpdate<?> update) {
        try {
            update.set(JOB, job);
            update.commit();
        } catch (RuntimeException e) {
            if (e instanceof CleanableFailure) {
                throw e;
            }
            if (!isCommitted()) {
                throw e instanceof CommitStateUnknownException ? e : new CommitStateUnknownException(e);
            }
        }
    }

    /// Also false if the catalog does not answer.
    private boolean isCommitted() {
        try {
            table.refresh();
            for (var snapshot : table.snapshots()) {
                if (job.equals(snapshot.summary().get(JOB))) {
                    return true;
                }
            }
        } catch (RuntimeException e) {
            return false;
        }
        return false;
    }

    private Duration patience() {
        if (table.properties().containsKey(TableProperties.COMMIT_NUM_RETRIES)) {
            return Duration.ZERO;
        }
        return Duration.ofMillis(PropertyUtil.propertyAsInt(
                table.properties(),
                TableProperties.COMMIT_TOTAL_RETRY_TIME_MS,
                TableProperties.COMMIT_TOTAL_RETRY_TIME_MS_DEFAULT));
    }
}
