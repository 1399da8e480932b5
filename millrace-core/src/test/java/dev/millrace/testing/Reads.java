package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// Reads sources without a session, for tests of damaged files.
public final class Reads {
    private static final long CHUNK_BYTES = 100_000;

    private Reads() {}

    /// Reads all blocks, looks at the ends of every column, and drops them.
    ///
    /// @return how many rows there were
    public static long drain(Source source, Allocator allocator) throws Exception {
        long rows = 0;
        Iterator<Split> splits = source.splits(new SplitRequest(3, false, 1 << 20, 128 << 20));
        while (splits.hasNext()) {
            try (SplitReader reader = splits.next().open(new ReadContext(allocator, CHUNK_BYTES))) {
                for (Block block = reader.next(); block != null; block = reader.next()) {
                    try (Block open = block) {
                        rows += open.rows();
                        for (Column column : open.columns()) {
                            if (open.rows() > 0) {
                                look(column, 0);
                                look(column, open.rows() - 1);
                            }
                        }
                    }
                }
            }
        }
        return rows;
    }

    private static void look(Column column, long row) {
        try {
            column.value(row);
        } catch (DateTimeException _) {
            // A number of days or seconds for which Java has no date is still a number.
        }
    }

    /// The files of a folder with one of these endings that are small enough to be damaged many times.
    public static List<Path> smallFiles(Path folder, String... endings) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(file ->
                            file.toFile().length() < 400_000 && file.toFile().length() > 0)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
