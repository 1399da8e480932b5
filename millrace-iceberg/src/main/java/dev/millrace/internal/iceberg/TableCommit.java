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

/// The commit of one job's files to a table that others write to as well. The library gives up after a few tries, of
/// which each is lost to a writer who was first: with many writers some lose them all, and hours of work with them. So
/// unless the table says how often to try, its own time for commits (`commit.retry.total-timeout-ms`) is the limit.
public final class TableCommit {
    /// The property of a snapshot that names the job that made it.
    public static final String JOB = "millrace.job";

    private static final long MAX_PAUSE = Duration.ofSeconds(1).toNanos();

    private final Table table;
    private final String job;

    public TableCommit(Table table, String job) {
        this.table = table;
        this.job = job;
    }

    /// Once it returns the files are part of the table.
    ///
    /// @param update made anew for each round: one that failed cannot be committed again
    /// @throws CommitFailedException others always were first; nothing is committed
    /// @throws CommitStateUnknownException it may be committed, or not
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

    /// False too where the catalog does not answer.
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
