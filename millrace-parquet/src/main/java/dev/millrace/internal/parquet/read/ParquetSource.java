package dev.millrace.internal.parquet.read;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.UserCall;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.internal.source.PathListing;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadParquet;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Parquet files. The first one's schema counts for all. Few files are listed when the source is made; of many, the
/// rest
/// is listed while the first are read.
public final class ParquetSource implements Source {
    private static final long serialVersionUID = 1L;
    private static final List<String> ENDINGS = List.of(".parquet", ".parq", ".pq");
    private static final int LISTED_AT_ONCE = 1_000;
    private static final int FOOTERS_AT_ONCE = 16;

    private final String name;
    private final List<String> paths;
    /// The first files, or all of them if `complete`.
    private final List<StoredFile> files;

    private final boolean complete;
    private final ReadPlan plan;
    /// Bytes in memory per byte of a file, of all columns; by the first file.
    private final double expansion;

    /// Counted at the first question; a benign race.
    private transient OptionalLong rows;

    private ParquetSource(
            String name, List<String> paths, List<StoredFile> files, boolean complete, ReadPlan plan, double expansion) {
        this.name = name;
        this.paths = paths;
        this.files = files;
        this.complete = complete;
        this.plan = plan;
        this.expansion = expansion;
    }

    public static List<String> endings() {
        return ENDINGS;
    }

    /// @throws MillraceException culprit USER for a path that is not there or a column that is not in the first file,
    ///     DATA for a first file that is no Parquet file
    public static ParquetSource of(List<String> paths, ReadParquet options) {
        List<StoredFile> files = new ArrayList<>();
        Iterator<StoredFile> listing = new PathListing("readParquet", ENDINGS).iterate(paths);
        while (listing.hasNext() && files.size() < LISTED_AT_ONCE) {
            files.add(listing.next());
        }
        boolean complete = !listing.hasNext();
        String first = files.getFirst().path();
        Footer footer = footer(first);
        ReadColumns all = columns(footer.columns().schema(), files, options);
        ReadPlan plan = new ReadPlan(all, all, null, Long.MAX_VALUE, options.hive());
        if (options.wanted() != null) {
            plan = plan.project(options.wanted());
        }
        String name = "Parquet("
                + (paths.size() == 1 ? paths.getFirst() : complete ? files.size() + " files" : paths.size() + " paths")
                + ")";
        return new ParquetSource(
                name,
                List.copyOf(paths),
                List.copyOf(files),
                complete,
                plan,
                SplitPlanner.expansion(footer, files.getFirst().bytes()));
    }

    private static ReadColumns columns(Schema data, List<StoredFile> files, ReadParquet options) {
        List<Field> partitions = options.hive()
                ? FileConstants.partitions(
                        files.stream()
                                .map(file -> FileConstants.of(file.path(), true))
                                .toList(),
                        options.partitionTypes())
                : List.of();
        Set<String> constants = new HashSet<>();
        partitions.forEach(field -> constants.add(field.name()));
        List<Field> fields = new ArrayList<>(data.fields());
        fields.removeIf(field -> constants.contains(field.name()));
        if (options.paths()) {
            constants.add(FileConstants.PATH);
            fields.add(new Field(FileConstants.PATH, DataType.UTF8));
        }
        fields.addAll(partitions);
        return new ReadColumns(Schema.of(fields), constants, files.getFirst().path());
    }

    static Footer footer(String file) {
        return ParquetReader.guarded(file, () -> {
            try (FileBytes bytes = FileBytes.open(file, Allocator.collected("the footer of " + file))) {
                return Footer.read(bytes);
            }
        });
    }

    @Override
    public String name() {
        return plan.filter() == null ? name : name.substring(0, name.length() - 1) + " where " + plan.filter() + ")";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(plan.schema());
    }

    /// Known beforehand of few files only: of many, tasks read the footers.
    @Override
    public OptionalLong rows() {
        if (rows == null) {
            rows = complete
                            && files.size() <= FOOTERS_AT_ONCE
                            && plan.filter() == null
                            && plan.limit() == Long.MAX_VALUE
                    ? OptionalLong.of(files.stream()
                            .mapToLong(file -> footer(file.path()).metadata().rows())
                            .sum())
                    : OptionalLong.empty();
        }
        return rows;
    }

    @Override
    public OptionalLong sizeBytes() {
        if (!complete) {
            return OptionalLong.empty();
        }
        double share = SplitPlanner.share(plan);
        return OptionalLong.of(
                (long) (files.stream().mapToLong(StoredFile::bytes).sum() * expansion * share));
    }

    @Override
    public List<String> inputFiles() {
        if (complete) {
            return files.stream().map(StoredFile::path).toList();
        }
        return new PathListing("readParquet", ENDINGS)
                .list(paths).stream().map(StoredFile::path).toList();
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        return Optional.of(with(plan.project(columns)));
    }

    /// Takes every part that computes nothing of the user's own.
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
                && !hasUserCode(part)
                && part.columns().stream().allMatch(plan.all().output()::contains);
    }

    private static boolean hasUserCode(Expression expression) {
        return expression instanceof UserCall || expression.children().stream().anyMatch(ParquetSource::hasUserCode);
    }

    @Override
    public Optional<Source> limit(long wanted) {
        return Optional.of(with(plan.limit(wanted)));
    }

    private ParquetSource with(ReadPlan other) {
        return new ParquetSource(name, paths, files, complete, other, expansion);
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        Iterator<StoredFile> all = files.iterator();
        if (!complete) {
            all = new PathListing("readParquet", ENDINGS).iterate(paths);
        }
        long known = complete ? files.stream().mapToLong(StoredFile::bytes).sum() : -1;
        return new SplitPlanner(plan, all, known, expansion, request);
    }
}
