package dev.millrace;

import dev.millrace.compute.Compute;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.function.BatchFlatFunction;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.ExternalFunction;
import dev.millrace.function.Factory;
import dev.millrace.function.RecordFunction;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.FunctionNames;
import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.Optional;

/// Applies user functions to a dataset's rows and batches: plain functions run as tasks; objects with state, created by
/// a factory, run in a pool of actors. [Compute] configures where and how.
sealed interface DatasetFunctions permits Dataset {
    private Dataset self() {
        return (Dataset) this;
    }

    // Over rows

    /// Calls the function with every row. The row is valid until the function returns.
    default Dataset map(RowFunction function) {
        return map(function, Compute.defaults());
    }

    /// The same, configured by the compute: tasks, CPUs, error policy, a name.
    default Dataset map(RowFunction function, Compute compute) {
        return rows(new RowOperation.Map(function), function, compute, Optional.empty());
    }

    /// Calls an object with state, created once per actor by its factory.
    default Dataset map(Factory<? extends RowFunction> factory, Compute compute) {
        return stateful(RowOperation.Stateful.Kind.MAP, factory, compute, Optional.empty());
    }

    /// The same with a function of another process.
    default Dataset map(ExternalFunction function, Compute compute) {
        return external(function, ExternalFunction.Use.MAP, compute);
    }

    /// Calls the function with every row as a record of `input`; the columns become those of `output`.
    default <I, O> Dataset map(Class<I> input, Class<O> output, RecordFunction<? super I, ? extends O> function) {
        return map(input, output, function, Compute.defaults());
    }

    /// The same over records, configured by the compute.
    default <I, O> Dataset map(
            Class<I> input, Class<O> output, RecordFunction<? super I, ? extends O> function, Compute compute) {
        self().requireRecord("map", input);
        Schema schema = RecordCodec.schemaOf(output);
        return rows(new RowOperation.MapRecord<>(input, output, function), function, compute, Optional.of(schema));
    }

    /// Calls the function with every row; it returns any number of rows.
    default Dataset flatMap(RowFlatFunction function) {
        return flatMap(function, Compute.defaults());
    }

    /// The same, configured by the compute.
    default Dataset flatMap(RowFlatFunction function, Compute compute) {
        return rows(new RowOperation.FlatMap(function), function, compute, Optional.empty());
    }

    /// The same with a function that is created once per actor.
    default Dataset flatMap(Factory<? extends RowFlatFunction> factory, Compute compute) {
        return stateful(RowOperation.Stateful.Kind.FLAT_MAP, factory, compute, Optional.empty());
    }

    /// The same with a function of another process.
    default Dataset flatMap(ExternalFunction function, Compute compute) {
        return external(function, ExternalFunction.Use.FLAT_MAP, compute);
    }

    /// Any number of records for each record.
    default <I, O> Dataset flatMap(
            Class<I> input, Class<O> output, RecordFunction<? super I, ? extends Iterable<? extends O>> function) {
        return flatMap(input, output, function, Compute.defaults());
    }

    /// Any number of records for each record.
    default <I, O> Dataset flatMap(
            Class<I> input,
            Class<O> output,
            RecordFunction<? super I, ? extends Iterable<? extends O>> function,
            Compute compute) {
        self().requireRecord("flatMap", input);
        Schema schema = RecordCodec.schemaOf(output);
        return rows(new RowOperation.FlatMapRecord<>(input, output, function), function, compute, Optional.of(schema));
    }

    /// Keeps the rows that the function accepts. An [expression][dev.millrace.expression.Expression] is faster.
    default Dataset filter(RowPredicate predicate) {
        return filter(predicate, Compute.defaults());
    }

    /// The same, configured by the compute.
    default Dataset filter(RowPredicate predicate, Compute compute) {
        return rows(
                new RowOperation.Filter(predicate),
                predicate,
                compute,
                self().plan().schema());
    }

    /// The same with a predicate that is created once per actor.
    default Dataset filter(Factory<? extends RowPredicate> factory, Compute compute) {
        return stateful(
                RowOperation.Stateful.Kind.FILTER,
                factory,
                compute,
                self().plan().schema());
    }

    /// The same with a predicate of another process.
    default Dataset filter(ExternalFunction predicate, Compute compute) {
        return external(predicate, ExternalFunction.Use.FILTER, compute);
    }

    /// Keeps the rows whose record the predicate accepts; columns that the record does not name stay.
    default <I> Dataset filter(Class<I> input, RecordFunction<? super I, Boolean> predicate) {
        return filter(input, predicate, Compute.defaults());
    }

    /// The same, configured by the compute.
    default <I> Dataset filter(Class<I> input, RecordFunction<? super I, Boolean> predicate, Compute compute) {
        self().requireRecord("filter", input);
        return rows(
                new RowOperation.FilterRecord<>(input, predicate),
                predicate,
                compute,
                self().plan().schema());
    }

    // Over batches

    /// Calls the function with every block as one batch. The batch is valid until the function returns.
    default Dataset mapBatches(BatchFunction function) {
        return mapBatches(function, Compute.defaults());
    }

    /// The same, configured by the compute: batch size, tasks, CPUs, error policy, a name.
    default Dataset mapBatches(BatchFunction function, Compute compute) {
        return batches("mapBatches", new BatchOperation.Function(function), compute);
    }

    /// Calls an object with state, e.g. a model, created once per actor by its factory; the pool grows from 1 actor.
    default Dataset mapBatches(Factory<? extends BatchFunction> factory) {
        return mapBatches(factory, Compute.defaults());
    }

    /// The same in a pool of actors, with batch size and resources of the compute.
    default Dataset mapBatches(Factory<? extends BatchFunction> factory, Compute compute) {
        return batches("mapBatches", new BatchOperation.Stateful(factory), compute);
    }

    /// Calls a function of another process, e.g. a model in a Python worker, in a pool of actors.
    default Dataset mapBatches(ExternalFunction function, Compute compute) {
        return external(function, ExternalFunction.Use.MAP_BATCHES, compute);
    }

    /// Calls the function with every block as one batch; it emits any number of batches, which are handed on while it
    /// still runs: `flatMapBatches((batch, out) -> ...)`. See [BatchFlatFunction].
    ///
    /// Under an error policy the batches of a call wait for its end, since one that fails emits nothing. Without one,
    /// the rows that a call emitted before it failed are part of the run that fails.
    default Dataset flatMapBatches(BatchFlatFunction function) {
        return flatMapBatches(function, Compute.defaults());
    }

    /// The same, configured by the compute: batch size, tasks, CPUs, error policy, a name.
    default Dataset flatMapBatches(BatchFlatFunction function, Compute compute) {
        return batches("flatMapBatches", new BatchOperation.Emitting(function), compute);
    }

    /// The same with a function that is created once per actor.
    default Dataset flatMapBatches(Factory<? extends BatchFlatFunction> factory, Compute compute) {
        return batches(
                "flatMapBatches", new BatchOperation.Stateful(BatchOperation.Stateful.Kind.FLAT_MAP, factory), compute);
    }

    /// The same with a function of another process.
    default Dataset flatMapBatches(ExternalFunction function, Compute compute) {
        return external(function, ExternalFunction.Use.FLAT_MAP_BATCHES, compute);
    }

    /// Calls a function that returns a future of its result: while it waits, for a server for example, the next batches
    /// are on their way, [Compute#batchesInFlight] in each task. Rows keep their order. Give a batch size: without one
    /// each block is a batch, and a task often has a single block. Such a task hardly computes; with `cpus(0.1)` more
    /// of them run at once. See [AsyncBatchFunction].
    ///
    /// A future that fails is a function that threw: for error policies and retries both are the same.
    default Dataset mapBatchesAsync(AsyncBatchFunction function, Compute compute) {
        return batches("mapBatchesAsync", new BatchOperation.Asynchronous(function), compute);
    }

    /// The same with a function that is created once per actor.
    default Dataset mapBatchesAsync(Factory<? extends AsyncBatchFunction> factory, Compute compute) {
        return batches(
                "mapBatchesAsync", new BatchOperation.Stateful(BatchOperation.Stateful.Kind.ASYNC, factory), compute);
    }

    private Dataset rows(RowOperation operation, Serializable function, Compute compute, Optional<Schema> schema) {
        String operator = FunctionNames.of(operation.verb(), function, compute.name());
        Compute fitting = Verbs.compute(operation.verb(), operator, compute, operation.isStateful(), self().shares());
        self().requireShippable(operator, function);
        return self().with(new LogicalPlan.TransformRows(
                self().plan(), operator, operation, fitting, schema, CallSite.here()));
    }

    private Dataset stateful(
            RowOperation.Stateful.Kind kind, Factory<?> factory, Compute compute, Optional<Schema> schema) {
        return rows(new RowOperation.Stateful(kind, factory), factory, compute, schema);
    }

    private Dataset external(ExternalFunction function, ExternalFunction.Use use, Compute compute) {
        boolean emits = use == ExternalFunction.Use.FLAT_MAP_BATCHES;
        BatchOperation operation = new BatchOperation.Stateful(
                emits ? BatchOperation.Stateful.Kind.FLAT_MAP : BatchOperation.Stateful.Kind.ASYNC,
                function.factory(use));
        Compute named = compute.name() == null ? compute.name(use.verb() + "(" + function.name() + ")") : compute;
        Verbs.FunctionCall call = Verbs.call(use.verb(), operation, named, self(), self().plan());
        // One is computed, and the next is there before it is asked for.
        return self().with(new LogicalPlan.TransformBatches(
                self().plan(),
                call.name(),
                operation,
                call.compute().batchesInFlight(2),
                call.schema(),
                CallSite.here()));
    }

    private Dataset batches(String verb, BatchOperation operation, Compute compute) {
        Verbs.FunctionCall call = Verbs.call(verb, operation, compute, self(), self().plan());
        return self().with(new LogicalPlan.TransformBatches(
                self().plan(), call.name(), operation, call.compute(), call.schema(), CallSite.here()));
    }
}
