package dev.millrace.internal.sessionlog;

import dev.millrace.internal.observe.DeadLetterSample;
import dev.millrace.internal.observe.ObservedRun;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.SessionObserver;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.internal.stats.StatsText;
import dev.millrace.settings.LogSettings;
import dev.millrace.settings.Settings;
import dev.millrace.stats.RunStats;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes the log of a session.
///
/// Threads of the session put what happened into a queue; one thread of the log's own explains plans, looks at open
/// runs every second, and writes. It starts with the first run. Its fields but for the queue are that thread's alone,
/// until it has ended.
public final class SessionLog implements SessionObserver {
    private static final Duration LOOK = Duration.ofSeconds(1);

    /// The longest that closing a session waits for its log.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// More runs at once are written without their plans: explaining one may take as long as running it.
    private static final int MAX_WAITING = 1_000;

    private sealed interface Event {}

    private record Started(ObservedRun run, Instant at) implements Event {}

    private record Ended(RunDetails last, List<DeadLetterSample> letters) implements Event {}

    private record Closed() implements Event {}

    private final LogOutput output;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<String, ObservedRun> open = new LinkedHashMap<>();
    private final Map<String, RunNotes> notes = new HashMap<>();
    /// Guarded by this.
    private @Nullable Thread thread;

    private SessionLog(LogOutput output) {
        this.output = output;
    }

    /// Begins the log of a session.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, if its file cannot be written
    public static SessionLog open(LogSettings settings, Settings all, SessionView session) {
        SessionLog log = new SessionLog(LogOutput.open(settings));
        log.write(
                System.Logger.Level.INFO,
                "session opened",
                "Java " + Runtime.version() + ", process "
                        + ProcessHandle.current().pid() + "\nruntime "
                        + session.runtime() + ", " + session.total() + ", " + session.memoryLimit()
                        + " bytes for blocks\n" + all);
        log.output.flush();
        return log;
    }

    /// Its file, unless it goes to a logger.
    public Optional<Path> file() {
        return output.file();
    }

    @Override
    public Optional<URI> address() {
        return Optional.empty();
    }

    @Override
    public void started(ObservedRun run) {
        put(new Started(run, Instant.now()));
    }

    @Override
    public void ended(RunDetails last, List<DeadLetterSample> letters) {
        put(new Ended(last, letters));
    }

    private void put(Event event) {
        events.add(event);
        synchronized (this) {
            if (thread == null) {
                thread = Thread.ofPlatform().daemon().name("millrace-log").start(this::loop);
            }
        }
    }

    private void loop() {
        try {
            while (true) {
                Event event = events.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                switch (event) {
                    case null -> look();
                    case Started started -> begin(started);
                    case Ended ended -> end(ended);
                    case Closed _ -> {
                        return;
                    }
                }
                if (events.isEmpty()) {
                    output.flush();
                }
            }
        } catch (InterruptedException _) {
            // This thread is private: an interrupt means that it should end.
        }
    }

    private void begin(Started started) {
        ObservedRun run = started.run;
        String plan;
        try {
            plan = events.size() > MAX_WAITING ? "(too many runs at once to explain each)" : run.explain();
        } catch (RuntimeException e) {
            plan = "(the plan cannot be explained: " + e.getMessage() + ")";
        } finally {
            run.close();
        }
        output.write(new LogEntry(started.at, System.Logger.Level.DEBUG, run.name(), "run started", plan));
        open.put(run.name(), run);
        notes.put(run.name(), new RunNotes(run.name(), output::write));
    }

    private void look() {
        open.forEach((name, run) -> {
            RunNotes of = notes.get(name);
            if (of != null) {
                of.note(run.details());
            }
        });
    }

    private void end(Ended ended) {
        RunStats stats = ended.last.stats();
        open.remove(stats.name());
        RunNotes known = notes.remove(stats.name());
        RunNotes of = known == null ? new RunNotes(stats.name(), output::write) : known;
        of.note(ended.last);
        for (DeadLetterSample letters : ended.letters) {
            of.write(
                    System.Logger.Level.WARNING,
                    "dead letters",
                    letters.rows() + " rows for '" + letters.name() + "', among them " + letters.first());
        }
        String failure = ended.last.failure();
        if (failure != null) {
            of.write(System.Logger.Level.WARNING, "run failed", failure);
        }
        of.write(System.Logger.Level.DEBUG, "run ended", StatsText.format(stats));
    }

    private void write(System.Logger.Level level, String event, String text) {
        output.write(new LogEntry(Instant.now(), level, null, event, text));
    }

    /// Writes what is still to be written.
    @Override
    public void close() {
        Thread last;
        synchronized (this) {
            last = thread;
        }
        boolean ended = last == null;
        if (last != null) {
            events.add(new Closed());
            try {
                ended = last.join(PATIENCE);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        if (ended) {
            write(System.Logger.Level.INFO, "session closed", "");
            output.close();
        }
    }
}
