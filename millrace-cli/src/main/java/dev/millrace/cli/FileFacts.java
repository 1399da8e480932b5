package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.internal.parquet.read.FooterFacts;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.TreeSet;

/// What is known of files without reading their rows.
///
/// @param files all of them
/// @param bytes on disk, of the first [#SIZED] files
/// @param footers of Parquet files, of the first [#FOOTERS] at most
record FileFacts(int files, long bytes, List<FooterFacts> footers) {
    static final int SIZED = 1_000;
    static final int FOOTERS = 100;

    static FileFacts of(Dataset read, String format) {
        List<String> paths = read.inputFiles();
        List<FooterFacts> footers = new ArrayList<>();
        long bytes = 0;
        for (String path : paths.subList(0, Math.min(SIZED, paths.size()))) {
            Optional<StoredFile> file = find(path);
            bytes += Math.max(0, file.map(StoredFile::bytes).orElse(0L));
            if (format.equals("parquet") && footers.size() < FOOTERS && file.isPresent()) {
                footers.add(FooterFacts.of(file.get()));
            }
        }
        return new FileFacts(paths.size(), bytes, footers);
    }

    private static Optional<StoredFile> find(String path) {
        try {
            return StorageRegistry.of(path).find(path);
        } catch (IOException e) {
            throw StorageRegistry.unreadable(path, e);
        }
    }

    boolean areAllSized() {
        return files <= SIZED;
    }

    List<FooterFacts.Group> groups() {
        return footers.stream().flatMap(footer -> footer.groups().stream()).toList();
    }

    LongSummaryStatistics groupRows() {
        return groups().stream().mapToLong(FooterFacts.Group::rows).summaryStatistics();
    }

    LongSummaryStatistics groupBytes() {
        return groups().stream().mapToLong(FooterFacts.Group::bytes).summaryStatistics();
    }

    List<String> codecs() {
        TreeSet<String> codecs = new TreeSet<>();
        footers.forEach(footer -> codecs.addAll(footer.codecs()));
        return List.copyOf(codecs);
    }

    List<String> writers() {
        return footers.stream()
                .map(FooterFacts::writer)
                .filter(writer -> !writer.isBlank())
                .distinct()
                .toList();
    }
}
