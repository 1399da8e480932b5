package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Download;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.function.RecordFunction;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import dev.millrace.internal.checkpoint.CheckpointPlan;
import dev.millrace.internal.consume.Aggregation;
import dev.millrace.internal.consume.BatchIteration;
import dev.millrace.internal.consume.CheckpointedWriting;
import dev.millrace.internal.consume.DeadLetterBox;
import dev.millrace.internal.consume.Execution;
import dev.millrace.internal.consume.Facts;
import dev.millrace.internal.consume.HeldBlocks;
import dev.millrace.internal.consume.RowIteration;
import dev.millrace.internal.consume.SliceCuts;
import dev.millrace.internal.consume.StreamingSplit;
import dev.millrace.internal.consume.TableText;
import dev.millrace.internal.consume.Taking;
import dev.millrace.internal.consume.TensorIteration;
import dev.millrace.internal.consume.Writing;
import dev.millrace.internal.plan.Explain;
import dev.millrace.internal.plan.logical.KnownRows;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.stats.StatsText;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.internal.transform.FunctionNames;
import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.Shard;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.Settings;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteSummary;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Rows to be computed: an immutable description. Every verb returns a new dataset at once, after checking all that can
/// be checked; nothing runs until it is consumed, and each consumption runs it anew ([#materialize] keeps the result).
///
/// Consumption throws [MillraceException]s only. Settings are those of the session when the dataset was made.
public sealed class Dataset implements DatasetWrites, DatasetShuffles permits MaterializedDataset {
    private static final int SHOWN_ROWS = 20;

    private final Session session;
    private final LogicalPlan plan;
    private final Settings settings;
    private final String name;
    /// Where writes remember what is done, or null.
    private final String checkpoint;
    /// Written by whichever thread consumes; the latest run counts.
    private volatile RunStats lastRun;

    private volatile Schema knownSchema;

    Dataset(Session session, LogicalPlan plan, Settings settings, String name) {
        this(session, plan, settings, name, null);
    }

    private Dataset(Session session, LogicalPlan plan, Settings settings, String name, String checkpoint) {
        this.session = session;
        this.plan = plan;
        this.settings = settings;
        this.name = name;
        this.checkpoint = checkpoint;
        this.knownSchema = plan.schema().orElse(null);
    }

    LogicalPlan plan() {
        return plan;
    }

    Dataset with(LogicalPlan next) {
        return new Dataset(session, next, settings, name, checkpoint);
    }

    // Functions over rows

    /// Calls the function with every row. The row is valid until the function returns.
    public Dataset map(RowFunction function) {
        return map(function, Compute.defaults());
    }

    public Dataset map(RowFunction function, Compute compute) {
        return rows(new RowOperation.Map(function), function, compute, Optional.empty());
    }

    /// Calls an object with state, made once per actor by its factory.
    public Dataset map(Factory<? extends RowFunction> factory, Compute compute) {
        return stateful(RowOperation.Stateful.Kind.MAP, factory, compute, Optional.empty());
    }

    /// Calls the function with every row as a record of `input`; the columns become those of `output`.
    public <I, O> Dataset map(Class<I> input, Class<O> output, RecordFunction<? super I, ? extends O> function) {
        return map(input, output, function, Compute.defaults());
    }

    public <I, O> Dataset map(
            Class<I> input, Class<O> output, RecordFunction<? super I, ? extends O> function, Compute compute) {
        requireRecord("map", input);
        Schema schema = RecordCodec.schemaOf(output);
        return rows(new RowOperation.MapRecord<>(input, output, function), function, compute, Optional.of(schema));
    }

    /// Calls the function with every row, which may become any number of rows.
    public Dataset flatMap(RowFlatFunction function) {
        return flatMap(function, Compute.defaults());
    }

    public Dataset flatMap(RowFlatFunction function, Compute compute) {
        return rows(new RowOperation.FlatMap(function), function, compute, Optional.empty());
    }

    public Dataset flatMap(Factory<? extends RowFlatFunction> factory, Compute compute) {
        return stateful(RowOperation.Stateful.Kind.FLAT_MAP, factory, compute, Optional.empty());
    }

    public <I, O> Dataset flatMap(
            Class<I> input, Class<O> output, RecordFunction<? super I, ? extends Iterable<? extends O>> function) {
        return flatMap(input, output, function, Compute.defaults());
    }

    public <I, O> Dataset flatMap(
            Class<I> input,
            Class<O> output,
            RecordFunction<? super I, ? extends Iterable<? extends O>> function,
            Compute compute) {
        requireRecord("flatMap", input);
        Schema schema = RecordCodec.schemaOf(output);
        return rows(new RowOperation.FlatMapRecord<>(input, output, function), function, compute, Optional.of(schema));
    }

    /// Keeps the rows that the function accepts. An [Expression] is faster.
    public Dataset filter(RowPredicate predicate) {
        return filter(predicate, Compute.defaults());
    }

    public Dataset filter(RowPredicate predicate, Compute compute) {
        return rows(new RowOperation.Filter(predicate), predicate, compute, plan.schema());
    }

    public Dataset filter(Factory<? extends RowPredicate> factory, Compute compute) {
        return stateful(RowOperation.Stateful.Kind.FILTER, factory, compute, plan.schema());
    }

    public <I> Dataset filter(Class<I> input, RecordFunction<? super I, Boolean> predicate) {
        return filter(input, predicate, Compute.defaults());
    }

    public <I> Dataset filter(Class<I> input, RecordFunction<? super I, Boolean> predicate, Compute compute) {
        requireRecord("filter", input);
        return rows(new RowOperation.FilterRecord<>(input, predicate), predicate, compute, plan.schema());
    }

    /// Keeps the rows where the expression is true, not false and not null.
    public Dataset filter(Expression predicate) {
        return filter(predicate, ErrorPolicy.fail());
    }

    /// @param onError what becomes of rows on which the expression fails: skipped, or kept as dead letters
    public Dataset filter(Expression predicate, ErrorPolicy onError) {
        return with(Verbs.filter(plan, predicate, onError));
    }

    private Dataset rows(RowOperation operation, Serializable function, Compute compute, Optional<Schema> schema) {
        String operator = FunctionNames.of(operation.verb(), function, compute.name());
        Verbs.compute(operation.verb(), operator, compute, operation.isStateful(), capacity());
        requireShippable(operator, function);
        return with(new LogicalPlan.TransformRows(plan, operator, operation, compute, schema));
    }

    private Dataset stateful(
            RowOperation.Stateful.Kind kind, Factory<?> factory, Compute compute, Optional<Schema> schema) {
        return rows(new RowOperation.Stateful(kind, factory), factory, compute, schema);
    }

    private void requireRecord(String verb, Class<?> type) {
        plan.schema().ifPresent(schema -> RecordCodec.check(verb, type, schema));
    }

    void requireShippable(String operator, Serializable function) {
        if (session.executions().runtime().shipsPrograms()) {
            FunctionCheck.requireSerialisable(operator, function);
        }
    }

    private Resources capacity() {
        return session.executions().capacity().total();
    }

    // Functions over batches

    /// Calls the function with every block as one batch. The batch is valid until the function returns.
    public Dataset mapBatches(BatchFunction function) {
        return mapBatches(function, Compute.defaults());
    }

    public Dataset mapBatches(BatchFunction function, Compute compute) {
        return batches(new BatchOperation.Function(function), function, compute, false);
    }

    /// Calls an object with state, e.g. a model, made once per actor by its factory; actors from 1 upwards.
    public Dataset mapBatches(Factory<? extends BatchFunction> factory) {
        return mapBatches(factory, Compute.defaults());
    }

    public Dataset mapBatches(Factory<? extends BatchFunction> factory, Compute compute) {
        return batches(new BatchOperation.Stateful(factory), factory, compute, true);
    }

    private Dataset batches(BatchOperation operation, Serializable function, Compute compute, boolean stateful) {
        String operator = FunctionNames.of("mapBatches", function, compute.name());
        Verbs.compute("mapBatches", operator, compute, stateful, capacity());
        requireShippable(operator, function);
        return with(new LogicalPlan.TransformBatches(plan, operator, operation, compute));
    }

    // Columns

    @Override
    public Dataset select(String... columns) {
        return with(Verbs.select(plan, columns));
    }

    /// One column per expression, under its alias, its column's name or its text.
    public Dataset select(Expression... expressions) {
        return select(List.of(expressions), ErrorPolicy.fail());
    }

    /// @param onError what becomes of rows on which an expression fails
    public Dataset select(List<Expression> expressions, ErrorPolicy onError) {
        return with(Verbs.select(plan, expressions, onError));
    }

    public Dataset drop(String... columns) {
        return with(Verbs.drop(plan, columns));
    }

    public Dataset rename(String from, String to) {
        return rename(Map.of(from, to));
    }

    /// Old name to new name; the other columns stay.
    public Dataset rename(Map<String, String> names) {
        return with(Verbs.rename(plan, names));
    }

    /// Adds a column at the end, or replaces the one of that name in place.
    public Dataset withColumn(String column, Expression expression) {
        return withColumn(column, expression, ErrorPolicy.fail());
    }

    /// @param onError what becomes of rows on which the expression fails: with [ErrorPolicy#nulls] just the column is
    ///     null there
    public Dataset withColumn(String column, Expression expression, ErrorPolicy onError) {
        return with(Verbs.withColumn(plan, column, expression, onError));
    }

    /// The same for several at once, which all see the columns before: `withColumns(col("a").plus(1).as("b"), ...)`.
    public Dataset withColumns(Expression... expressions) {
        return withColumns(List.of(expressions), ErrorPolicy.fail());
    }

    public Dataset withColumns(List<Expression> expressions, ErrorPolicy onError) {
        return with(Verbs.withColumns(plan, expressions, onError));
    }

    /// One row per element of a list column; rows whose list is empty or null go.
    public Dataset explode(String column) {
        return explode(column, false);
    }

    /// @param keepEmpty rows whose list is empty or null stay, with null
    public Dataset explode(String column, boolean keepEmpty) {
        return with(Verbs.explode(plan, column, keepEmpty));
    }

    /// One row for each of these columns, in place of them: its name in the column `name`, its value in the column
    /// `value`, which has their common type. The other columns are repeated; nulls stay.
    public Dataset unpivot(String... columns) {
        return unpivot(List.of(columns), "name", "value");
    }

    /// @param nameColumn where the columns' names go
    /// @param valueColumn where their values go
    public Dataset unpivot(List<String> columns, String nameColumn, String valueColumn) {
        return with(Verbs.unpivot(plan, columns, nameColumn, valueColumn));
    }

    /// Fetches the files that a column names (`https://`, `s3://`, paths of this machine) and adds their bytes as the
    /// column `bytes`. A null address gives null.
    public Dataset download(String column) {
        return download(column, Download.into("bytes"));
    }

    /// The same, with its options: `download("url", Download.into("image").onError(ErrorPolicy.skip()))`. Each task
    /// fetches many files at once; one that cannot be had is tried several times before the policy is asked.
    public Dataset download(String column, Download options) {
        return with(Verbs.download(plan, column, options));
    }

    // Rows

    public Dataset limit(long rows) {
        return with(Verbs.limit(plan, rows));
    }

    /// Skips this many rows.
    public Dataset offset(long rows) {
        return with(Verbs.offset(plan, rows));
    }

    /// Keeps each row with this probability.
    public Dataset randomSample(double fraction) {
        return randomSample(fraction, ThreadLocalRandom.current().nextLong());
    }

    /// The same seed keeps the same rows.
    public Dataset randomSample(double fraction, long seed) {
        return with(Verbs.sample(plan, fraction, seed));
    }

    Dataset sameSession(String verb, Dataset other) {
        if (other.session != session) {
            throw MillraceException.user(verb + ": the other dataset belongs to another session.");
        }
        return other;
    }

    /// A sort keeps the order that it makes, whatever was said before.
    Dataset sorted(LogicalPlan sort) {
        return new Dataset(
                session, sort, settings.with(settings.execution().withPreserveOrder(true)), name, checkpoint);
    }

    Dataset pivot(LogicalPlan input, List<String> keys, String column, List<?> values, Aggregate... aggregates) {
        requireShippable(aggregates);
        return with(ShuffleVerbs.pivot(input, keys, column, values, aggregates));
    }

    private void requireShippable(Aggregate... aggregates) {
        for (Aggregate aggregate : aggregates) {
            if (aggregate.definition() != null) {
                requireShippable(aggregate.toString(), aggregate.definition());
            }
        }
    }

    Dataset aggregate(LogicalPlan input, List<String> keys, Aggregate... aggregates) {
        requireShippable(aggregates);
        return with(ShuffleVerbs.aggregate(input, keys, aggregates));
    }

    /// Rows may come in any order: a little faster when tasks take unequal times.
    public Dataset unordered() {
        return new Dataset(
                session, plan, settings.with(settings.execution().withPreserveOrder(false)), name, checkpoint);
    }

    /// What becomes of broken data (corrupt files, values that cannot be read): it is skipped, or kept as a dead
    /// letter.
    /// Of CSV that is each record that does not fit, of JSON each object (where it ends can be told: in a file of lines
    /// always), of text each line, of Avro each block; of other formats what is left of the file, or where there are no
    /// files of the split. Each counts as one row of the policy's limit. Right behind the read.
    public Dataset onReadError(ErrorPolicy policy) {
        if (!(plan instanceof LogicalPlan.Read read)) {
            throw MillraceException.user("onReadError stands right behind the read, before other verbs.");
        }
        if (policy.action() == ErrorPolicy.Action.NULLS) {
            throw MillraceException.user(
                    "onReadError: how many rows are lost is not known, so they cannot become rows of"
                            + " nulls. Use ErrorPolicy.skip() or deadLetter(name).");
        }
        return with(new LogicalPlan.Read(read.source(), read.blocks(), policy));
    }

    /// What stats and progress call its runs.
    public Dataset named(String runName) {
        return new Dataset(session, plan, settings, runName, checkpoint);
    }

    // Consumption: rows

    /// The first 20 rows.
    public List<Row> take() {
        return take(SHOWN_ROWS);
    }

    public List<Row> take(int rows) {
        return Taking.rows(start(Verbs.limit(plan, rows)));
    }

    public List<Row> takeAll() {
        return Taking.rows(start(plan));
    }

    /// All rows; more than `limit` are an error.
    public List<Row> takeAll(long limit) {
        List<Row> rows = Taking.rows(start(Verbs.limit(plan, limit == Long.MAX_VALUE ? limit : limit + 1)));
        if (rows.size() > limit) {
            throw MillraceException.user("takeAll: the dataset has more than the given limit of " + limit + " rows.");
        }
        return rows;
    }

    /// The first 20 rows as a batch, which stays valid; an empty dataset is an error.
    public Batch takeBatch() {
        return takeBatch(SHOWN_ROWS);
    }

    public Batch takeBatch(int rows) {
        return Taking.batch(start(Verbs.limit(plan, rows)));
    }

    /// Prints the first 20 rows as a table.
    public void show() {
        show(SHOWN_ROWS);
    }

    public void show(int rows) {
        System.out.println(showString(rows));
    }

    /// The table that [#show] prints.
    public String showString(int rows) {
        return TableText.of(start(Verbs.limit(plan, rows)), plan.schema());
    }

    /// Rows one by one, as values that may be kept.
    public CloseableIterator<Row> iterRows() {
        return RowIteration.rows(start(plan));
    }

    /// Rows as records of `type`, whose components name the columns.
    public <R extends Record> CloseableIterator<R> iterRecords(Class<R> type) {
        return RowIteration.records(start(recordPlan(type)), type);
    }

    private LogicalPlan recordPlan(Class<?> type) {
        requireRecord("iterRecords", type);
        return plan;
    }

    /// Batches of 256 rows across the borders of blocks. A batch is valid until the next one is asked for.
    public CloseableIterator<Batch> iterBatches() {
        return iterBatches(BatchOptions.defaults());
    }

    public CloseableIterator<Batch> iterBatches(int batchSize) {
        return iterBatches(BatchOptions.of(batchSize));
    }

    public CloseableIterator<Batch> iterBatches(BatchOptions options) {
        return BatchIteration.of(start(plan), options.or(settings.iteration()));
    }

    /// Batches of tensors for training and models: for each column a direct buffer with a shape, without a copy where
    /// the
    /// rows lie in one block and no other type is asked for. A batch is valid until the next one is asked for.
    ///
    /// Columns of numbers become `[rows]`; tensors and lists of one size `[rows, ...]`; lists and tensors of differing
    /// sizes are padded if the options say so. Nulls, text and anything else that is no number is an error unless the
    /// options say what to do with it.
    public CloseableIterator<TensorBatch> iterTensorBatches(TensorBatchOptions options) {
        LogicalPlan wanted = options.columns().isEmpty()
                ? plan
                : Verbs.select(plan, options.columns().toArray(String[]::new));
        return TensorIteration.of(start(wanted), options.batches().or(settings.iteration()), options);
    }

    /// Calls the action with every row, on this thread. The row is valid until the action returns.
    public void forEach(Consumer<Row> action) {
        RowIteration.forEach(start(plan), action);
    }

    public <R extends Record> void forEach(Class<R> type, Consumer<R> action) {
        try (CloseableIterator<R> records = iterRecords(type)) {
            records.forEachRemaining(action);
        }
    }

    public void forEachBatch(BatchOptions options, Consumer<Batch> action) {
        try (CloseableIterator<Batch> batches = iterBatches(options)) {
            batches.forEachRemaining(action);
        }
    }

    /// The rows as a stream; close it unless it is read to the end.
    public Stream<Row> stream() {
        return iterRows().stream();
    }

    public <R extends Record> Stream<R> stream(Class<R> type) {
        return iterRecords(type).stream();
    }

    // Consumption: facts

    /// The number of rows. Where the source knows it and no verb changes it in an unknown way, nothing runs.
    public long count() {
        OptionalLong known = KnownRows.of(plan);
        // The rows are counted without their columns: a source need not read them.
        return known.isPresent() ? known.getAsLong() : Facts.count(start(Verbs.withoutColumns(plan)));
    }

    /// The columns. Known at once unless a function made them; then the first block is computed. Without any block
    /// there are no columns.
    public Schema schema() {
        if (knownSchema == null) {
            knownSchema = Facts.schema(start(plan));
        }
        return knownSchema;
    }

    public List<String> columns() {
        return schema().names();
    }

    /// Bytes in memory: a plain read's estimate, else what a run gives.
    public long sizeBytes() {
        OptionalLong known = Facts.knownBytes(plan);
        return known.isPresent() ? known.getAsLong() : Facts.bytes(start(plan));
    }

    /// The files that are read.
    public List<String> inputFiles() {
        return Facts.inputFiles(plan);
    }

    /// Only a materialised dataset has a fixed number of blocks.
    public int numBlocks() {
        throw MillraceException.user("numBlocks is known only of a materialised dataset: how many blocks a run makes is"
                + " decided while it runs. Call materialize() first.");
    }

    /// The sum of a column, nulls left out; null if nothing is left. Integers give a Long, and an overflow is an error;
    /// floats give a Double, decimals a BigDecimal.
    public Number sum(String column) {
        return (Number) Aggregation.run(Aggregation.Kind.SUM, plan, column, this::start);
    }

    /// The smallest value of a column, nulls left out; null if nothing is left. NaN counts as the largest number.
    public Object min(String column) {
        return Aggregation.run(Aggregation.Kind.MIN, plan, column, this::start);
    }

    public Object max(String column) {
        return Aggregation.run(Aggregation.Kind.MAX, plan, column, this::start);
    }

    /// The mean of a column, nulls left out; null if nothing is left.
    public Double mean(String column) {
        return (Double) Aggregation.run(Aggregation.Kind.MEAN, plan, column, this::start);
    }

    // Consumption: blocks and splits

    /// Runs this and keeps the result until it is closed, or the session is: in memory, and on disk what does not fit.
    public MaterializedDataset materialize() {
        Execution execution = start(plan);
        HeldBlocks held = Facts.materialize(execution, session.executions());
        Schema schema = plan.schema().or(() -> Facts.schemaOf(held)).orElse(Schema.empty());
        MaterializedDataset result = new MaterializedDataset(session, held, schema, inputFiles(), settings, name);
        ((Dataset) result).lastRun = lastRun;
        return result;
    }

    /// `parts` materialised datasets of about as many blocks each.
    public List<MaterializedDataset> split(int parts) {
        return split(parts, false);
    }

    /// @param equal all get the same number of rows; what is left over is dropped
    public List<MaterializedDataset> split(int parts, boolean equal) {
        if (parts < 1) {
            throw MillraceException.user("split: the number of parts must be 1 or more, not " + parts + ".");
        }
        return cut(slices -> equal ? SliceCuts.equal(slices, parts) : SliceCuts.byBlocks(slices, parts));
    }

    /// The rows before the first index, from there to the second, and so on.
    public List<MaterializedDataset> splitAtIndices(long... indices) {
        SliceCuts.checkIndices(indices);
        return cut(slices -> SliceCuts.at(slices, indices));
    }

    /// Parts of these shares of the rows, and a last one of the rest.
    public List<MaterializedDataset> splitProportionately(double... fractions) {
        SliceCuts.proportions(0, fractions);
        return cut(slices -> SliceCuts.at(
                slices,
                SliceCuts.proportions(
                        slices.stream().mapToLong(BlockSlice::rows).sum(), fractions)));
    }

    /// The first rows for training, the last `testFraction` of them for testing.
    public TrainTestSplit trainTestSplit(double testFraction) {
        if (!(testFraction > 0 && testFraction < 1)) {
            throw MillraceException.user(
                    "trainTestSplit: the test fraction must be between 0 and 1, not " + testFraction + ".");
        }
        List<MaterializedDataset> parts = splitProportionately(1 - testFraction);
        return new TrainTestSplit(parts.get(0), parts.get(1));
    }

    /// The same after a random shuffle: rows of both parts come from everywhere.
    public TrainTestSplit trainTestSplit(double testFraction, long seed) {
        return randomShuffle(seed).trainTestSplit(testFraction);
    }

    private List<MaterializedDataset> cut(java.util.function.Function<List<BlockSlice>, List<List<BlockSlice>>> cuts) {
        try (MaterializedDataset whole = materialize()) {
            return cuts.apply(whole.blockReferences()).stream()
                    .map(slices -> new MaterializedDataset(
                            session, session.executions().keep(slices), whole.schema(), inputFiles(), settings, name))
                    .toList();
        }
    }

    /// For `consumers` readers on threads of their own, each of which gets a part of every run; see [Shard].
    public List<Shard> streamingSplit(int consumers) {
        return streamingSplit(consumers, false);
    }

    /// @param equal all get the same number of rows; what is left over is dropped
    public List<Shard> streamingSplit(int consumers, boolean equal) {
        if (consumers < 1) {
            throw MillraceException.user("streamingSplit: there must be 1 or more consumers, not " + consumers + ".");
        }
        return StreamingSplit.shards(
                consumers,
                settings.iteration(),
                session.executions(),
                readers -> session.executions()
                        .startSplit(plan, settings, name, stats -> lastRun = stats, readers, equal));
    }

    // Writing

    /// Writes to any sink.
    @Override
    public WriteSummary write(Sink sink) {
        return checkpoint == null
                ? Writing.run(plan, sink, this::start)
                : new CheckpointedWriting(plan, sink, checkpoint, session.executions(), settings)
                        .run(name, stats -> lastRun = stats);
    }

    /// Has writes of this dataset remember, in this folder, which splits of the source are written, so that a job that
    /// was stopped or killed at any moment goes on where it was: start the same program again. Every row is written
    /// once. See [dev.millrace.sink.Checkpoint]; only writes know of it.
    ///
    /// The plan must be one read, of which no two splits meet: functions over rows and batches (in actors too),
    /// filters,
    /// projections, samples with a seed, explode. Anything else, a source that cannot be read again in the same splits
    /// and rows-per-file minimums are errors.
    public Dataset checkpoint(String folder) {
        CheckpointPlan.require(plan);
        return new Dataset(session, plan, settings, name, folder);
    }

    // What happened, and what would

    /// The plan as written, optimized, and as it would run.
    public String explain() {
        Resources there = capacity();
        long blockBytes = session.resources().blockBytes();
        return Explain.text(plan, settings, new Resources(there.cpus(), there.gpus(), blockBytes, there.custom()));
    }

    /// What the latest run of this dataset did, as text.
    public String stats() {
        return lastRun == null ? "This dataset has not run yet." : StatsText.format(lastRun);
    }

    /// The numbers of the latest run of this dataset.
    public Optional<RunStats> lastRun() {
        return Optional.ofNullable(lastRun);
    }

    /// The rows that failed in the latest run, of all policies of this dataset that keep them; see
    /// [Session#deadLetters].
    public MaterializedDataset deadLetters() {
        Set<String> names = DeadLetterBox.names(plan);
        if (names.isEmpty()) {
            throw MillraceException.user(
                    "deadLetters: no function of this dataset has the policy" + " ErrorPolicy.deadLetter(name).");
        }
        return session.deadLetters(names, settings);
    }

    public Settings settings() {
        return settings;
    }

    final Session session() {
        return session;
    }

    private Execution start(LogicalPlan consumed) {
        return session.executions().start(consumed, settings, name, stats -> lastRun = stats);
    }

    @Override
    public String toString() {
        return "Dataset(" + name + (knownSchema == null ? "" : ": " + knownSchema) + ")";
    }
}
