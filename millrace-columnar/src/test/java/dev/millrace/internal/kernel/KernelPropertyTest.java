package dev.millrace.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.column.Column;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The move kernels against lists of boxed values, on random types, nulls and slices.
class KernelPropertyTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    static List<DataType> types() {
        return RandomValues.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyTypeMoves(DataType type) {
        check(type, new Random(7));
    }

    @RepeatedTest(150)
    void randomTypesMove(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        DataType type = new RandomValues(random).type(3);
        try {
            check(type, random);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ", type " + type, e);
        }
    }

    private void check(DataType type, Random random) {
        RandomValues values = new RandomValues(random);
        Allocator allocator = memory.allocator();
        List<Object> a = values.values(type, 1 + random.nextInt(120), random.nextBoolean());
        List<Object> b = values.values(type, random.nextInt(120), random.nextBoolean());
        Column first = values.column(allocator, type, a);
        Column second = values.column(allocator, type, b);

        Column compacted = CompactKernel.column(allocator, first);
        assertSame(compacted, a);
        List<Object> both = new ArrayList<>(a);
        both.addAll(b);
        Column joined = ConcatenateKernel.columns(allocator, List.of(first, second));
        assertSame(joined, both);

        int[] positions = random.ints(random.nextInt(150), 0, a.size()).toArray();
        Column taken = GatherKernel.take(allocator, first, positions, positions.length);
        assertSame(taken, pick(a, positions));

        int[] orNull = random.ints(random.nextInt(150), -2, b.size()).toArray();
        Column outer = GatherKernel.takeOrNull(allocator, second, orNull, orNull.length);
        assertSame(outer, pick(b, orNull));

        int[] ascending = Arrays.stream(positions).distinct().sorted().toArray();
        Column selected = GatherKernel.take(allocator, first, SelectionVector.of(ascending, ascending.length));
        assertSame(selected, pick(a, ascending));
        int from = random.nextInt(a.size());
        int[] run = IntStream.range(from, from + random.nextInt(a.size() - from + 1))
                .toArray();
        Column slice = GatherKernel.take(allocator, first, SelectionVector.of(run, run.length));
        assertSame(slice, pick(a, run));

        if (ScatterKernel.isFor(first)) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, a.size()).boxed().toList());
            Collections.shuffle(order, random);
            int[] places = new int[a.size()];
            order.forEach(row -> places[row] = order.indexOf(row));
            Column moved = ScatterKernel.move(allocator, first, MemorySegment.ofArray(places));
            assertSame(moved, pick(a, order.stream().mapToInt(Integer::intValue).toArray()));
            moved.release();
        }

        // Results are columns like any other: they can be moved again.
        Column again = ConcatenateKernel.columns(allocator, List.of(taken, outer, selected, slice));
        List<Object> everything = new ArrayList<>(pick(a, positions));
        everything.addAll(pick(b, orNull));
        everything.addAll(pick(a, ascending));
        everything.addAll(pick(a, run));
        assertSame(again, everything);
        List.of(taken, outer, selected, slice, again).forEach(Column::release);
        compacted.release();
        joined.release();
        first.release();
        second.release();
    }

    private static List<Object> pick(List<Object> values, int[] positions) {
        List<Object> picked = new ArrayList<>();
        for (int position : positions) {
            picked.add(position < 0 ? null : values.get(position));
        }
        return picked;
    }

    private static void assertSame(Column column, List<Object> expected) {
        assertThat(RandomValues.valuesOf(column)).isEqualTo(RandomValues.comparable(expected));
    }
}
