package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.BatchScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.memory.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FutureCallTest {
    private static final long LIMIT = 1 << 20;

    @Test
    void aCallThatHasFailedBehindTheFirstKeepsNobodyFromMakingRoom() throws Exception {
        try (Allocator session = Allocator.root("session", LIMIT);
                Allocator operator = session.child("operator");
                Allocator consumer = session.child("consumer", Patience.CONSUMER)) {
            Buffer held = operator.allocate(LIMIT / 2);
            MemoryTurn task = operator.enter(1);
            MemoryTurn first = task.ofCall(1, Long.MAX_VALUE);
            CountDownLatch asked = new CountDownLatch(1);
            first.pause(asked::countDown);

            FutureCall failed = new FutureCall(
                    "f",
                    new BatchCalls.Input(null, "rows 0-1", 0),
                    2,
                    new BatchScope("f", operator, "its future was completed"),
                    task,
                    task.ofCall(2, Long.MAX_VALUE));
            failed.complete(null, new IllegalStateException("no"));
            task.waitForCall();

            CompletableFuture<Buffer> more = CompletableFuture.supplyAsync(() -> consumer.allocate(LIMIT * 3 / 4));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            held.release();
            first.close();
            more.get(30, TimeUnit.SECONDS).release();

            task.resumeAfterCall();
            assertThat(failed.take()).isTrue();
            assertThat(failed.failure()).hasMessage("no");
            failed.close();
            task.close();
        }
    }
}
