package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.testing.LoopbackRuntime;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Sources that break, and errored blocks, on a runtime of threads and on one that ships programs.
class SourceErrorTest {
    enum On {
        EMBEDDED,
        LOOPBACK;

        private Runtime runtime(Allocator account) {
            return switch (this) {
                case EMBEDDED -> new EmbeddedRuntime(Resources.cpus(2));
                case LOOPBACK -> new LoopbackRuntime(account, Resources.cpus(2));
            };
        }

        Session session(FaultSettings faults) {
            return Session.builder()
                    .progress(ProgressSettings.OFF)
                    .faults(faults)
                    .runtime(this::runtime)
                    .open();
        }
    }

    /// IO errors that are still to come; loopback runs in this process too.
    private static final AtomicInteger RESETS = new AtomicInteger();

    /// Four splits of thirty ids, three chunks each; split 1 breaks in its third chunk.
    record Breaking(boolean corrupt) implements Source {
        @Override
        public String name() {
            return "Breaking";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(Schema.of("id", DataType.INT64));
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return IntStream.range(0, 4)
                    .<Split>mapToObj(number -> new Part(number, corrupt))
                    .iterator();
        }
    }

    record Part(int number, boolean corrupt) implements Split {
        @Override
        public String description() {
            return "part-" + number;
        }

        @Override
        public SplitReader open(ReadContext context) {
            AtomicInteger at = new AtomicInteger();
            return () -> {
                int chunk = at.getAndIncrement();
                if (number == 1 && chunk == 2) {
                    if (corrupt) {
                        throw MillraceException.data("part-1 is corrupt at byte 77.");
                    }
                    if (RESETS.getAndDecrement() > 0) {
                        throw new IOException("connection reset");
                    }
                }
                long first = number * 30L + chunk * 10L;
                return chunk == 3
                        ? null
                        : Block.of(
                                Schema.of("id", DataType.INT64),
                                List.of(Columns.ofLongs(
                                        context.allocator(),
                                        LongStream.range(first, first + 10).toArray())),
                                10);
            };
        }
    }

    private static List<Long> ids(Dataset dataset) {
        return dataset.takeAll().stream().map(row -> row.getLong("id")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatFailsInTheMiddleIsOpenedAgainAndNoRowComesTwice(On on) {
        RESETS.set(2);
        FaultSettings quick = FaultSettings.DEFAULT.withIoAttempts(3, Duration.ofMillis(5));
        try (Session session = on.session(quick)) {
            assertThat(ids(session.read(new Breaking(false))))
                    .isEqualTo(LongStream.range(0, 120).boxed().toList());
            RESETS.set(100);
            assertThatThrownBy(session.read(new Breaking(false))::takeAll)
                    .hasMessageMatching("Reading part-1 failed after row 20: java.io.IOException: connection reset"
                            + " \\(read at SourceErrorTest:\\d+\\) \\(It was tried 3 times.\\)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void brokenDataObeysThePolicyOfTheRead(On on) {
        try (Session session = on.session(FaultSettings.DEFAULT)) {
            Dataset broken = session.read(new Breaking(true));
            assertThatThrownBy(broken::takeAll).hasMessageContaining("part-1 is corrupt");
            Dataset kept = broken.onReadError(ErrorPolicy.deadLetter("splits")).filter(row -> row.getLong("id") >= 0);
            assertThat(ids(kept)).hasSize(110).doesNotContain(50L, 59L).contains(49L, 60L);
            List<Row> letters = kept.deadLetters().takeAll();
            assertThat(letters).hasSize(1);
            assertThat(letters.getFirst().getString("origin")).isEqualTo("part-1");
            assertThat(letters.getFirst().getLong("row")).isEqualTo(20);
            assertThat(letters.getFirst().getString("message")).isEqualTo("part-1 is corrupt at byte 77.");
            assertThatThrownBy(broken.onReadError(ErrorPolicy.skip().atMost(0))::takeAll)
                    .hasMessageContaining("lets at most 0 pass");
            assertThatThrownBy(() -> broken.limit(3).onReadError(ErrorPolicy.skip()))
                    .hasMessageContaining("right behind the read");
        }
    }

    /// Ray Data says: [max_errored_blocks=1] -> [0, 1, 4, 5, 6, 7]
    @ParameterizedTest
    @EnumSource
    void oneErroredBlockIsDroppedWhereOneMayBe(On on) {
        try (Session session = on.session(FaultSettings.DEFAULT.withMaxErroredBlocks(1))) {
            assertThat(ids(session.range(8, 4).map(row -> {
                        if (row.getLong("id") == 3) {
                            throw new IllegalStateException("three");
                        }
                        return row;
                    })))
                    .containsExactly(0L, 1L, 4L, 5L, 6L, 7L);
        }
    }
}
