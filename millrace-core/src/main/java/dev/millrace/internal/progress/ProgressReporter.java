package dev.millrace.internal.progress;

import dev.millrace.internal.engine.PlanRun;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.stats.RunStats;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Shows the runs of a session on standard error while they last.
///
/// A daemon thread reads the runs' stats; it starts with the first run and ends by itself soon after the last one, so
/// an idle session has none, and with progress off there never is one. All fields are guarded by this object's lock,
/// which is held while text is written: [#finished] returns only when the bars are removed from the terminal.
public final class ProgressReporter implements AutoCloseable {
    private static final Duration REDRAW = Duration.ofMillis(100);

    /// How soon the end of a run is noticed where plain lines are written.
    private static final Duration LOOK = Duration.ofMillis(250);

    /// How long the thread waits for another run before it ends.
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final String CLEAR_BELOW = "\r\u001b[J";

    private final PrintStream out;
    private final Function<ProgressSettings, Screen> look;

    /// Determined when there is something to show (most runs are short, and a session should open fast), by the
    /// settings of the first run that has it: bars and lines of several runs do not mix on one terminal.
    private @Nullable Screen screen;

    private final List<ShownRun> runs = new ArrayList<>();
    private @Nullable Thread thread;
    private int drawnLines;
    private boolean closed;

    public ProgressReporter() {
        this(
                System.err,
                settings -> new Screen(isBars(settings), TerminalStream.ERR::width, TerminalStream.ERR.showsBlocks()));
    }

    ProgressReporter(PrintStream out, Function<ProgressSettings, Screen> look) {
        this.out = out;
        this.look = look;
    }

    /// The destination of the text.
    ///
    /// @param bars whether lines can be redrawn
    /// @param unicode whether block characters can be shown
    record Screen(boolean bars, IntSupplier width, boolean unicode) {}

    private static boolean isBars(ProgressSettings settings) {
        return switch (settings.mode()) {
            case AUTO -> TerminalStream.ERR.isInteractive();
            case BARS -> true;
            case LINES, OFF -> false;
        };
    }

    /// A run begins: the observer of [dev.millrace.internal.engine.ExecutionContext].
    public synchronized void started(PlanRun run, ProgressSettings settings) {
        if (settings.mode() == ProgressSettings.Mode.OFF || closed) {
            return;
        }
        runs.add(new ShownRun(run, settings));
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("millrace-progress").start(this::loop);
        }
        notifyAll();
    }

    /// A run has ended; its bars disappear now rather than at the next redraw. The end of a run that is not reported
    /// here is noticed by its state.
    public void finished(PlanRun run) {
        synchronized (this) {
            if (runs.stream().noneMatch(shown -> shown.run.equals(run))) {
                return;
            }
        }
        // Read without the lock, as in the loop.
        RunStats last = run.stats();
        synchronized (this) {
            runs.removeIf(shown -> {
                if (!shown.run.equals(run)) {
                    return false;
                }
                end(shown, last);
                return true;
            });
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        erase();
        runs.clear();
        notifyAll();
    }

    synchronized boolean hasThread() {
        return thread != null;
    }

    private void loop() {
        List<ShownRun> due;
        while ((due = awaitDue()) != null) {
            // Read without the lock: a run may be slow to answer, and its own threads may report here meanwhile.
            List<RunStats> stats = due.stream().map(shown -> shown.run.stats()).toList();
            show(due, stats);
        }
    }

    /// Waits until a run has something to show; null when the thread is no longer needed.
    private synchronized @Nullable List<ShownRun> awaitDue() {
        long idleSince = System.nanoTime();
        try {
            while (!closed) {
                long now = System.nanoTime();
                if (runs.isEmpty() && now - idleSince > LINGER.toNanos()) {
                    break;
                }
                List<ShownRun> due =
                        runs.stream().filter(shown -> now - shown.nextAt >= 0).toList();
                if (!due.isEmpty()) {
                    // Bars are drawn together.
                    return screen(due.getFirst().settings).bars()
                            ? runs.stream()
                                    .filter(shown -> shown.visible || due.contains(shown))
                                    .toList()
                            : due;
                }
                long next = runs.stream()
                        .mapToLong(shown -> shown.nextAt - now)
                        .min()
                        .orElse(LINGER.toNanos());
                wait(next / 1_000_000 + 1);
            }
        } catch (InterruptedException _) {
            // This thread is private: an interrupt means that it should end.
        }
        thread = null;
        return null;
    }

    private Screen requireScreen() {
        return Objects.requireNonNull(screen, "a run that is due has a screen");
    }

    private Screen screen(ProgressSettings settings) {
        if (screen == null) {
            screen = look.apply(settings);
        }
        return screen;
    }

    private synchronized void show(List<ShownRun> due, List<RunStats> stats) {
        long now = System.nanoTime();
        List<RunStats> current = new ArrayList<>();
        for (int i = 0; i < due.size(); i++) {
            ShownRun shown = due.get(i);
            if (!runs.contains(shown)) {
                continue; // reported as finished while its stats were read
            }
            if (stats.get(i).state() != RunStats.State.RUNNING) {
                runs.remove(shown);
                end(shown, stats.get(i));
                continue;
            }
            Screen screen = requireScreen();
            if (screen.bars()) {
                current.add(stats.get(i));
            } else if (!shown.visible
                    || now - shown.lineAt >= shown.settings.interval().toNanos()) {
                out.println(ProgressText.line(stats.get(i)));
                shown.lineAt = now;
            }
            shown.visible = true;
            shown.nextAt = now + (screen.bars() ? REDRAW : LOOK).toNanos();
        }
        if (!current.isEmpty()) {
            draw(current);
        }
    }

    private void draw(List<RunStats> current) {
        Screen screen = requireScreen();
        int columns = screen.width().getAsInt();
        StringBuilder text = new StringBuilder();
        int lines = 0;
        for (RunStats stats : current) {
            for (String line : ProgressText.bars(stats, columns - 1, screen.unicode())) {
                text.append(line).append('\n');
                lines++;
            }
        }
        erase();
        out.print(text);
        out.flush();
        drawnLines = lines;
    }

    private void end(ShownRun shown, RunStats stats) {
        erase();
        if (shown.visible) {
            out.println(ProgressText.summary(stats));
        }
        out.flush();
    }

    private void erase() {
        if (drawnLines > 0) {
            // Up to the first of them.
            out.print(String.format(Locale.ROOT, "\u001b[%dA", drawnLines) + CLEAR_BELOW);
            out.flush();
            drawnLines = 0;
        }
    }

    /// One run; its fields are guarded by the reporter's lock.
    private static final class ShownRun {
        private final PlanRun run;
        private final ProgressSettings settings;
        private long nextAt;
        private long lineAt;
        private boolean visible;

        ShownRun(PlanRun run, ProgressSettings settings) {
            this.run = run;
            this.settings = settings;
            this.nextAt = System.nanoTime() + settings.after().toNanos();
        }
    }
}
