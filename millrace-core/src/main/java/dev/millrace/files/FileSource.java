package dev.millrace.files;

import dev.millrace.internal.source.FileColumns;
import dev.millrace.internal.source.FileListing;
import dev.millrace.internal.source.FileSplits;
import dev.millrace.internal.source.FirstFile;
import dev.millrace.internal.source.SchemaUnion;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.source.WantedColumns;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Files of one format, in any storage. Their columns are the union of the files sampled for the schema, see
/// [FileReads]. Few files are listed when the source is created; of many, the rest is listed while the first are read.
public final class FileSource implements Source {
    private static final long serialVersionUID = 1L;
    private static final int MAX_COUNTED = 100;

    private final String name;
    private final FileListing listing;
    private final ReadFormat format;
    private final FileReads options;
    /// The columns of the sampled files, without those of paths.
    private final Schema known;
    private final FileColumns all;
    private final FileColumns wanted;
    /// Bytes in memory for a byte of an uncompressed file.
    private final double expansion;
    /// Counted at the first question; a benign race.
    private transient @Nullable OptionalLong rows;

    private FileSource(
            String name,
            FileListing listing,
            ReadFormat format,
            FileReads options,
            Schema known,
            FileColumns all,
            FileColumns wanted,
            double expansion) {
        this.name = name;
        this.listing = listing;
        this.format = format;
        this.options = options;
        this.known = known;
        this.all = all;
        this.wanted = wanted;
        this.expansion = expansion;
    }

    /// A source of the files at these paths.
    ///
    /// @param paths files, folders and globs
    /// @throws dev.millrace.error.MillraceException culprit USER for a path that is not there, DATA for files of which
    ///     none is of the format
    public static FileSource of(List<String> paths, ReadFormat format, FileReads options) {
        FileListing listing = FileListing.of(paths, format, options);
        List<StoredFile> files = listing.known();
        Schema known = SchemaUnion.of(files, format, options);
        FileColumns all = FileColumns.all(known, listing.partitions(), options);
        if (options.columns() != null) {
            all = all.named(options, format.verb());
        }
        double expansion = FirstFile.expansion(files, format, options);
        String name = format.name() + "(" + listing.description() + ")";
        return new FileSource(name, listing, format, options, known, all, all, expansion);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(wanted.output());
    }

    /// Of few files that tell it.
    @Override
    public OptionalLong rows() {
        if (rows == null) {
            rows = countRows();
        }
        return rows;
    }

    private OptionalLong countRows() {
        if (!listing.complete() || listing.known().size() > MAX_COUNTED) {
            return OptionalLong.empty();
        }
        long sum = 0;
        for (StoredFile file : listing.known()) {
            OptionalLong some = FirstFile.rows(file, format, options);
            if (some.isEmpty()) {
                return some;
            }
            sum += some.getAsLong();
        }
        return OptionalLong.of(sum);
    }

    @Override
    public OptionalLong sizeBytes() {
        return listing.bytes() < 0 ? OptionalLong.empty() : OptionalLong.of((long) (listing.bytes() * expansion()));
    }

    /// Of all columns, about as many bytes as columns.
    private double expansion() {
        double share = (wanted.output().size() + 0.01) / (all.output().size() + 0.01);
        return expansion * share * listing.compressionRatio(format, options.compression());
    }

    @Override
    public List<String> inputFiles() {
        return listing.paths();
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        FileColumns projected = all.project(columns, format.verb());
        return Optional.of(new FileSource(name, listing, format, options, known, all, projected, expansion));
    }

    @Override
    public boolean hasSplits(int count) {
        return listing.complete() && FileSplits.count(listing.known(), count, format, options.compression()) == count;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return new FileSplits(
                format,
                wanted,
                new WantedColumns(wanted.stored(), known, options.columns() != null),
                options.compression(),
                listing.iterate(),
                listing.bytes(),
                expansion(),
                request);
    }
}
