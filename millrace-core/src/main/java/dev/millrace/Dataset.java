package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.internal.checkpoint.CheckpointPlan;
import dev.millrace.internal.consume.CheckpointedWriteRun;
import dev.millrace.internal.consume.DatasetExecution;
import dev.millrace.internal.consume.DatasetMetadata;
import dev.millrace.internal.consume.DeadLetterBox;
import dev.millrace.internal.consume.HeldBlocks;
import dev.millrace.internal.consume.WriteRun;
import dev.millrace.internal.plan.ExplainText;
import dev.millrace.internal.plan.logical.KnownRows;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.planfile.PlanFile;
import dev.millrace.internal.planfile.SavedPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.stats.StatsText;
import dev.millrace.internal.thread.DeepStack;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.DatasetSetting;
import dev.millrace.settings.Settings;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteSummary;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A lazy description of rows to be computed; immutable. Every verb validates its arguments as far as possible and
/// returns a new dataset at once. Nothing runs until the dataset is consumed, and each consumption runs it again
/// ([#materialize] keeps the result).
///
/// Its verbs call functions, select and compute columns, sort, group and join, iterate over rows, write them, and split
/// the dataset.
///
/// Consumption throws only [MillraceException]s. The settings are those of the session, unless [#with] changes them.
public sealed class Dataset
        implements DatasetFunctions, DatasetColumns, DatasetShuffles, DatasetIteration, DatasetWrites, DatasetSplits
        permits MaterializedDataset, RepartitionedDataset {
    /// The default number of rows that are taken or shown.
    static final int SHOWN_ROWS = 20;

    private final Session session;
    private final LogicalPlan plan;
    private final Settings settings;
    private final String name;
    /// The folder in which writes record their progress, or null.
    private final @Nullable String checkpoint;
    /// Written by any consuming thread; the latest run counts.
    private volatile @Nullable RunStats lastRun;

    private volatile @Nullable Schema knownSchema;

    Dataset(Session session, LogicalPlan plan, Settings settings, String name) {
        this(session, plan, settings, name, null);
    }

    /// The dataset with one more verb.
    Dataset(Dataset before, LogicalPlan plan) {
        this(before.session, plan, before.settings, before.name, before.checkpoint);
    }

    private Dataset(Session session, LogicalPlan plan, Settings settings, String name, @Nullable String checkpoint) {
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
        return new Dataset(this, next);
    }

    void requireRecord(String verb, Class<?> type) {
        plan.schema().ifPresent(schema -> RecordCodec.check(verb, type, schema));
    }

    void requireShippable(String operator, Serializable function) {
        if (session.executions().runtime().shipsPrograms()) {
            FunctionCheck.requireSerialisable(operator, function);
        }
    }

    /// What its session has. What a run may use of it is checked when it starts: settings may change until then.
    Resources capacity() {
        return shares().total();
    }

    /// The same by node.
    CapacityShare shares() {
        return session.executions().capacity();
    }

    // Rows

    /// Keeps the rows for which the expression is true, not false and not null.
    public Dataset filter(Expression predicate) {
        return filter(predicate, ErrorPolicy.fail());
    }

    /// The same as [#filter(Expression)], with an error policy.
    ///
    /// @param onError what happens to rows on which the expression fails: skipped, or kept as dead letters
    public Dataset filter(Expression predicate, ErrorPolicy onError) {
        return with(Verbs.filter(plan, predicate, onError));
    }

    /// Keeps the rows for which a condition in SQL is true: `filter("id > 2 AND name LIKE 'a%'")`, the same as the
    /// [expression][Expressions#sql(String)]. A column that is not there is an error with its place in the text.
    public Dataset filter(String condition) {
        return filter(condition, ErrorPolicy.fail());
    }

    /// The same as [#filter(String)], with an error policy.
    ///
    /// @param onError what happens to rows on which the condition fails: skipped, or kept as dead letters
    public Dataset filter(String condition, ErrorPolicy onError) {
        Expression predicate = plan.schema()
                .map(schema -> Expressions.sql(condition, schema))
                .orElseGet(() -> Expressions.sql(condition));
        return filter(predicate, onError);
    }

    /// The first rows; nothing is computed beyond them.
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

    /// Keeps each row with this probability; the same seed keeps the same rows. Columns that are not needed are best
    /// left out before it: what is selected behind it does not narrow the read, which would change the sample.
    public Dataset randomSample(double fraction, long seed) {
        return with(Verbs.sample(plan, fraction, seed));
    }

    Dataset sameSession(String verb, Dataset other) {
        if (other.session != session) {
            throw MillraceException.user(verb + ": the other dataset belongs to another session.");
        }
        return other;
    }

    /// A sort keeps its order, even after [#unordered].
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

    /// Rows may be returned in any order: slightly faster when tasks take unequal times.
    public Dataset unordered() {
        return new Dataset(
                session, plan, settings.with(settings.execution().withPreserveOrder(false)), name, checkpoint);
    }

    /// The policy for broken data (corrupt files, values that cannot be read): it is skipped, or kept as a dead letter.
    /// The unit is, for CSV, each record that does not fit; for JSON, each object (if its end can be determined: in a
    /// file of lines always); for text, each line; for Avro, each block; for other formats, the rest of the file, or of
    /// the split if there are no files. Each counts as one row of the policy's limit. Must directly follow the read.
    public Dataset onReadError(ErrorPolicy policy) {
        return with(Verbs.onReadError(plan, policy));
    }

    /// The same rows, with settings of its own instead of the session's: of blocks, execution, iteration, progress,
    /// faults, and limits of its runs. Each replaces the whole value of its kind; so start from the one there is:
    /// `dataset.with(dataset.settings().faults().withMaxErroredBlocks(3))`. The other kinds are the session's alone.
    ///
    /// The settings are those of the whole run, not of a part of the plan: of what comes before this call as of what
    /// comes after it. They pass on to every dataset made from this one. Of several datasets (union, zip, mix, join,
    /// SQL) those of the first count, on which the verb is called; call `with` behind the verb to set them for all.
    public Dataset with(DatasetSetting... changed) {
        Settings own = settings;
        for (DatasetSetting setting : changed) {
            own = own.with(setting);
        }
        return new Dataset(session, plan, own, name, checkpoint);
    }

    /// The name of its runs in stats and progress.
    public Dataset named(String runName) {
        return new Dataset(session, plan, settings, runName, checkpoint);
    }

    // Facts

    /// The number of rows. If the source knows it and no verb changes it in an unknown way, nothing runs.
    public long count() {
        OptionalLong known = DeepStack.call(() -> KnownRows.of(plan));
        // Rows are counted without their columns, so that a source need not read them.
        return known.isPresent() ? known.getAsLong() : DatasetMetadata.count(start(Verbs.withoutColumns(plan)));
    }

    /// The columns. Known at once unless a function determines them; then the first block is computed. Without any
    /// block there are no columns.
    public Schema schema() {
        if (knownSchema == null) {
            knownSchema = DatasetMetadata.schema(start(plan));
        }
        return knownSchema;
    }

    /// The names of the columns. After a function, one task runs to determine them.
    public List<String> columns() {
        return schema().names();
    }

    /// Bytes in memory: for a plain read, also a limited one, the source's estimate; otherwise measured by a run.
    public long sizeBytes() {
        OptionalLong known = DatasetMetadata.knownBytes(plan);
        return known.isPresent() ? known.getAsLong() : DatasetMetadata.bytes(start(plan));
    }

    /// The files that are read.
    public List<String> inputFiles() {
        return DatasetMetadata.inputFiles(plan);
    }

    /// Only a materialised dataset has a fixed number of blocks.
    public int numBlocks() {
        throw MillraceException.user("numBlocks is known only of a materialised dataset: how many blocks a run makes is"
                + " decided while it runs. Call materialize() first.");
    }

    /// The sum of a column, ignoring nulls; null if there are no values. Integers return a Long, and an overflow is an
    /// error; floats return a Double, decimals a BigDecimal.
    public @Nullable Number sum(String column) {
        return (Number) aggregated(Aggregates.sum(column));
    }

    /// The smallest value of a column, ignoring nulls; null if there are no values. NaN counts as the largest number.
    public @Nullable Object min(String column) {
        return aggregated(Aggregates.min(column));
    }

    /// The greatest value of a column, ignoring nulls; null if there are no values.
    public @Nullable Object max(String column) {
        return aggregated(Aggregates.max(column));
    }

    /// The mean of a column, ignoring nulls; null if there are no values.
    public @Nullable Double mean(String column) {
        return (Double) aggregated(Aggregates.mean(column));
    }

    private @Nullable Object aggregated(Aggregate aggregate) {
        return ranAs(aggregate(aggregate), row -> row.takeAll().getFirst().get(aggregate.name()));
    }

    /// Consumes another dataset for this one, whose stats are those of the run.
    <T> T ranAs(Dataset other, Function<Dataset, T> consumption) {
        try {
            return consumption.apply(other);
        } finally {
            lastRun = other.lastRun;
        }
    }

    /// Runs this and keeps the result until it is closed, or the session is: in memory, and on disk if it does not fit.
    public MaterializedDataset materialize() {
        return kept(DatasetMetadata.materialize(start(plan), session.executions()));
    }

    /// Blocks of a run of this, as a dataset that owns them.
    MaterializedDataset kept(HeldBlocks held) {
        Schema schema = plan.schema().or(() -> DatasetMetadata.schemaOf(held)).orElse(Schema.empty());
        MaterializedDataset result = new MaterializedDataset(session, held, schema, inputFiles(), settings, name);
        ((Dataset) result).lastRun = lastRun;
        return result;
    }

    /// Some blocks of this materialised dataset as a dataset of their own.
    MaterializedDataset part(List<BlockSlice> slices, Schema schema) {
        return new MaterializedDataset(
                session, session.executions().keep(slices), schema, inputFiles(), settings, name);
    }

    // Writing

    /// Writes to any sink.
    @Override
    public WriteSummary write(Sink sink) {
        return checkpoint == null
                ? WriteRun.run(plan, sink, this::start)
                : new CheckpointedWriteRun(plan, sink, checkpoint, session.executions(), settings)
                        .run(name, stats -> lastRun = stats);
    }

    /// Makes writes of this dataset resumable: they record, in this folder, which splits of the source are written, so
    /// that a job that was stopped or killed at any moment resumes where it was when the same program is started again.
    /// Every row is written once. See [dev.millrace.Checkpoint]; only writes use it. Files become visible as their
    /// splits are done, or at the end if the write overwrites.
    ///
    /// The plan must be one read whose splits are processed independently: functions over rows and batches (in actors
    /// too), filters, projections, samples with a seed, explode. Anything else, a source that cannot be read again in
    /// the same splits, and rows-per-file minimums are errors.
    public Dataset checkpoint(String folder) {
        CheckpointPlan.require(plan);
        return new Dataset(session, plan, settings, name, folder);
    }

    // Plans and figures

    /// Saves the plan, to be loaded by [Session#loadPlan] in this or another process: reads with the files that were
    /// found, verbs, expressions, and functions that are serialisable. Its settings are those of the session that loads
    /// it, but for the order of rows.
    ///
    /// Materialised rows, iterators, rows in memory beyond a MiB and functions that are not serialisable are errors
    /// that name them. Credentials are not written: a plan that holds some (in an address, in a connection to a
    /// database) is refused, but what a function captures is written as it is.
    ///
    /// @param file a local path; a file that is there is replaced
    public void savePlan(String file) {
        PlanFile.write(file, new SavedPlan(plan, name, settings.execution().preserveOrder()));
    }

    /// The plan as written, optimized, and as it would run, the memory to expect, and the settings that are not the
    /// session's.
    public String explain() {
        return session.executions().explain(plan, settings) + ExplainText.own(settings, session.settings());
    }

    /// The statistics of the latest run of this dataset, as text.
    public String stats() {
        return lastRun == null ? "This dataset has not run yet." : StatsText.format(lastRun);
    }

    /// The statistics of the latest run of this dataset.
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

    /// The settings of its runs: those of its session, but for what [#with] changed.
    public Settings settings() {
        return settings;
    }

    final Session session() {
        return session;
    }

    DatasetExecution start(LogicalPlan consumed) {
        return start(consumed, 0);
    }

    /// @param batchRows rows of the batches that the consumer cuts; 0: not known
    DatasetExecution start(LogicalPlan consumed, long batchRows) {
        return session.executions().start(consumed, settings, name, stats -> lastRun = stats, batchRows);
    }

    List<DatasetExecution> startSplit(int readers, boolean equal, long batchRows) {
        return session.executions()
                .startSplit(plan, settings, name, stats -> lastRun = stats, readers, equal, batchRows);
    }

    @Override
    public String toString() {
        return "Dataset(" + name + (knownSchema == null ? "" : ": " + knownSchema) + ")";
    }
}
