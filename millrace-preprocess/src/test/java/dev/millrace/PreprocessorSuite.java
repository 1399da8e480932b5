package dev.millrace;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What preprocessors do, on any runtime. Each test ends with the close of its session, which throws if a byte is held.
@Timeout(60)
abstract class PreprocessorSuite implements PreprocessorBehaviour {
    private Session session;

    @TempDir
    Path folder;

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
}
