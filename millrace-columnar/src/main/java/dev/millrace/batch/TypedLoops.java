package dev.millrace.batch;

import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Applies lambdas to columns, each lambda in a loop of its own. The compiler profiles a call per code location, not
/// per caller: once three lambdas have run through one shared loop, the call is megamorphic, none is inlined any more
/// and a value costs an indirect call. So [PrimitiveLoops] is loaded as a hidden class for every lambda's class: the
/// same code, a profile of its own. Columns with nulls use the plain loops of the columns.
final class TypedLoops {
    interface Loops {
        void mapLongs(MemorySegment from, MemorySegment to, int count, LongUnaryOperator function);

        void mapInts(MemorySegment from, MemorySegment to, int count, IntUnaryOperator function);

        void mapDoubles(MemorySegment from, MemorySegment to, int count, DoubleUnaryOperator function);

        void mapFloats(MemorySegment from, MemorySegment to, int count, DoubleUnaryOperator function);

        int whereLongs(MemorySegment values, int count, int[] kept, LongPredicate predicate);

        int whereInts(MemorySegment values, int count, int[] kept, IntPredicate predicate);

        int whereDoubles(MemorySegment values, int count, int[] kept, DoublePredicate predicate);

        int whereFloats(MemorySegment values, int count, int[] kept, DoublePredicate predicate);
    }

    private static final byte @Nullable [] TEMPLATE = template();

    private static final ClassValue<Loops> LOOPS = new ClassValue<>() {
        @Override
        protected Loops computeValue(Class<?> lambda) {
            return specialised();
        }
    };

    private TypedLoops() {}

    static LongColumn map(LongColumn column, Allocator allocator, LongUnaryOperator function) {
        if (column.hasNulls()) {
            return column.map(allocator, function);
        }
        try (ResourceScope scope = new ResourceScope()) {
            Buffer mapped = scope.add(allocator.allocate(column.length() * Long.BYTES));
            loops(function).mapLongs(column.values(), mapped.segment(), Math.toIntExact(column.length()), function);
            return scope.keep(new LongColumn(column.type(), column.length(), mapped, null, 0, 0));
        }
    }

    static IntColumn map(IntColumn column, Allocator allocator, IntUnaryOperator function) {
        if (column.hasNulls()) {
            return column.map(allocator, function);
        }
        try (ResourceScope scope = new ResourceScope()) {
            Buffer mapped = scope.add(allocator.allocate(column.length() * Integer.BYTES));
            loops(function).mapInts(column.values(), mapped.segment(), Math.toIntExact(column.length()), function);
            return scope.keep(new IntColumn(column.type(), column.length(), mapped, null, 0, 0));
        }
    }

    static DoubleColumn map(DoubleColumn column, Allocator allocator, DoubleUnaryOperator function) {
        if (column.hasNulls()) {
            return column.map(allocator, function);
        }
        try (ResourceScope scope = new ResourceScope()) {
            Buffer mapped = scope.add(allocator.allocate(column.length() * Double.BYTES));
            loops(function).mapDoubles(column.values(), mapped.segment(), Math.toIntExact(column.length()), function);
            return scope.keep(new DoubleColumn(column.type(), column.length(), mapped, null, 0, 0));
        }
    }

    static FloatColumn map(FloatColumn column, Allocator allocator, DoubleUnaryOperator function) {
        if (column.hasNulls()) {
            return column.map(allocator, function);
        }
        try (ResourceScope scope = new ResourceScope()) {
            Buffer mapped = scope.add(allocator.allocate(column.length() * Float.BYTES));
            loops(function).mapFloats(column.values(), mapped.segment(), Math.toIntExact(column.length()), function);
            return scope.keep(new FloatColumn(column.type(), column.length(), mapped, null, 0, 0));
        }
    }

    /// A null result is a null value.
    static StringColumn map(StringColumn column, Allocator allocator, UnaryOperator<String> function) {
        try (StringColumnBuilder mapped = new StringColumnBuilder(allocator, column.length())) {
            for (long i = 0; i < column.length(); i++) {
                String value = column.isNull(i) ? null : function.apply(column.get(i));
                if (value == null) {
                    mapped.appendNull();
                } else {
                    mapped.append(value);
                }
            }
            return mapped.build();
        }
    }

    static SelectionVector where(LongColumn column, LongPredicate predicate) {
        if (column.hasNulls()) {
            return SelectionVector.where(column, predicate);
        }
        int[] kept = positions(column);
        return chosen(kept, loops(predicate).whereLongs(column.values(), kept.length, kept, predicate));
    }

    static SelectionVector where(IntColumn column, IntPredicate predicate) {
        if (column.hasNulls()) {
            return SelectionVector.where(column, predicate);
        }
        int[] kept = positions(column);
        return chosen(kept, loops(predicate).whereInts(column.values(), kept.length, kept, predicate));
    }

    static SelectionVector where(DoubleColumn column, DoublePredicate predicate) {
        if (column.hasNulls()) {
            return SelectionVector.where(column, predicate);
        }
        int[] kept = positions(column);
        return chosen(kept, loops(predicate).whereDoubles(column.values(), kept.length, kept, predicate));
    }

    static SelectionVector where(FloatColumn column, DoublePredicate predicate) {
        if (column.hasNulls()) {
            return SelectionVector.where(column, predicate);
        }
        int[] kept = positions(column);
        return chosen(kept, loops(predicate).whereFloats(column.values(), kept.length, kept, predicate));
    }

    private static int[] positions(FixedWidthColumn column) {
        return new int[Math.toIntExact(column.length())];
    }

    private static SelectionVector chosen(int[] kept, int count) {
        return count == kept.length ? SelectionVector.all(count) : SelectionVector.of(kept, count);
    }

    private static Loops loops(Object lambda) {
        return LOOPS.get(lambda.getClass());
    }

    /// A new copy of the loops, or the shared ones if classes cannot be defined at run time.
    private static Loops specialised() {
        if (TEMPLATE == null) {
            return new PrimitiveLoops();
        }
        try {
            MethodHandles.Lookup copy = MethodHandles.lookup().defineHiddenClass(TEMPLATE, true);
            return (Loops) copy.findConstructor(copy.lookupClass(), java.lang.invoke.MethodType.methodType(void.class))
                    .invoke();
        } catch (Throwable e) {
            return new PrimitiveLoops();
        }
    }

    private static byte @Nullable [] template() {
        try (InputStream in = TypedLoops.class.getResourceAsStream("PrimitiveLoops.class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }
}
