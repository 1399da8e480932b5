package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.ReadTasks;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.consume.SessionExecutions;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.planfile.PlanFile;
import dev.millrace.internal.planfile.SavedPlan;
import dev.millrace.internal.recovery.RecoveringRuntime;
import dev.millrace.internal.source.ArrowBytesSource;
import dev.millrace.internal.source.FormatRegistry;
import dev.millrace.internal.source.ItemsSource;
import dev.millrace.internal.source.IteratorSource;
import dev.millrace.internal.source.LookMemory;
import dev.millrace.internal.source.RangeSource;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.DeadLetters;
import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.ExecutionSettings;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.IterationSettings;
import dev.millrace.settings.LogSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.RunLimits;
import dev.millrace.settings.Settings;
import dev.millrace.settings.SpillSettings;
import dev.millrace.source.ReadFormatOptions;
import dev.millrace.source.Source;
import dev.millrace.stats.MetricsExporter;
import dev.millrace.stats.RunStats;
import dev.millrace.stats.SpillStats;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Creates datasets, and holds what they share: a runtime, its resources, and one account of block memory.
///
/// Opening one starts nothing; threads begin with the first run. Closing it cancels what runs, frees materialised
/// datasets and abandoned iterations, and throws, naming the holder, if block memory is still held. A function of one
/// of its datasets cannot close it: the close would wait for the function. Thread-safe.
public final class Session implements SessionReads, AutoCloseable {
    private final Settings settings;
    private final SessionParts parts;
    private final Allocator memory;
    private final SessionExecutions executions;
    private boolean closed;

    private Session(Settings settings, SessionParts parts) {
        this.settings = settings;
        this.parts = parts;
        this.memory = parts.memory();
        this.executions = parts.executions();
    }

    /// The system property with the address of the cluster ([#connect(String)]) on which [#open()] and [#connect()]
    /// open their sessions; the environment variable `MILLRACE_CLUSTER` does the same. `millrace run --cluster` sets
    /// it.
    public static final String CLUSTER = "millrace.cluster";

    /// The system property that gives every session a dashboard ([DashboardSettings]) which has no setting for it:
    /// `true`, or the first port to try. `millrace run --dashboard` sets it.
    public static final String DASHBOARD = "millrace.dashboard";

    /// The system property that gives every session a log ([LogSettings]) which has no setting for it: `true`, `json`
    /// or `logger`. The session prints where its file is. `millrace run --log` sets it.
    public static final String LOG = "millrace.log";

    /// A session in this process, with all resources of the machine; on a cluster if the property [#CLUSTER] names one.
    public static Session open() {
        return builder().open();
    }

    /// A session in this process with these settings.
    public static Session open(Settings settings) {
        return builder().settings(settings).open();
    }

    /// A session whose tasks run on the workers of a cluster, with the same programs as in this process:
    ///
    /// - `local:3`: three processes on this machine, which end with the session
    /// - `millrace://host:port,...`: workers that somebody started (`millrace worker`)
    /// - `ray://head:6379`: a worker on each node of a Ray cluster (artifact `millrace-ray`)
    ///
    /// Needs the artifact `millrace-cluster`.
    public static Session connect(String address) {
        return builder().cluster(address).open();
    }

    /// A session on the cluster that the property [#CLUSTER] names.
    ///
    /// @throws MillraceException culprit USER, if it names none
    public static Session connect() {
        if (GivenSettings.cluster() == null) {
            throw MillraceException.user("Session.connect() needs the address of a cluster: in the property " + CLUSTER
                    + ", in the environment variable MILLRACE_CLUSTER, by 'millrace run --cluster ADDRESS', or as its"
                    + " argument.");
        }
        return open();
    }

    /// For a session with non-default settings.
    public static Builder builder() {
        return new Builder();
    }

    /// The settings it was opened with.
    public Settings settings() {
        return settings;
    }

    /// The total resources, and what of them is free now.
    public SessionResources resources() {
        return parts.resources();
    }

    /// What materialised datasets have spilled to disk and read back; nothing on runtimes with a store of their own.
    public SpillStats spillStats() {
        return parts.spiller().stats();
    }

    /// Where people can look at its runs, with the token that lets them in; empty without a dashboard
    /// ([DashboardSettings]).
    public Optional<URI> dashboard() {
        return executions.dashboard();
    }

    /// The file of its log; empty without one ([LogSettings]).
    public Optional<Path> logFile() {
        return Optional.ofNullable(parts.logFile());
    }

    /// The account for blocks that the program creates itself, e.g. for [#fromBlocks].
    public Allocator allocator() {
        return memory;
    }

    /// The statistics of the open runs, in the order of their start.
    public List<RunStats> running() {
        return executions.running();
    }

    // Numbers

    /// The numbers 0 to `rows` in column `id`.
    public Dataset range(long rows) {
        return read(RangeSource.ids(Verbs.requireCount("range", rows)));
    }

    /// The same, read as about this many blocks: equal ones, and one more for the remainder.
    public Dataset range(long rows, int blocks) {
        return read(RangeSource.ids(Verbs.requireCount("range", rows)), blocks);
    }

    /// The numbers 0 to `rows` in column `data`, each as a tensor of that shape filled with its number.
    public Dataset rangeTensor(long rows, int... shape) {
        if (Arrays.stream(shape).anyMatch(size -> size < 1)) {
            throw MillraceException.user(
                    "rangeTensor: every dimension must be 1 or more, not " + Arrays.toString(shape) + ".");
        }
        return read(RangeSource.tensors(Verbs.requireCount("rangeTensor", rows), shape));
    }

    // Values of the program

    /// Rows from values: a [dev.millrace.batch.Row], a Map or a record provides its columns, anything else the column
    /// `item`. Columns get the common type of their values; a missing value is null.
    public Dataset items(@Nullable Object... values) {
        return items(Arrays.asList(values));
    }

    /// The same from a list.
    public Dataset items(List<?> values) {
        return read(ItemsSource.of(values));
    }

    /// The same in this many blocks.
    public Dataset items(List<?> values, int blocks) {
        return read(ItemsSource.of(values), blocks);
    }

    /// Rows from records of one class; the schema is the class's, also when there are none.
    public <R extends Record> Dataset records(Class<R> type, List<R> records) {
        return read(ItemsSource.ofRecords(type, records));
    }

    /// Rows from an iterator per run, see [#items] for the conversion of values. It is read lazily, on one thread,
    /// slightly ahead of the tasks that process its rows; the first thousand rows determine the columns and their
    /// types.
    public Dataset fromIterator(Supplier<? extends Iterator<?>> iterators) {
        return read(IteratorSource.repeatable(iterators, null));
    }

    /// Rows from an iterator that can be consumed once; a second run is an error.
    public Dataset fromIterator(Iterator<?> iterator) {
        return read(IteratorSource.once(iterator));
    }

    /// The same with the schema of a record class.
    public <R extends Record> Dataset fromIterator(Class<R> type, Supplier<? extends Iterator<R>> iterators) {
        return read(IteratorSource.repeatable(iterators, RecordCodec.schemaOf(type)));
    }

    /// Rows from a stream that can be consumed once; closed at the end of the run.
    public Dataset fromStream(Stream<?> stream) {
        return read(IteratorSource.once(stream));
    }

    /// Rows from a publisher that can be consumed once; see [#items] for the conversion of values. It is subscribed to
    /// when the run begins, asked for a few hundred values ahead, and cancelled if the run ends before it does.
    public Dataset fromPublisher(Flow.Publisher<?> publisher) {
        return read(IteratorSource.once(PublishedValues.stream(publisher)));
    }

    // SQL

    /// The rows of a query over datasets, each under the name before it: `sql("SELECT zone, avg(fare) FROM trips GROUP
    /// BY zone", "trips", trips)`. Nothing runs before the rows are consumed, and the query is translated to verbs of
    /// datasets.
    ///
    /// @throws MillraceException culprit USER, with line and column, for a mistake in the query
    public Dataset sql(String query, Object... tables) {
        return SqlCall.run(this, query, SqlCall.pairs(tables));
    }

    /// The same with the tables in a map.
    public Dataset sql(String query, Map<String, Dataset> tables) {
        return SqlCall.run(this, query, tables);
    }

    // Files: see SessionReads

    /// Files of any format on the class path.
    ///
    /// @param options the format's own record of options, or null for the defaults
    @Override
    public Dataset read(String format, List<String> paths, @Nullable ReadFormatOptions options) {
        requireOpen();
        return read(
                LookMemory.of(memory, () -> FormatRegistry.toRead(format).open(paths, options)),
                options == null ? ReadTasks.defaults() : options.files().tasks());
    }

    /// Arrow IPC data, in the file or the stream format. The bytes must not change.
    public Dataset fromArrow(byte[] data) {
        return read(ArrowBytesSource.of(data));
    }

    /// The same from memory, which must stay valid; it is read in this process.
    public Dataset fromArrow(MemorySegment data) {
        return read(ArrowBytesSource.of(data));
    }

    /// Batches that the program created or kept; their rows are copied. Columns get their common types.
    public MaterializedDataset fromBatches(List<Batch> batches) {
        return fromBlocks(ProgramBlocks.copyOf(batches, memory));
    }

    /// The same of several batches.
    public MaterializedDataset fromBatches(Batch... batches) {
        return fromBatches(List.of(batches));
    }

    /// Blocks that the caller created, of one schema. The dataset owns them from here.
    public MaterializedDataset fromBlocks(List<Block> blocks) {
        Schema schema = ProgramBlocks.schemaOf(blocks);
        return new MaterializedDataset(
                this,
                executions.keep(blocks.stream()
                        .map(parts.runtime()::put)
                        .map(BlockSlice::whole)
                        .toList()),
                schema,
                List.of(),
                settings,
                "blocks");
    }

    /// A dataset over any source.
    @Override
    public Dataset read(Source source) {
        return read(source, ReadTasks.defaults());
    }

    /// The same, with the desired number of blocks.
    public Dataset read(Source source, int blocks) {
        return read(source, ReadTasks.defaults().blocks(blocks));
    }

    /// The same, with what its tasks take, how many run at once and how many blocks they make. Of files, these are
    /// options of the read.
    public Dataset read(Source source, ReadTasks tasks) {
        requireOpen();
        return new Dataset(
                this,
                new LogicalPlan.Read(source, tasks, ErrorPolicy.fail(), CallSite.here()),
                settings,
                source.name());
    }

    /// The dataset whose plan was saved by [Dataset#savePlan]. Nothing runs. The files of its reads are those that were
    /// found when it was described; they must still be there.
    ///
    /// A file with functions is code that this process would run: classes other than Millrace's own and values of the
    /// JDK are refused unless they are allowed here, and functions must be in the same version of these classes.
    ///
    /// @param file a local path
    /// @param allowed names of classes, or of packages with a dot at the end, whose objects the plan may have:
    ///     `"com.acme.jobs."`
    public Dataset loadPlan(String file, String... allowed) {
        requireOpen();
        SavedPlan saved = PlanFile.read(file, List.of(allowed));
        Settings ordered = settings.with(settings.execution().withPreserveOrder(saved.ordered()));
        return new Dataset(this, saved.plan(), ordered, saved.name());
    }

    /// The rows that failed under `ErrorPolicy.deadLetter(name)` in the latest ended run with such a policy, also if it
    /// was closed early or failed. Columns: `operator`, `origin` (split, file or block), `row` (its number there, null
    /// if it is not known), `error` (type), `message`, `line` (the user's own), `data` (the row as JSON). Close it to
    /// free it before the session does.
    public MaterializedDataset deadLetters(String name) {
        return deadLetters(List.of(name), settings);
    }

    MaterializedDataset deadLetters(Iterable<String> names, Settings of) {
        requireOpen();
        return new MaterializedDataset(
                this, executions.deadLetters().letters(names), DeadLetters.SCHEMA, List.of(), of, "dead letters");
    }

    SessionExecutions executions() {
        return executions;
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw MillraceException.user("The session is closed. Open a new one.");
        }
    }

    @Override
    public void close() {
        executions.requireOutside();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (parts.runtime() instanceof RecoveringRuntime recovering) {
            recovering.stopRecovering();
        }
        parts.close();
    }

    /// Settings of a session, per concern. `Session.builder().blocks(BlockSettings.images()).open()`.
    public static final class Builder {
        private Settings settings = Settings.DEFAULT;
        private @Nullable Function<? super Allocator, ? extends Runtime> runtimes;
        private @Nullable String cluster;
        private UnaryOperator<Runtime> around = UnaryOperator.identity();
        private final List<MetricsExporter> exporters = new ArrayList<>();

        private Builder() {}

        /// All settings at once.
        public Builder settings(Settings all) {
            settings = Objects.requireNonNull(all);
            return this;
        }

        /// Block sizes; [BlockSettings] has presets by workload.
        public Builder blocks(BlockSettings blocks) {
            return settings(settings.with(blocks));
        }

        /// The CPUs, GPUs and memory that the session may use.
        public Builder limits(ResourceLimits limits) {
            return settings(settings.with(limits));
        }

        /// The order of rows, and prefetch of blocks.
        public Builder execution(ExecutionSettings execution) {
            return settings(settings.with(execution));
        }

        /// Batch size and prefetch of iterations.
        public Builder iteration(IterationSettings iteration) {
            return settings(settings.with(iteration));
        }

        /// How the progress of runs is shown.
        public Builder progress(ProgressSettings progress) {
            return settings(settings.with(progress));
        }

        /// What is retried, and timeouts.
        public Builder faults(FaultSettings faults) {
            return settings(settings.with(faults));
        }

        /// What each run may use of the session's resources; [Dataset#with] has it for one dataset.
        public Builder runs(RunLimits limits) {
            return settings(settings.with(limits));
        }

        /// Where materialised datasets that do not fit in memory are spilled.
        public Builder spill(SpillSettings spill) {
            return settings(settings.with(spill));
        }

        /// Whether its runs are shown on a page.
        public Builder dashboard(DashboardSettings dashboard) {
            return settings(settings.with(dashboard));
        }

        /// Whether what it does is written down.
        public Builder log(LogSettings log) {
            return settings(settings.with(log));
        }

        /// Hands its metrics to a system that collects such; several exporters may be given.
        public Builder metrics(MetricsExporter exporter) {
            exporters.add(Objects.requireNonNull(exporter));
            return this;
        }

        /// How the workers of a cluster are reached.
        public Builder cluster(ClusterSettings access) {
            return settings(settings.with(access));
        }

        /// The cluster on whose workers tasks run, see [Session#connect].
        public Builder cluster(String address) {
            cluster = Objects.requireNonNull(address);
            return this;
        }

        /// The runtime that executes tasks, instead of threads of this process. The session closes it.
        public Builder runtime(Runtime other) {
            Objects.requireNonNull(other);
            return runtime(_ -> other);
        }

        /// The same, for a runtime that creates blocks in this process: it gets the session's account for them.
        public Builder runtime(Function<? super Allocator, ? extends Runtime> factory) {
            runtimes = Objects.requireNonNull(factory);
            return this;
        }

        /// Wraps a runtime around the session's own, which the outer one closes: for tests, the fault-injecting runtime
        /// of `millrace-testing`.
        public Builder runtimeAround(UnaryOperator<Runtime> outer) {
            around = Objects.requireNonNull(outer);
            return this;
        }

        /// Opens the session, which the caller closes. Without a cluster and a runtime of its own it is on the cluster
        /// that the property [#CLUSTER] names, if it names one.
        public Session open() {
            String address = cluster == null && runtimes == null ? GivenSettings.cluster() : cluster;
            Settings given = GivenSettings.over(settings);
            Session session = new Session(given, SessionParts.open(given, runtimes, address, around, exporters));
            if (!settings.log().on()) {
                session.logFile().ifPresent(file -> System.err.println("millrace: the log of this session is " + file));
            }
            return session;
        }
    }
}
