package dev.millrace.internal.checkpoint;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.SplitDivision;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All splits of a source, listed before the run and numbered: their position is their identity, and their fingerprint
/// tells whether the source still has the same.
public final class SplitList {
    private final Source source;
    private final List<Split> splits = new ArrayList<>();
    private final Map<String, String> files = new HashMap<>();

    private SplitList(Source source) {
        this.source = source;
    }

    public static SplitList of(Source source, SplitRequest request) {
        SplitList list = new SplitList(source);
        Iterator<Split> splits = SplitDivision.splits(source, request);
        try {
            splits.forEachRemaining(list.splits::add);
        } finally {
            close(splits);
        }
        return list;
    }

    private static void close(Iterator<Split> splits) {
        if (splits instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw MillraceException.internal("a list of splits could not be closed: " + e);
            }
        }
    }

    public long size() {
        return splits.size();
    }

    public long files() {
        return splits.stream()
                .flatMap(split -> split.inputFiles().stream())
                .distinct()
                .count();
    }

    /// The content of the fingerprint: descriptions, sizes, and sizes and times of the files.
    public String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Split split : splits) {
                digest.update((split.description() + "\0" + split.rows() + "\0" + split.sizeBytes() + "\0")
                        .getBytes(StandardCharsets.UTF_8));
                for (String file : split.inputFiles()) {
                    digest.update((file + "\0" + files.computeIfAbsent(file, SplitList::stateOf) + "\0")
                            .getBytes(StandardCharsets.UTF_8));
                }
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /// The files with their states, as a manifest stores them: to say which of them changed.
    public List<String> fileStates() {
        return splits.stream()
                .flatMap(split -> split.inputFiles().stream())
                .distinct()
                .map(file -> files.computeIfAbsent(file, SplitList::stateOf) + " " + SecretText.hide(file))
                .toList();
    }

    /// "SIZE MILLIS"; for a file that is not on a local file system, only its name is known.
    private static String stateOf(String file) {
        try {
            BasicFileAttributes state = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
            return state.size() + " " + state.lastModifiedTime().toMillis();
        } catch (IOException | RuntimeException _) {
            return "- -";
        }
    }

    /// The numbers that are not in `done`, in order.
    public List<Long> without(Set<Long> done) {
        List<Long> left = new ArrayList<>();
        for (long i = 0; i < splits.size(); i++) {
            if (!done.contains(i)) {
                left.add(i);
            }
        }
        return left;
    }

    /// A source of only these splits. For the driver only.
    public Source only(List<Long> numbers) {
        List<Split> chosen =
                numbers.stream().map(number -> splits.get(number.intValue())).toList();
        return new ChosenSplits(source, chosen);
    }

    private record ChosenSplits(Source all, List<Split> chosen) implements Source {
        @Override
        public String name() {
            return all.name();
        }

        @Override
        public Optional<Schema> schema() {
            return all.schema();
        }

        @Override
        public List<String> inputFiles() {
            return all.inputFiles();
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return chosen.iterator();
        }
    }
}
