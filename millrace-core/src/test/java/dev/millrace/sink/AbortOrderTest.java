package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AbortOrderTest {
    /// Its writers take a while to notice that they are cancelled.
    private static final class Slow implements Sink {
        final transient CountDownLatch writing = new CountDownLatch(1);
        final transient AtomicInteger open = new AtomicInteger();
        final transient AtomicInteger openAtAbort = new AtomicInteger(-1);

        @Override
        public String name() {
            return "Slow";
        }

        @Override
        public boolean start(WriteJob job) {
            return true;
        }

        @Override
        public SinkWriter open(WriteTask task) {
            open.incrementAndGet();
            return new SinkWriter() {
                @Override
                public void write(Block chunk) {
                    writing.countDown();
                    long end = System.nanoTime() + 300_000_000;
                    while (System.nanoTime() < end) {
                        LockSupport.parkNanos(end - System.nanoTime());
                        Thread.interrupted();
                    }
                }

                @Override
                public Fragment finish() {
                    return new Fragment(List.of());
                }

                @Override
                public void close() {
                    open.decrementAndGet();
                }
            };
        }

        @Override
        public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
            return WriteSummary.NOTHING;
        }

        @Override
        public void abort(WriteJob job) {
            openAtAbort.set(open.get());
        }
    }

    @Test
    void aClosingSessionAbortsAWriteOnceItsTasksHaveEnded() throws Exception {
        var sink = new Slow();
        Session session = Session.open();
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<WriteSummary> write =
                    other.submit(() -> session.range(1000, 100).write(sink));
            sink.writing.await();
            session.close();
            assertThatThrownBy(write::get).hasCauseInstanceOf(MillraceException.class);
        }
        assertThat(sink.openAtAbort).hasValue(0);
    }
}
