package dev.millrace;

import dev.millrace.batch.Row;
import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What datasets do, on any runtime: every verb and every way to consume them. Each test ends with the close of its
/// session, which throws if a byte is held.
@Timeout(60)
abstract class DatasetSuite
        implements SourceBehaviour,
                VerbBehaviour,
                FunctionBehaviour,
                HintBehaviour,
                TensorBehaviour,
                ErrorBehaviour,
                ExpressionErrorBehaviour,
                ConsumptionBehaviour,
                SplitBehaviour,
                RandomAccessBehaviour,
                SettingsBehaviour,
                PlanFileBehaviour,
                ShuffleBehaviour,
                JoinBehaviour,
                GroupByBehaviour,
                StatisticsBehaviour,
                ClosingBehaviour {
    static final Resources CAPACITY = new Resources(4, 0, 4L << 30, Map.of("disk", 2.0));

    private Session session;

    @TempDir
    Path folder;

    /// A runtime of [#CAPACITY].
    ///
    /// @param account for blocks it makes in this process
    abstract Runtime newRuntime(Allocator account);

    @BeforeEach
    void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(this::newRuntime)
                .open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public Path folder() {
        return folder;
    }

    static List<Object> values(List<Row> rows, String column) {
        return rows.stream().map(row -> row.get(column)).toList();
    }
}
