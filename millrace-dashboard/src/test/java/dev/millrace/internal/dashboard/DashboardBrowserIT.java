package dev.millrace.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.function.BatchFunction;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A person's way through the page, in a real browser. Pictures of it are kept in `target/dashboard`.
class DashboardBrowserIT {
    private static final Path PICTURES = Path.of("target", "dashboard");
    private static final String SCRIPT = "<img src=x onerror=document.title=1>";

    /// The job goes on until it is told to end; functions run in this process.
    private static final AtomicBoolean ENOUGH = new AtomicBoolean();

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aPersonFollowsARunningJobToItsEnd() throws Exception {
        assumeTrue(
                Chromium.program().isPresent(),
                "There is no Chromium on the PATH: './millrace test' installs Debian's where it may.");
        ENOUGH.set(false);
        try (Session session = Session.builder()
                        .progress(ProgressSettings.OFF)
                        .limits(ResourceLimits.DEFAULT.withCpus(2))
                        .dashboard(DashboardSettings.ON.withPort(0).withFolder(folder.toString(), 100))
                        .open();
                Chromium browser = new Chromium(Chromium.program().orElseThrow(), profile())) {
            Thread job = Thread.ofPlatform().start(() -> run(session));
            try {
                browser.size(1280, 800);
                browser.open(session.dashboard().orElseThrow().toString());
                follow(browser);
            } finally {
                ENOUGH.set(true);
                job.join();
            }
            end(browser);
            assertThat(browser.value("document.title")).isEqualTo("Millrace");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /// Not a temporary folder of the test: the browser may still write into it when the test has ended.
    private static Path profile() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "chromium");
    }

    private static void run(Session session) {
        Dataset rows = session.range(4_000_000, 4_000)
                .map(
                        (Row row) -> {
                            if (row.getLong("id") % 1_000 == 7) {
                                throw new IllegalArgumentException("no rows like " + SCRIPT);
                            }
                            return row;
                        },
                        Compute.defaults().onError(ErrorPolicy.deadLetter("bad rows")))
                .mapBatches(
                        () -> (BatchFunction) batch -> {
                            if (!ENOUGH.get()) {
                                LockSupport.parkNanos(20_000_000);
                            }
                            return batch;
                        },
                        Compute.actors(1, 2).batchSize(1_000))
                .named("trips " + SCRIPT);
        try (CloseableIterator<Batch> batches = rows.iterBatches()) {
            while (!ENOUGH.get() && batches.hasNext()) {
                batches.next();
            }
        }
    }

    private static void follow(Chromium browser) throws Exception {
        browser.await("document.querySelector('.runs a')");
        assertThat(browser.value("location.search")).isEqualTo("");
        assertThat(browser.value("document.querySelector('.runs a').textContent")
                        .toString())
                .startsWith("trips " + SCRIPT);
        browser.screenshot(PICTURES.resolve("runs.png"));
        browser.value("document.querySelector('.runs a').click()");
        browser.await("document.querySelectorAll('.node').length === 2");
        browser.await("document.querySelector('#link').textContent === 'live'");
        browser.await("view.run.operators[0].tasksFinished > 2");
        long rows = (Long) browser.value("view.run.operators[1].rowsOut");
        browser.await("view.run.operators[1].rowsOut > " + rows);
        browser.await("view.run.series.length > 2");
        browser.await("view.run.operators.some(operator => operator.heldReason)");

        // By the keyboard: the held operator is opened, and says why it is held.
        browser.value("{const at = view.run.operators.findIndex(operator => operator.heldReason);"
                + " document.querySelector(`[data-operator=\"${at}\"]`).focus(); window.held = at;}");
        browser.key("Enter", 13);
        browser.await("document.querySelector('#operator')");
        browser.await("document.querySelector('#operator .reason')?.textContent.includes('Held back by ')");
        browser.screenshot(PICTURES.resolve("plan-desktop.png"));

        for (String tab : new String[] {"Timelines", "Tasks", "Errors", "Nodes", "Text"}) {
            browser.value("document.querySelector('[data-key=\"" + tab + "\"]').click()");
            browser.await("view.tab === '" + tab + "'");
            if (tab.equals("Tasks")) {
                browser.await("document.querySelectorAll('rect.task').length > 2");
            }
            if (tab.equals("Errors")) {
                browser.await("document.querySelector('td.bad')?.textContent.includes('no rows like <img')");
            }
            if (tab.equals("Nodes")) {
                browser.await("view.run.nodes[0].tasks > 2");
            }
            if (tab.equals("Text")) {
                browser.await("document.querySelector('pre').textContent.includes('Physical plan')");
                // As of now, not of when the page was opened.
                browser.await(
                        "/tasks .*([3-9]|[0-9,]{2,}) finished/.test(document.querySelectorAll('pre')[1].textContent)");
            }
            browser.screenshot(PICTURES.resolve(tab.toLowerCase(Locale.ROOT) + "-desktop.png"));
        }

        // The switch goes round, and each theme has colours of its own.
        Object light = theme(browser, "light");
        Object dark = theme(browser, "dark");
        assertThat(dark).isNotEqualTo(light);

        browser.size(390, 800);
        for (String tab : new String[] {"Plan", "Timelines", "Tasks", "Errors", "Nodes", "Text"}) {
            browser.value("document.querySelector('[data-key=\"" + tab + "\"]').click()");
            browser.await("view.tab === '" + tab + "'");
            assertThat((Long) browser.value("document.documentElement.scrollWidth"))
                    .as("width of " + tab)
                    .isLessThanOrEqualTo(390);
            browser.screenshot(PICTURES.resolve(tab.toLowerCase(Locale.ROOT) + "-phone-dark.png"));
        }
    }

    private static Object theme(Chromium browser, String name) throws Exception {
        for (int i = 0; i < 3 && !name.equals(browser.value("localStorage.getItem('theme')")); i++) {
            browser.value("document.getElementById('theme').click()");
        }
        assertThat(browser.value("document.getElementById('theme').textContent"))
                .isEqualTo("Theme: " + name);
        return browser.value("getComputedStyle(document.body).backgroundColor");
    }

    private static void end(Chromium browser) throws Exception {
        browser.await("view.run.state !== 'running'");
        browser.value("document.querySelector('[data-key=\"Errors\"]').click()");
        browser.await("document.body.innerText.includes(\"Dead letters 'bad rows'\")");
        browser.await("view.run.deadLetters[0].first.length > 2");
        browser.size(1280, 800);
        browser.screenshot(PICTURES.resolve("dead-letters-dark.png"));
        String id = browser.value("view.run.id").toString();
        browser.value("location.hash = '#/compare/" + id + "/" + id + "'");
        browser.await("document.querySelector('h1')?.textContent === 'Two runs'");
        browser.await("document.body.innerText.includes('task time of Range')");
        assertThat(browser.value("document.body.innerText").toString()).doesNotContain("[object", "undefined", "NaN");
        assertThat((Long) browser.value("document.documentElement.scrollWidth")).isLessThanOrEqualTo(1280);
        browser.screenshot(PICTURES.resolve("compare-dark.png"));
    }
}
