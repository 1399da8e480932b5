package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.Functions;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.settings.ProgressSettings;
import java.io.ByteArrayInputStream;
import java.io.Serializable;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class FunctionCheckTest {
    private static final String BOUND = " belongs to this process and cannot be sent to a worker. ";
    private static final String ONCE_PER_ACTOR =
            " it inside the function, or make the function a class that %s it once per actor (Compute.actors).";
    private static final String OPEN = "Open" + ONCE_PER_ACTOR.formatted("opens");
    private static final String CREATE = "Create" + ONCE_PER_ACTOR.formatted("creates");

    private static AbstractThrowableAssert<?, ?> refusal(Serializable function) {
        return assertThatThrownBy(() -> FunctionCheck.requireSerialisable("map(f)", function));
    }

    @Test
    void aConnectionIsNamed() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            refusal((RowFunction) row -> row.with("port", server.getLocalPort()))
                    .hasMessage(
                            "map(f) captures 'server', a java.net.ServerSocket: a network connection" + BOUND + OPEN);
        }
    }

    @Test
    void threadsAndPoolsOfThemAreNamed() {
        Thread watcher = Thread.currentThread();
        refusal((RowFunction) row -> row.with("n", watcher.getName()))
                .hasMessage("map(f) captures 'watcher', a java.lang.Thread: a thread" + BOUND + CREATE);
        Executor pool = new java.util.concurrent.ForkJoinPool(1);
        refusal((RowFunction) row -> {
                    pool.execute(() -> {});
                    return row;
                })
                .hasMessage("map(f) captures 'pool', a java.util.concurrent.ForkJoinPool: a pool of threads" + BOUND
                        + CREATE);
    }

    @Test
    void anIteratorIsNamed() {
        Iterator<String> names = List.of("a").iterator();
        refusal((RowFunction) row -> row.with("n", names.next()))
                .hasMessageMatching("map\\(f\\) captures 'names', a java.util.\\S+: an iterator" + BOUND
                        + "Capture the values that the function needs, in a list, map or array.");
    }

    @Test
    void sessionsDatasetsBatchesAndRowsAreNamed() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            refusal((RowFunction) row -> row.with("n", session.range(3).count()))
                    .hasMessage("map(f) captures 'session', a dev.millrace.Session: a session" + BOUND
                            + "Functions on workers cannot start work of their own: use verbs of the dataset, such as"
                            + " join, instead.");
            Dataset zones = session.range(3);
            refusal((RowFunction) row -> row.with("n", zones.count()))
                    .hasMessage("map(f) captures 'zones', a dev.millrace.Dataset: a dataset" + BOUND
                            + "Join it, or take its rows (takeAll) into a list or map that the function captures.");
            List<Row> lookup = zones.takeAll();
            assertThatCode(() -> FunctionCheck.requireSerialisable(
                            "map(f)", (RowFunction) row -> row.with("n", lookup.size())))
                    .doesNotThrowAnyException();
            try (var batches = zones.iterBatches()) {
                Batch batch = batches.next();
                refusal((RowFunction) row -> row.with("n", batch.rows()))
                        .hasMessage("map(f) captures 'batch', a dev.millrace.batch.Batch: a batch of rows" + BOUND
                                + "It lives in memory of this process until its function or loop goes on. Capture the values"
                                + " that the function needs, in a list, map or array.");
                refusal((RowFunction) row -> row.with("n", batches.hasNext()))
                        .hasMessageStartingWith("map(f) captures 'batches', a ")
                        .hasMessageContaining(": an iterator" + BOUND);
            }
        }
    }

    /// A function object as Kotlin and Scala make them: a serialisable class with fields.
    private static final class Reader implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // that it is not is the test
        private final Map<String, AtomicReference<ByteArrayInputStream>> streams;

        Reader(ByteArrayInputStream in) {
            this.streams = Map.of("a", new AtomicReference<>(in));
        }

        @Override
        public Batch apply(Batch batch) {
            return batch.withConstant("n", streams.size());
        }
    }

    @Test
    void whatIsInsideOfClassesOfTheJdkIsNamedByTheWayToThem() {
        refusal(new Reader(new ByteArrayInputStream(new byte[0])))
                .hasMessage("map(f) holds 'streams[]', which holds a java.io.ByteArrayInputStream: an open stream"
                        + BOUND + OPEN);
    }

    @Test
    void variablesOfLocalClassesHaveTheirNames() {
        Functions.Db connection = new Functions.Db();
        BatchFunction local = new BatchFunction() {
            private static final long serialVersionUID = 1L;

            @Override
            public Batch apply(Batch batch) {
                return batch.withConstant("db", connection.name());
            }
        };
        refusal(local).hasMessageMatching("map\\(f\\) holds '(connection|this)', a .*, which is not serialisable. .*");
    }

    @Test
    void commonValuesThatAreNotSerialisableHaveTheirOwnAdvice() {
        Path path = Path.of("model.onnx");
        refusal((RowFunction) row -> row.with("p", path.toString()))
                .hasMessageEndingWith(
                        ", which is not serialisable. Capture its text, path.toString(), and call Path.of inside the"
                                + " function.");
        Optional<String> label = Optional.of("a");
        refusal((RowFunction) row -> row.with("p", label.get()))
                .hasMessage(
                        "map(f) captures 'label', a java.util.Optional, which is not serialisable. Capture its value,"
                                + " or null.");
        Function<String, String> trim = String::trim;
        refusal((RowFunction) row -> row.with("p", trim.apply("a")))
                .hasMessage(
                        "map(f) captures 'trim', a lambda of java.util.function.Function, which is not serialisable."
                                + " Give its variable a type that extends java.io.Serializable, such as the functions of"
                                + " dev.millrace.function.");
    }

    private record Trip(String zone) {}

    @Test
    void aRecordThatIsNotSerialisableIsNamed() {
        List<Trip> trips = List.of(new Trip("a"));
        refusal((RowFunction) row -> row.with("n", trips.size()))
                .hasMessage(
                        "map(f) captures 'trips[]', a record dev.millrace.internal.transform.FunctionCheckTest$Trip,"
                                + " which is not serialisable. Let its class implement java.io.Serializable, create it inside the"
                                + " function, or make the function a class that creates it once per actor (Compute.actors).");
    }

    private record Link(Link next) implements Serializable {}

    @Test
    void aChainThatIsTooDeepIsTold() {
        Link first = new Link(null);
        for (int i = 0; i < 1_000_000; i++) {
            first = new Link(first);
        }
        Link chain = first;
        refusal((RowFunction) row -> row.with("n", chain.next() == null))
                .hasMessage("map(f) holds a chain of objects, each of which refers to the next, that is too long to be"
                        + " serialised. Keep them in a list or an array.");
    }
}
