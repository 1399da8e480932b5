package dev.millrace.internal.checkpoint;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.ResumableSink.Placement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Which splits of a checkpointed job are done, and where their files belong: an append-only file. A line has a
/// checksum, and each is synced before anything relies on it, so a crash can damage only the end, which is cut off.
///
/// A split is recorded as done before its files are renamed to their places: the record is the commit. `settled`
/// records that all files recorded before it are in place.
///
/// ```
/// 1f3a77c0 done 12  ATTEMPT-0.arrow  part-JOB-000012-000000.arrow  1000  8642
/// 90b2d1aa settled
/// 66ce08b1 finished
/// ```
public final class CommitLog implements AutoCloseable {
    private static final String NAME = "commits";
    private static final String DONE = "done";
    private static final String SETTLED = "settled";
    private static final String FINISHED = "finished";

    private final Path file;
    private final NavigableMap<Long, List<Placement>> done = new TreeMap<>();
    private List<Placement> unsettled = new ArrayList<>();
    private boolean finished;
    private @Nullable FileChannel channel;

    private CommitLog(Path file) {
        this.file = file;
    }

    /// Reads the log, for inspection.
    public static CommitLog read(Path folder) {
        CommitLog log = new CommitLog(folder.resolve(NAME));
        log.load();
        return log;
    }

    /// Reads the log, to append to it.
    public static CommitLog open(Path folder) {
        CommitLog log = new CommitLog(folder.resolve(NAME));
        long valid = log.load();
        try {
            log.channel = FileChannel.open(log.file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            log.channel.truncate(valid);
            log.channel.position(valid);
        } catch (IOException e) {
            throw log.failed(e);
        }
        return log;
    }

    /// @return where the valid lines end
    private long load() {
        byte[] bytes;
        try {
            bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        } catch (IOException e) {
            throw failed(e);
        }
        int valid = 0;
        int line = 0;
        boolean broken = false;
        for (int from = 0; from < bytes.length; ) {
            int end = from;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            line++;
            String payload =
                    end == bytes.length ? null : payload(new String(bytes, from, end - from, StandardCharsets.UTF_8));
            if (payload == null) {
                broken = true;
            } else if (broken) {
                throw MillraceException.data("'" + file + "' is damaged before line " + line
                        + ". Delete the checkpoint and what it wrote to start over.");
            } else {
                apply(payload);
                valid = end + 1;
            }
            from = end + 1;
        }
        return valid;
    }

    private static @Nullable String payload(String line) {
        String payload = line.length() < 10 ? "" : line.substring(9);
        return line.equals(sealed(payload)) ? payload : null;
    }

    private static String sealed(String payload) {
        CRC32 checksum = new CRC32();
        checksum.update(payload.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x %s", checksum.getValue(), payload);
    }

    private void apply(String payload) {
        String[] fields = payload.split("\t", -1);
        switch (fields[0]) {
            case DONE -> {
                List<Placement> placements = new ArrayList<>();
                for (int i = 2; i + 3 < fields.length; i += 4) {
                    placements.add(new Placement(
                            fields[i], fields[i + 1], Long.parseLong(fields[i + 2]), Long.parseLong(fields[i + 3])));
                }
                done.put(Long.parseLong(fields[1]), placements);
                unsettled.addAll(placements);
            }
            case SETTLED -> unsettled = new ArrayList<>();
            case FINISHED -> finished = true;
            default -> throw MillraceException.data("'" + file + "' has a line of a newer version: " + fields[0]);
        }
    }

    /// Files of each split that is done, by its number.
    public NavigableMap<Long, List<Placement>> done() {
        return done;
    }

    /// Files that were recorded and may not be in their places.
    public List<Placement> unsettled() {
        return List.copyOf(unsettled);
    }

    public boolean isFinished() {
        return finished;
    }

    /// Records splits as done. When this returns they are durable.
    public void done(NavigableMap<Long, List<Placement>> splits) {
        List<String> payloads = new ArrayList<>();
        if (unsettled.isEmpty() && !done.isEmpty()) {
            // The record of settled() is written along; alone it would cost a sync of its own.
            payloads.add(SETTLED);
        }
        splits.forEach((split, placements) -> {
            StringBuilder line = new StringBuilder(DONE).append('\t').append(split);
            for (Placement each : placements) {
                line.append('\t').append(each.from()).append('\t').append(each.to());
                line.append('\t').append(each.rows()).append('\t').append(each.bytes());
            }
            payloads.add(line.toString());
        });
        append(payloads);
    }

    /// All files recorded so far are in their places; written with the next split.
    public void settled() {
        unsettled = new ArrayList<>();
    }

    public void finished() {
        append(List.of(SETTLED, FINISHED));
    }

    private void append(List<String> payloads) {
        StringBuilder lines = new StringBuilder();
        payloads.forEach(payload -> lines.append(sealed(payload)).append('\n'));
        try {
            FileChannel channel = Objects.requireNonNull(this.channel, "an open log has a channel");
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(lines.toString());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException e) {
            throw failed(e);
        }
        payloads.forEach(this::apply);
    }

    private MillraceException failed(IOException e) {
        return new MillraceException(Culprit.RESOURCES, "The checkpoint file '" + file + "' failed: " + e, e);
    }

    @Override
    public void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }
}
