package dev.millrace.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatchPrefetchTest {
    /// Makes the numbers from 0; waits in the making of 1 until it is interrupted, and tells nobody of that.
    private static final class Swallowing implements BatchMaker<Integer> {
        final CountDownLatch second = new CountDownLatch(1);
        final List<Integer> dropped = Collections.synchronizedList(new ArrayList<>());
        private int made;

        @Override
        public Integer next() {
            if (made == 1) {
                second.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException _) {
                    // Swallowed, as code of users does.
                }
            }
            return made++;
        }

        @Override
        public void drop(Integer batch) {
            dropped.add(batch);
        }

        @Override
        public void close() {}
    }

    @Test
    void closeEndsAThreadWhoseMakerSwallowsTheInterrupt() throws Exception {
        Swallowing maker = new Swallowing();
        BatchPrefetch<Integer> prefetch = new BatchPrefetch<>(maker, 1);
        maker.second.await();

        prefetch.close();

        assertThat(maker.dropped).containsExactlyInAnyOrder(0, 1);
    }
}
