package dev.millrace.internal.parquet.read;

import dev.millrace.expression.Expression;
import dev.millrace.internal.source.FileColumns;
import dev.millrace.internal.source.FileListing;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.source.ColumnStatistics;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Reads Parquet files. The columns and their types are inferred from the footers of some, see [KnownSchema]. If there
/// are few files, all are listed when the source is created; otherwise the rest is listed while the first are read.
public final class ParquetSource implements Source {
    private static final long serialVersionUID = 2L;
    private static final List<String> ENDINGS = List.of(".parquet", ".parq", ".pq");
    private static final int FOOTERS_AT_ONCE = 16;
    /// The assumed selectivity of a filter.
    private static final double PASSING = 0.25;

    private final String name;
    private final FileListing files;
    private final ParquetReadPlan plan;
    /// Bytes in memory per byte of a file, for all columns; measured on one file.
    private final double expansion;

    /// Computed on first use; the race is benign.
    private transient @Nullable OptionalLong rows;

    /// Of the columns asked for so far; the race is benign.
    private transient @Nullable Map<String, ColumnStatistics> statistics;

    private ParquetSource(String name, FileListing files, ParquetReadPlan plan, double expansion) {
        this.name = name;
        this.files = files;
        this.plan = plan;
        this.expansion = expansion;
    }

    public static List<String> endings() {
        return ENDINGS;
    }

    /// @throws MillraceException culprit USER if a path does not exist or a column is not in the inspected files, DATA
    ///     if none of the files is a Parquet file, and for types that conflict
    public static ParquetSource of(List<String> paths, ReadParquet options) {
        FileListing files = FileListing.of(paths, KnownSchema.VERB, ENDINGS, false, options.files());
        KnownSchema.Looked looked = KnownSchema.of(files.known(), options);
        FileColumns columns = FileColumns.all(looked.known().schema(), files.partitions(), options.files());
        ReadColumns all = new ReadColumns(columns, looked.known());
        ParquetReadPlan plan = new ParquetReadPlan(all, all, null, Long.MAX_VALUE, options);
        if (options.files().columns() != null) {
            plan = plan.project(
                    columns.named(options.files(), KnownSchema.VERB).output().names());
        }
        double expansion =
                SplitPlanner.expansion(looked.footer(), looked.sample().bytes());
        return new ParquetSource("Parquet(" + files.description() + ")", files, plan, expansion);
    }

    @Override
    public String name() {
        return plan.filter() == null ? name : name.substring(0, name.length() - 1) + " where " + plan.filter() + ")";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(plan.schema());
    }

    /// Known in advance only if there are few files: otherwise tasks read the footers.
    @Override
    public OptionalLong rows() {
        OptionalLong counted = rows;
        if (counted == null) {
            counted = files.complete()
                            && files.known().size() <= FOOTERS_AT_ONCE
                            && plan.filter() == null
                            && plan.limit() == Long.MAX_VALUE
                    ? OptionalLong.of(files.known().stream()
                            .mapToLong(
                                    file -> FooterLoader.read(file).metadata().rows())
                            .sum())
                    : OptionalLong.empty();
            rows = counted;
        }
        return counted;
    }

    /// For few files only, like the number of rows; a filtered read returns the statistics of all rows.
    @Override
    public ColumnStatistics statistics(String column) {
        Map<String, ColumnStatistics> known = statistics;
        if (known == null) {
            known = new ConcurrentHashMap<>();
            statistics = known;
        }
        return known.computeIfAbsent(column, this::readStatistics);
    }

    private ColumnStatistics readStatistics(String column) {
        boolean inFiles = files.complete()
                && files.known().size() <= FOOTERS_AT_ONCE
                && !plan.output().constants().contains(column);
        return inFiles
                ? FooterStatistics.of(files.known(), column, plan.schema().type(column))
                : ColumnStatistics.UNKNOWN;
    }

    /// A filtered read counts only a part: its size is that of the output.
    @Override
    public OptionalLong sizeBytes() {
        long bytes = files.bytes();
        double left = plan.filter() == null ? 1 : PASSING;
        return bytes < 0
                ? OptionalLong.empty()
                : OptionalLong.of((long) (bytes * expansion * SplitPlanner.share(plan) * left));
    }

    @Override
    public List<String> inputFiles() {
        return files.paths();
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        return Optional.of(with(plan.project(columns)));
    }

    @Override
    public Optional<Source> narrow(Schema schema) {
        return Optional.of(with(plan.narrow(schema)));
    }

    /// Pushes down every deterministic conjunct that calls no user-defined function.
    @Override
    public Optional<PushedFilter> filter(Expression predicate) {
        Expression taken = null;
        Expression rest = null;
        for (Expression part : predicate.conjuncts()) {
            if (isOurs(part)) {
                taken = taken == null ? part : taken.and(part);
            } else {
                rest = rest == null ? part : rest.and(part);
            }
        }
        return taken == null ? Optional.empty() : Optional.of(new PushedFilter(with(plan.and(taken)), rest));
    }

    private boolean isOurs(Expression part) {
        return part.isDeterministic()
                && !part.callsOut()
                && part.columns().stream().allMatch(plan.all().output()::contains);
    }

    @Override
    public Optional<Source> encoded(Set<String> columns) {
        return Optional.of(with(plan.encoded(columns)));
    }

    @Override
    public Optional<Source> limit(long wanted) {
        return Optional.of(with(plan.limit(wanted)));
    }

    private ParquetSource with(ParquetReadPlan other) {
        return new ParquetSource(name, files, other, expansion);
    }

    /// Known if there are enough files, so that none has to be split, and neither a filter nor a limit can exclude any.
    @Override
    public boolean hasSplits(int count) {
        return files.complete()
                && plan.filter() == null
                && plan.limit() == Long.MAX_VALUE
                && files.known().size() >= count;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return new SplitPlanner(plan, files.iterate(), files.bytes(), expansion, request);
    }
}
