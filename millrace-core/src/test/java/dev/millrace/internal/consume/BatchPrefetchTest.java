package dev.millrace.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatchPrefetchTest {
    /// Makes the numbers from 0; waits when it plans 1 until it is interrupted, and tells nobody of that.
    private static final class Swallowing extends Numbers {
        final CountDownLatch second = new CountDownLatch(1);

        @Override
        public Planned<Integer> plan() {
            if (planned == 1) {
                second.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException _) {
                    // Swallowed, as code of users does.
                }
            }
            return super.plan();
        }
    }

    /// Makes the numbers from 0.
    private static class Numbers implements BatchMaker<Integer> {
        final List<Integer> dropped = Collections.synchronizedList(new ArrayList<>());
        int planned;

        @Override
        public Planned<Integer> plan() {
            int number = planned++;
            return new Planned<>() {
                @Override
                public Integer make() {
                    return made(number);
                }

                @Override
                public void drop() {
                    dropped.add(number);
                }
            };
        }

        Integer made(int number) {
            return number;
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

    /// Each of the first three is made only when the next one is made, too.
    private static final class Together extends Numbers {
        final CyclicBarrier three = new CyclicBarrier(3);

        @Override
        Integer made(int number) {
            try {
                if (number < 3) {
                    three.await(20, TimeUnit.SECONDS);
                }
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("the batches are made one after the other", e);
            }
            if (number == 5) {
                throw new IllegalStateException("five");
            }
            return number;
        }
    }

    @Test
    void severalThreadsMakeBatchesWhichComeInOrder() {
        Together maker = new Together();
        BatchPrefetch<Integer> prefetch = new BatchPrefetch<>(maker, 3);
        for (int i = 0; i < 5; i++) {
            assertThat(prefetch.next()).isEqualTo(i);
        }
        assertThatThrownBy(prefetch::next).hasMessage("five");
        prefetch.close();
        assertThat(maker.dropped).hasSize(maker.planned - 6);
    }
}
