package dev.millrace;

import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// What tests share that compare random tables with DuckDB: a connection, a seed that is printed, and sessions whose
/// blocks hold from a few rows up to all rows.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DuckDbOracle {
    static final long WHOLE_SHUFFLE = 1 << 30;

    final long seed = Seeds.seed();
    final List<Session> sessions = new ArrayList<>();
    Connection duck;

    private final List<Session> opened = new ArrayList<>();

    /// Bytes of a block, one session for each.
    abstract long[] targets();

    Runtime runtime(Allocator account) {
        return new EmbeddedRuntime(DatasetSuite.CAPACITY);
    }

    @BeforeAll
    void open() throws Exception {
        duck = DriverManager.getConnection("jdbc:duckdb:");
        for (long target : targets()) {
            sessions.add(open(target, WHOLE_SHUFFLE));
        }
    }

    /// A session that is closed with the others.
    Session open(long target, long shuffleTarget) {
        Session session = Session.builder()
                .blocks(new BlockSettings(Math.min(target, 1 << 20), target, shuffleTarget, 1 << 20))
                .progress(ProgressSettings.OFF)
                .runtime(this::runtime)
                .open();
        opened.add(session);
        return session;
    }

    /// Closing throws if a byte is held.
    @AfterAll
    void close() throws Exception {
        System.out.println(getClass().getSimpleName() + ": -Dmillrace.seed=" + seed);
        duck.close();
        opened.forEach(Session::close);
    }
}
