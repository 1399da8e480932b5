package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.operator.BlockChannel;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A zip over blocks that are there: which rows it pairs in a task, and what it waits for.
class ZipOperatorTest {
    private final Harness run = Harness.withCpus(2);
    private final List<BlockSlice> owned = new ArrayList<>();

    private PhysicalPlan blocks(String name, int... rows) {
        List<BlockSlice> slices = new ArrayList<>();
        long next = 0;
        for (int count : rows) {
            slices.add(BlockSlice.whole(
                    run.runtime.block(LongStream.range(next, next + count).toArray())));
            next += count;
        }
        owned.addAll(slices);
        return new PhysicalPlan.Blocks(name, slices);
    }

    private TaskOperator zip() {
        return run.scheduler.pipeline().tasks().stream()
                .filter(operator -> operator.name().equals("zip"))
                .findFirst()
                .orElseThrow();
    }

    /// Rows of the inputs of each task that was submitted.
    private List<List<Long>> submitted() {
        return run.runtime.submitted.stream()
                .map(spec -> spec.inputs().stream().map(BlockSlice::rows).toList())
                .toList();
    }

    @AfterEach
    void nothingIsLeft() {
        run.scheduler.cancel();
        run.settle();
        owned.forEach(BlockSlice::release);
        run.close();
    }

    private static long[] pairs(int rows) {
        long[] pairs = new long[rows];
        Arrays.setAll(pairs, i -> FakePrograms.pair(i, i));
        return pairs;
    }

    @Test
    void aTaskCoversTheLargerBlockInFrontWithAsManyRowsOfTheOther() {
        run.open(run.programs.zip(blocks("left", 6, 2), blocks("right", 4, 4)));
        assertThat(run.drain()).isEqualTo(pairs(8));
        assertThat(submitted()).containsExactly(List.of(6L, 4L, 2L), List.of(2L, 2L));
    }

    @Test
    void emptyBlocksPairWithNothing() {
        run.open(run.programs.zip(blocks("left", 0, 3, 0, 0), blocks("right", 2, 0, 1)));
        assertThat(run.drain()).isEqualTo(pairs(3));
    }

    @Test
    void twoEmptySidesMakeNoTask() {
        run.open(run.programs.zip(blocks("left"), blocks("right", 0)));
        assertThat(run.drain()).isEmpty();
        assertThat(run.runtime.submitted).isEmpty();
    }

    @Test
    void theSideWithFewerRowsNeedsMore() {
        run.open(run.programs.zip(run.programs.read(4, 1, 5), run.programs.read("right", source())))
                .ask();
        FakeRuntime.Task left = run.runtime.of("read").getFirst();
        left.run();
        run.settle();
        BlockChannel has = zip().inputs().getFirst();
        BlockChannel lacks = zip().inputs().getLast();
        assertThat(has.rows()).isEqualTo(5);
        assertThat(zip().inputReady()).isFalse();
        assertThat(zip().needsMore(lacks)).isTrue();
        assertThat(zip().needsMore(has)).isFalse();
    }

    private static FakePrograms.FakeSource source() {
        return new FakePrograms.FakeSource(
                List.of(new FakePrograms.FakeSplit(
                        List.of(LongStream.range(0, 20).toArray()))),
                false);
    }

    @Test
    void sidesOfDifferentLengthFailWithBothCounts() {
        run.open(run.programs.zip(blocks("left", 2, 1), blocks("right", 4)));
        assertThatThrownBy(run::drain)
                .isInstanceOf(MillraceException.class)
                .hasMessage("Cannot zip datasets of different number of rows: 3, 4");
    }
}
