package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.compress.FileCompression;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.source.FileReads;
import dev.millrace.source.FileSelection;
import dev.millrace.source.ReadFormat;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.Field;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The files of a read: few are listed at once; of many, the rest is listed while the first are read.
///
/// @param selector which of the found files are read
/// @param known the first files, or all of them if `complete`; without versions, which belong to a run
/// @param partitions the columns of folders named `key=value`, according to the first files found, selected or not
public record FileListing(
        List<String> asked,
        String verb,
        List<String> endings,
        boolean packed,
        FileSelector selector,
        List<StoredFile> known,
        boolean complete,
        List<Field> partitions)
        implements Serializable {
    private static final int LISTED_AT_ONCE = 1_000;
    /// A folder that has grown beyond this is not listed to its end; files that were not found are queried one by one.
    private static final int MAX_RELISTED = 10 * LISTED_AT_ONCE;
    /// The usual compression ratio of text.
    private static final double PACKED = 4;

    /// All files are listed here if they are read in another order than that of their names, or if all of them are
    /// sampled.
    public static FileListing of(List<String> paths, ReadFormat format, FileReads options) {
        return of(paths, format.verb(), format.endings(), format.unpacks(), options);
    }

    /// @param verb named in errors
    /// @param endings of the format's files; used only in folders
    /// @param packed endings of compression may follow
    public static FileListing of(
            List<String> paths, String verb, List<String> endings, boolean packed, FileReads options) {
        FileSelection selection = options.selection();
        List<String> wanted = selection.extensions().isEmpty() ? endings : selection.extensions();
        Iterator<StoredFile> listing = new PathListing(verb, wanted, packed, selection.ignoreMissing()).iterate(paths);
        boolean isWhole = options.shuffleSeed() != null || options.looksAtAllFiles();
        List<StoredFile> found = new ArrayList<>();
        while (listing.hasNext() && (found.size() < LISTED_AT_ONCE || isWhole)) {
            found.add(listing.next().withoutVersion());
        }
        List<Field> partitions = partitions(FileSelector.byPath(options, verb, packed), found, options);
        FileSelector selector = FileSelector.byPath(options, verb, packed).byFolder(options, partitions);
        List<StoredFile> files = new ArrayList<>();
        selector.select(found.iterator()).forEachRemaining(files::add);
        Iterator<StoredFile> rest = selector.select(listing);
        while (files.size() < LISTED_AT_ONCE && rest.hasNext()) {
            files.add(rest.next().withoutVersion());
        }
        if (files.isEmpty()) {
            throw selector.nothingLeft(found);
        }
        boolean complete = !rest.hasNext();
        if (options.shuffleSeed() != null) {
            Collections.shuffle(files, new Random(options.shuffleSeed()));
        }
        return new FileListing(
                List.copyOf(paths), verb, wanted, packed, selector, List.copyOf(files), complete, partitions);
    }

    private static List<Field> partitions(FileSelector byPath, List<StoredFile> found, FileReads options) {
        List<FileConstants> folders = new ArrayList<>();
        if (options.hive()) {
            byPath.select(found.iterator()).forEachRemaining(file -> folders.add(FileConstants.of(file.path(), true)));
        }
        return folders.isEmpty() ? List.of() : FileConstants.partitions(folders, options.partitionTypes());
    }

    /// The compression of a file.
    ///
    /// @param given by the options, for all files; null: determined by the name
    static FileCompression compression(StoredFile file, ReadFormat format, @Nullable String given) {
        if (given != null) {
            return FileCompression.named(given);
        }
        return format.unpacks() ? FileCompression.of(file.name()) : FileCompression.NONE;
    }

    /// At most this many of these files: the first, the last, and others evenly between them.
    public static List<StoredFile> sample(List<StoredFile> files, int most) {
        if (files.size() <= most) {
            return files;
        }
        List<StoredFile> some = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            some.add(files.get((int) ((long) i * (files.size() - 1) / (most - 1))));
        }
        return some;
    }

    /// For the names of sources: the only path, or the number of paths.
    public String description() {
        return asked.size() == 1
                ? SecretText.hide(asked.getFirst())
                : complete ? known.size() + " files" : asked.size() + " paths";
    }

    /// All files, in the order of the read, as they are now: a later change is an error of the read.
    public Iterator<StoredFile> iterate() {
        return new CurrentFiles(complete ? relisted() : listed());
    }

    /// The known files; if they are in remote folders, with the versions of a new listing, so that not each file has to
    /// be queried.
    private Iterator<StoredFile> relisted() {
        Set<String> paths = known.stream().map(StoredFile::path).collect(Collectors.toSet());
        List<String> folders = asked.stream()
                .filter(path -> CurrentFiles.isFar(path) && !paths.contains(path))
                .toList();
        Map<String, StoredFile> now = new HashMap<>();
        try {
            Iterator<StoredFile> files = folders.isEmpty()
                    ? Collections.emptyIterator()
                    : selector.select(new PathListing(verb, endings, packed, true).iterate(folders));
            for (int i = 0; i < MAX_RELISTED && files.hasNext(); i++) {
                StoredFile file = files.next();
                now.put(file.path(), file);
            }
        } catch (MillraceException _) {
            // Opening the files will report what is wrong.
        }
        return known.stream().map(file -> now.getOrDefault(file.path(), file)).iterator();
    }

    private Iterator<StoredFile> listed() {
        return complete
                ? known.iterator()
                : selector.select(new PathListing(
                                verb, endings, packed, selector.selection().ignoreMissing())
                        .iterate(asked));
    }

    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        listed().forEachRemaining(file -> paths.add(file.path()));
        return paths;
    }

    /// The bytes of all files, if known; else -1.
    public long bytes() {
        return complete && known.stream().allMatch(file -> file.bytes() >= 0)
                ? known.stream().mapToLong(StoredFile::bytes).sum()
                : -1;
    }

    /// The approximate decompression factor of these files.
    public double compressionRatio(ReadFormat format, @Nullable String given) {
        StoredFile first = known.getFirst();
        return compression(first, format, given) == FileCompression.NONE ? 1 : PACKED;
    }
}
