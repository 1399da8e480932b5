package dev.millrace.batch;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/// Loops that call a user's lambda per value, over columns without nulls. [TypedLoops] loads this class once per
/// lambda: the compiler then sees a single callee in the loop and inlines it. Must not have nested classes or lambdas.
final class PrimitiveLoops implements TypedLoops.Loops {
    PrimitiveLoops() {}

    @Override
    public void mapLongs(MemorySegment from, MemorySegment to, int count, LongUnaryOperator function) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(JAVA_LONG, i, function.applyAsLong(from.getAtIndex(JAVA_LONG, i)));
        }
    }

    @Override
    public void mapInts(MemorySegment from, MemorySegment to, int count, IntUnaryOperator function) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(JAVA_INT, i, function.applyAsInt(from.getAtIndex(JAVA_INT, i)));
        }
    }

    @Override
    public void mapDoubles(MemorySegment from, MemorySegment to, int count, DoubleUnaryOperator function) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(JAVA_DOUBLE, i, function.applyAsDouble(from.getAtIndex(JAVA_DOUBLE, i)));
        }
    }

    @Override
    public void mapFloats(MemorySegment from, MemorySegment to, int count, DoubleUnaryOperator function) {
        for (int i = 0; i < count; i++) {
            to.setAtIndex(JAVA_FLOAT, i, (float) function.applyAsDouble(from.getAtIndex(JAVA_FLOAT, i)));
        }
    }

    // Every position is written, and the count only advances past the kept ones, so that there is no branch to
    // mispredict. Eight at a time, which also makes the methods too large to be inlined: inlined into a caller, the
    // loop was sometimes compiled to code of half the speed.

    @Override
    public int whereLongs(MemorySegment values, int count, int[] kept, LongPredicate predicate) {
        int found = 0;
        int i = 0;
        for (; i < count - 7; i += 8) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i)) ? 1 : 0;
            kept[found] = i + 1;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 1)) ? 1 : 0;
            kept[found] = i + 2;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 2)) ? 1 : 0;
            kept[found] = i + 3;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 3)) ? 1 : 0;
            kept[found] = i + 4;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 4)) ? 1 : 0;
            kept[found] = i + 5;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 5)) ? 1 : 0;
            kept[found] = i + 6;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 6)) ? 1 : 0;
            kept[found] = i + 7;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i + 7)) ? 1 : 0;
        }
        for (; i < count; i++) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_LONG, i)) ? 1 : 0;
        }
        return found;
    }

    @Override
    public int whereInts(MemorySegment values, int count, int[] kept, IntPredicate predicate) {
        int found = 0;
        int i = 0;
        for (; i < count - 7; i += 8) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_INT, i)) ? 1 : 0;
            kept[found] = i + 1;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 1)) ? 1 : 0;
            kept[found] = i + 2;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 2)) ? 1 : 0;
            kept[found] = i + 3;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 3)) ? 1 : 0;
            kept[found] = i + 4;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 4)) ? 1 : 0;
            kept[found] = i + 5;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 5)) ? 1 : 0;
            kept[found] = i + 6;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 6)) ? 1 : 0;
            kept[found] = i + 7;
            found += predicate.test(values.getAtIndex(JAVA_INT, i + 7)) ? 1 : 0;
        }
        for (; i < count; i++) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_INT, i)) ? 1 : 0;
        }
        return found;
    }

    @Override
    public int whereDoubles(MemorySegment values, int count, int[] kept, DoublePredicate predicate) {
        int found = 0;
        int i = 0;
        for (; i < count - 7; i += 8) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i)) ? 1 : 0;
            kept[found] = i + 1;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 1)) ? 1 : 0;
            kept[found] = i + 2;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 2)) ? 1 : 0;
            kept[found] = i + 3;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 3)) ? 1 : 0;
            kept[found] = i + 4;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 4)) ? 1 : 0;
            kept[found] = i + 5;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 5)) ? 1 : 0;
            kept[found] = i + 6;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 6)) ? 1 : 0;
            kept[found] = i + 7;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i + 7)) ? 1 : 0;
        }
        for (; i < count; i++) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_DOUBLE, i)) ? 1 : 0;
        }
        return found;
    }

    @Override
    public int whereFloats(MemorySegment values, int count, int[] kept, DoublePredicate predicate) {
        int found = 0;
        int i = 0;
        for (; i < count - 7; i += 8) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i)) ? 1 : 0;
            kept[found] = i + 1;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 1)) ? 1 : 0;
            kept[found] = i + 2;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 2)) ? 1 : 0;
            kept[found] = i + 3;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 3)) ? 1 : 0;
            kept[found] = i + 4;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 4)) ? 1 : 0;
            kept[found] = i + 5;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 5)) ? 1 : 0;
            kept[found] = i + 6;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 6)) ? 1 : 0;
            kept[found] = i + 7;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i + 7)) ? 1 : 0;
        }
        for (; i < count; i++) {
            kept[found] = i;
            found += predicate.test(values.getAtIndex(JAVA_FLOAT, i)) ? 1 : 0;
        }
        return found;
    }
}
