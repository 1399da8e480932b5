package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.testing.LoopbackRuntime;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The suite on a runtime that sends programs and blocks through bytes.
class LoopbackDatasetTest extends DatasetSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return new LoopbackRuntime(account, CAPACITY);
    }

    @Test
    void aFunctionThatCannotTravelIsNamedWithWhatItCaptured() {
        Object lock = new Object();
        BatchFunction captures = batch -> {
            synchronized (lock) {
                return batch;
            }
        };
        try (Session embedded = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(embedded.range(3).mapBatches(captures).takeAll()).hasSize(3);
        }
        assertError(() ->
                        session().range(3).mapBatches(captures, Compute.tasks().name("locked")))
                .hasMessageStartingWith("locked captures '")
                .hasMessageContaining(", a java.lang.Object, which is not serialisable.");
    }

    @Test
    void anOpenFileIsNamedAtTheVerb(@TempDir Path folder) throws IOException {
        try (OutputStream out = new FileOutputStream(folder.resolve("log").toFile())) {
            assertError(() -> session().range(3).map(row -> {
                        out.write(1);
                        return row;
                    }))
                    .hasMessageMatching(
                            "map\\(LoopbackDatasetTest:\\d+\\) captures 'out', a java.io.FileOutputStream: an open"
                                    + " file belongs to this process and cannot be sent to a worker. Open it inside the function, or"
                                    + " make the function a class that opens it once per actor \\(Compute.actors\\).");
        }
    }

    /// A source as a user may write it, with something that is of this process.
    private record OpenSource(Thread watcher) implements Source {
        @Override
        public String name() {
            return "Watched";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(Schema.of(new Field("id", DataType.INT64)));
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return List.<Split>of(new OpenSplit(watcher)).iterator();
        }
    }

    private record OpenSplit(Thread watcher) implements Split {
        @Override
        public String description() {
            return "all";
        }

        @Override
        public SplitReader open(ReadContext context) {
            throw new AssertionError("never opened");
        }
    }

    @Test
    void aThreadInASplitIsNamedWhenTheRunBegins() {
        assertError(() -> session().read(new OpenSource(Thread.currentThread())).takeAll())
                .hasMessage(
                        "Reading all holds 'watcher', a java.lang.Thread: a thread belongs to this process and cannot"
                                + " be sent to a worker. Create it inside the function, or make the function a class that creates"
                                + " it once per actor (Compute.actors).");
    }

    @Test
    void aClassThatIsMissingInAFunctionIsNamedWithTheWorker() {
        assertError(() -> session()
                        .range(1)
                        .map(row -> {
                            throw new NoClassDefFoundError("com/acme/Thumbnails");
                        })
                        .takeAll())
                .hasMessageMatching(
                        "map\\(LoopbackDatasetTest:\\d+\\) failed on .*: the class com.acme.Thumbnails is missing"
                                + " on loopback-worker. Workers have what is on the class path of the program that started the"
                                + " run: add the jar or folder that holds it there, and start the program again. \\(.*\\)");
    }
}
