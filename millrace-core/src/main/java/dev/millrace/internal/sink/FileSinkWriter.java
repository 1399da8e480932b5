package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The files of one attempt: one series of them, or one per folder if rows are distributed over folders. Only some of
/// those are open at a time, and hold memory within a bound; the others end their file and begin another when more rows
/// arrive.
public final class FileSinkWriter implements SinkWriter {
    private static final int MAX_OPEN = 64;
    private static final long MAX_HELD = 128 << 20;

    private final WriteTask task;
    private final WriteOptions options;
    private final AttemptFiles files;
    /// The series with open files by their folders, the most recently used last.
    private final LinkedHashMap<String, FileSeries> open = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<String, FileSeries> all = new LinkedHashMap<>();
    private final int mostOpen;
    private @Nullable FolderPartitioning partitioning;
    private boolean finished;

    public FileSinkWriter(Target target, WriteTask task, FileFormat format, WriteOptions options) {
        this.task = task;
        this.options = options;
        this.files = new AttemptFiles(target, task, format);
        this.mostOpen = options.partitionBy().isEmpty() ? 1 : MachineLimits.filesPerTask(MAX_OPEN);
    }

    @Override
    public void write(Block chunk) throws Exception {
        if (options.partitionBy().isEmpty()) {
            series("").write(chunk);
            return;
        }
        if (partitioning == null || !partitioning.schema().equals(chunk.schema())) {
            partitioning = FolderPartitioning.of(chunk.schema(), options);
        }
        List<FolderPartitioning.Part> parts = new ArrayList<>(partitioning.split(chunk, task.allocator()));
        try {
            while (!parts.isEmpty()) {
                try (Block rows = parts.getFirst().rows()) {
                    String folder = parts.removeFirst().folder();
                    series(folder).write(rows);
                }
                makeRoom();
            }
        } finally {
            parts.forEach(part -> part.rows().close());
        }
    }

    private FileSeries series(String folder) {
        FileSeries series = all.get(folder);
        if (series == null) {
            if (all.size() == FolderPartitioning.MAX_FOLDERS) {
                throw Objects.requireNonNull(partitioning, "without partitions there is one folder")
                        .tooManyFolders();
            }
            series = new FileSeries(files, options, folder);
            all.put(folder, series);
        }
        open.put(folder, series);
        return series;
    }

    /// Ends the least recently used files while too many are open, and the largest while they hold too much.
    private void makeRoom() throws Exception {
        while (open.size() > mostOpen) {
            open.pollFirstEntry().getValue().end();
        }
        long most = Math.min(MAX_HELD, task.allocator().limit() / 8);
        long held = open.values().stream().mapToLong(FileSeries::heldBytes).sum();
        while (held > most && open.size() > 1) {
            String largest = open.entrySet().stream()
                    .max(Comparator.comparingLong(entry -> entry.getValue().heldBytes()))
                    .orElseThrow()
                    .getKey();
            FileSeries ended = Objects.requireNonNull(open.remove(largest), "the largest is one of the open");
            held -= ended.heldBytes();
            ended.end();
        }
    }

    @Override
    public Fragment finish() throws Exception {
        for (FileSeries series : all.values()) {
            series.end();
        }
        finished = true;
        return new Fragment(files.written());
    }

    @Override
    public void close() throws Exception {
        if (finished) {
            return;
        }
        IOException failed = null;
        for (FileSeries series : all.values()) {
            try {
                series.abandon();
            } catch (IOException e) {
                failed = e;
            }
        }
        files.deleteAll();
        if (failed != null) {
            throw failed;
        }
    }
}
