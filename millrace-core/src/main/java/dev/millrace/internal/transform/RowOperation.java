package dev.millrace.internal.transform;

import dev.millrace.function.Factory;
import dev.millrace.function.RecordFunction;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import java.io.Serializable;

/// A user's function over single rows. Consecutive ones run row by row without a block in between.
public sealed interface RowOperation extends Serializable {
    record Map(RowFunction function) implements RowOperation {}

    record Filter(RowPredicate predicate) implements RowOperation {}

    record FlatMap(RowFlatFunction function) implements RowOperation {}

    /// Rows become records of `input`, results are records of `output`.
    record MapRecord<I, O>(Class<I> input, Class<O> output, RecordFunction<? super I, ? extends O> function)
            implements RowOperation {}

    record FilterRecord<I>(Class<I> input, RecordFunction<? super I, Boolean> predicate) implements RowOperation {}

    record FlatMapRecord<I, O>(
            Class<I> input, Class<O> output, RecordFunction<? super I, ? extends Iterable<? extends O>> function)
            implements RowOperation {}

    /// A class instantiated once per actor: the factory's object is a RowFunction, RowPredicate or RowFlatFunction.
    record Stateful(Kind kind, Factory<?> factory) implements RowOperation {
        public enum Kind {
            MAP,
            FILTER,
            FLAT_MAP
        }
    }

    /// "map", "filter", "flatMap": its verb.
    default String verb() {
        return switch (this) {
            case Map _, MapRecord<?, ?> _ -> "map";
            case Filter _, FilterRecord<?> _ -> "filter";
            case FlatMap _, FlatMapRecord<?, ?> _ -> "flatMap";
            case Stateful s ->
                switch (s.kind()) {
                    case MAP -> "map";
                    case FILTER -> "filter";
                    case FLAT_MAP -> "flatMap";
                };
        };
    }

    /// Whether it creates new rows instead of selecting some of its input.
    default boolean makesRows() {
        return !verb().equals("filter");
    }

    /// Whether this operation needs the actors of a pool.
    default boolean isStateful() {
        return this instanceof Stateful;
    }
}
