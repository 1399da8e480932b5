package dev.millrace.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Column;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class ParallelCopyTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @RepeatedTest(40)
    void severalThreadsMakeTheColumnsThatOneMakes(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        DataType type = values.type(3);
        Allocator allocator = memory.allocator();
        List<Column> parts = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            parts.add(values.column(allocator, type, values.values(type, random.nextInt(300), random.nextBoolean())));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            RunCopy copy = new ParallelCopy(threads, 1 + random.nextInt(4), 1 + random.nextInt(64));
            Column one = ConcatenateKernel.columns(allocator, parts);
            Column several = ConcatenateKernel.columns(allocator, parts, copy);
            assertThat(RandomValues.valuesOf(several))
                    .as("seed %d, type %s", seed, type)
                    .isEqualTo(RandomValues.valuesOf(one));
            one.release();
            several.release();
        }
        parts.forEach(Column::release);
    }

    @Test
    void helpersThatComeLateTouchNothing() {
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        RunCopy copy = new ParallelCopy(late::add, 3, 8);
        byte[] made = new byte[100];
        try (Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(100).fill((byte) 7);
            copy.copy(source, 10, MemorySegment.ofArray(made), 20, 64);
        }
        assertThat(late).hasSize(3);
        // The memory is gone.
        late.forEach(Runnable::run);
        for (int i = 0; i < made.length; i++) {
            assertThat(made[i]).isEqualTo((byte) (i >= 20 && i < 84 ? 7 : 0));
        }
    }

    @Test
    void whatFailsFailsInTheCaller() {
        MemorySegment whole = MemorySegment.ofArray(new byte[64]);
        MemorySegment small = MemorySegment.ofArray(new byte[32]);
        RunCopy copy = new ParallelCopy(Runnable::run, 2, 8);
        assertThatThrownBy(() -> copy.copy(whole, 0, small, 0, 64)).isInstanceOf(IndexOutOfBoundsException.class);
        RunCopy alone = new ParallelCopy(
                task -> {
                    throw new RejectedExecutionException(task.toString());
                },
                2,
                8);
        MemorySegment target = MemorySegment.ofArray(new byte[64]);
        alone.copy(whole.fill((byte) 3), 0, target, 0, 64);
        assertThat(target.mismatch(whole)).isEqualTo(-1);
    }
}
