package dev.millrace.sink;

import java.io.Serializable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/// One write of a dataset.
///
/// @param id unique, and increasing over time: files are named after it
/// @param resumable it can be resumed after a crash: its output must survive one, and is committed task by task
public record WriteJob(String id, boolean resumable) implements Serializable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    /// A job with an id of its own.
    public static WriteJob create(boolean resumable) {
        String random =
                String.format(Locale.ROOT, "%06x", ThreadLocalRandom.current().nextInt(1 << 24));
        return new WriteJob(TIME.format(Instant.now()) + "-" + random, resumable);
    }
}
