package dev.millrace.internal.dashboard;

import dev.millrace.internal.observe.DeadLetterSample;
import dev.millrace.internal.observe.MetricTotals;
import dev.millrace.internal.observe.ObservedRun;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.SessionMetrics;
import dev.millrace.internal.observe.SessionObserver;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.stats.MetricFamily;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The dashboard of one session. A daemon thread samples the running runs twice a second, and writes ended ones to the
/// archive; it starts with the first run and ends soon after the last one. The session's threads only put references
/// into a list: nothing that a reader, a disk or a connection does reaches them. `this` guards the lists.
final class SessionDashboard implements SessionObserver, DashboardServer.Runs {
    private static final System.Logger LOG = System.getLogger(SessionDashboard.class.getName());
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    /// Runs that ended and were not written yet; more of them are left out.
    private static final int MAX_PENDING = 1_000;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final SessionView session;
    private final RunArchive archive;
    private final EventHub hub = new EventHub();
    private final MetricTotals totals = new MetricTotals();
    private final Map<String, LiveRun> live = new LinkedHashMap<>();
    private final ArrayDeque<Ended> pending = new ArrayDeque<>();
    private @Nullable DashboardServer server;
    private @Nullable Thread thread;
    private long numbers;
    private boolean closed;

    private record Ended(LiveRun run, RunDetails last, List<DeadLetterSample> letters) {}

    private SessionDashboard(SessionView session, RunArchive archive) {
        this.session = session;
        this.archive = archive;
    }

    static SessionDashboard open(DashboardSettings settings, SessionView session) {
        RunArchive archive = RunArchive.in(
                settings.folder() == null ? RunArchive.usualFolder() : settings.folder(), settings.keptRuns());
        SessionDashboard dashboard = new SessionDashboard(session, archive);
        AccessToken token = settings.token() == null ? AccessToken.random() : new AccessToken(settings.token());
        dashboard.server = DashboardServer.start(settings.host(), settings.port(), token, dashboard);
        return dashboard;
    }

    private DashboardServer server() {
        if (server == null) {
            throw new IllegalStateException("the dashboard was not opened");
        }
        return server;
    }

    URI uri() {
        return server().uri();
    }

    @Override
    public Optional<URI> address() {
        return Optional.of(uri());
    }

    // ---- called by threads of the session

    @Override
    public synchronized void started(ObservedRun run) {
        if (closed) {
            return;
        }
        long now = System.currentTimeMillis();
        String id = TIME.format(Instant.ofEpochMilli(now)) + "-"
                + Long.toString(ProcessHandle.current().pid(), 36) + "-" + Long.toString(++numbers, 36);
        live.put(run.name(), new LiveRun(id, run, session, now));
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("millrace-dashboard").start(this::loop);
        }
        notifyAll();
    }

    @Override
    public synchronized void ended(RunDetails last, List<DeadLetterSample> letters) {
        LiveRun run = live.get(last.stats().name());
        if (run == null) {
            return;
        }
        if (pending.size() < MAX_PENDING) {
            pending.add(new Ended(run, last, letters));
        } else {
            live.remove(last.stats().name());
        }
        notifyAll();
    }

    /// Writes what has ended, and ends the server.
    @Override
    public void close() {
        Thread sampling;
        synchronized (this) {
            closed = true;
            sampling = thread;
            notifyAll();
        }
        if (sampling != null) {
            try {
                sampling.join(CLOSE);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        hub.close();
        server().close();
    }

    // ---- the sampling thread

    private void loop() {
        long next = System.nanoTime();
        while (true) {
            List<Ended> done = new ArrayList<>();
            List<LiveRun> due;
            synchronized (this) {
                if (!awaitWork(next)) {
                    return;
                }
                while (!pending.isEmpty()) {
                    done.add(pending.poll());
                }
                due = System.nanoTime() - next >= 0 && !closed ? new ArrayList<>(live.values()) : List.of();
            }
            try {
                done.forEach(this::keep);
                Set<LiveRun> over = new HashSet<>();
                done.forEach(each -> over.add(each.run));
                due.stream().filter(run -> !over.contains(run)).forEach(this::sample);
                if (!due.isEmpty() || !done.isEmpty()) {
                    tell(done);
                }
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "The dashboard could not take a sample.", e);
            }
            if (!due.isEmpty()) {
                next = System.nanoTime() + INTERVAL.toNanos();
            }
        }
    }

    /// Waits for the next sample or an ended run; false when the thread is no longer needed.
    private synchronized boolean awaitWork(long next) {
        long idleSince = System.nanoTime();
        try {
            while (pending.isEmpty()) {
                long now = System.nanoTime();
                if (closed || live.isEmpty() && now - idleSince > LINGER.toNanos()) {
                    thread = null;
                    return false;
                }
                long left = live.isEmpty() ? LINGER.toNanos() : next - now;
                if (left <= 0) {
                    return true;
                }
                wait(left / 1_000_000 + 1);
            }
            return true;
        } catch (InterruptedException _) {
            // This thread is private: an interrupt means that it should end.
            thread = null;
            return false;
        }
    }

    private void sample(LiveRun run) {
        run.explain();
        run.add(run.look());
    }

    private void keep(Ended ended) {
        LiveRun run = ended.run;
        run.explain();
        run.add(ended.last);
        run.letters(ended.letters);
        archive.add(run.id(), RunJson.bytes(run.summary()), RunJson.bytes(run.all()));
        synchronized (this) {
            totals.ended(ended.last);
            live.remove(run.name());
        }
        for (boolean tasks : new boolean[] {false, true}) {
            if (hub.isShown(run.id(), tasks)) {
                hub.send("run", RunJson.bytes(run.update(tasks)), run.id(), tasks);
            }
        }
    }

    private void tell(List<Ended> done) {
        if (hub.isEmpty()) {
            return;
        }
        List<Object> shown = new ArrayList<>();
        done.forEach(each -> shown.add(each.run.summary()));
        for (LiveRun run : living()) {
            shown.add(run.summary());
            for (boolean tasks : new boolean[] {false, true}) {
                if (hub.isShown(run.id(), tasks)) {
                    hub.send("run", RunJson.bytes(run.update(tasks)), run.id(), tasks);
                }
            }
        }
        hub.send("runs", RunJson.bytes(shown));
    }

    private synchronized List<LiveRun> living() {
        return new ArrayList<>(live.values());
    }

    // ---- called by threads of requests

    @Override
    public EventHub events() {
        return hub;
    }

    @Override
    public byte[] list() {
        return RunList.json(living(), archive);
    }

    @Override
    public Optional<byte[]> run(String id) {
        for (LiveRun run : living()) {
            if (run.id().equals(id)) {
                return Optional.of(RunJson.bytes(run.all()));
            }
        }
        return archive.run(id);
    }

    @Override
    public byte[] session() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("runtime", session.runtime());
        json.put("cpus", session.total().cpus());
        json.put("cpusUsed", session.used().cpus());
        json.put("gpus", session.total().gpus());
        json.put("gpusUsed", session.used().gpus());
        json.put("memory", session.memoryHeld());
        json.put("memoryLimit", session.memoryLimit());
        json.put("spilledBytes", session.spill().spilledBytes());
        json.put("spillDiskBytes", session.spill().diskBytes());
        json.put("eventsDropped", hub.dropped());
        return RunJson.bytes(json);
    }

    @Override
    public byte[] metrics() {
        List<RunDetails> running = new ArrayList<>();
        MetricTotals ended;
        synchronized (this) {
            for (LiveRun run : live.values()) {
                RunDetails last = run.last();
                if (last != null) {
                    running.add(last);
                }
            }
            ended = totals.copy();
        }
        List<MetricFamily> families = new ArrayList<>(SessionMetrics.of(session, running, ended));
        families.add(new MetricFamily(
                "millrace.dashboard.events_dropped",
                MetricFamily.Kind.COUNTER,
                "{event}",
                "Events that slow readers of the dashboard lost.",
                List.of(new MetricFamily.Sample(Map.of(), (double) hub.dropped()))));
        return PrometheusText.of(families).getBytes(StandardCharsets.UTF_8);
    }
}
