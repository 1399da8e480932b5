package dev.millrace.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many runs, many tasks, many samples: what is kept and sent stays small. The times are printed, not asserted.
class DashboardScaleTest {
    @TempDir
    Path folder;

    private Session session() {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .dashboard(DashboardSettings.ON.withPort(0).withFolder(folder.toString(), 1_000))
                .open();
    }

    @Test
    void aThousandKeptRunsAreOneList() throws Exception {
        try (Session session = session()) {
            session.range(10).mapBatches(batch -> batch).count();
        }
        String one;
        try (var files = Files.list(folder)) {
            one = Files.readString(files.findFirst().orElseThrow());
        }
        String id = one.substring(7, one.indexOf('"', 7));
        for (int i = 1; i < 1_000; i++) {
            String other = String.format(Locale.ROOT, "20260101-%06d-000-x-1", i);
            Files.writeString(folder.resolve(other + ".json"), one.replace(id, other));
        }
        try (Session session = session();
                DashboardClient client = new DashboardClient(session.dashboard().orElseThrow())) {
            long began = System.nanoTime();
            assertThat(client.runs()).hasSize(1_000);
            long cold = System.nanoTime() - began;
            began = System.nanoTime();
            assertThat(client.runs()).hasSize(1_000);
            System.out.printf(
                    Locale.ROOT,
                    "the list of 1,000 runs: %.0f ms the first time, then %.0f ms%n",
                    cold / 1e6,
                    (System.nanoTime() - began) / 1e6);
        }
    }

    @Test
    void aRunOfManyTasksIsSentAsABoundedSampleOfThem() throws Exception {
        try (Session session = session();
                DashboardClient client = new DashboardClient(session.dashboard().orElseThrow())) {
            session.range(20_000, 20_000).mapBatches(batch -> batch).count();
            Map<String, Object> run = client.awaitRun(seen -> "finished".equals(seen.get("state")));
            assertThat(DashboardClient.list(run, "operators").getFirst().get("tasksFinished"))
                    .isEqualTo(20_000L);
            assertThat(DashboardClient.list(run, "tasks")).hasSizeBetween(100, 300);
            assertThat(DashboardClient.list(run, "series").size()).isLessThanOrEqualTo(RunSeries.MAX_POINTS);
            long began = System.nanoTime();
            String body = client.allowed("/api/runs/" + run.get("id")).body();
            System.out.printf(
                    Locale.ROOT,
                    "a run of 20,000 tasks: %,d characters in %.0f ms%n",
                    body.length(),
                    (System.nanoTime() - began) / 1e6);
            assertThat(body.length()).isLessThan(500_000);
        }
    }

    @Test
    void timelinesKeepEvenlySpreadPoints() {
        RunSeries series = new RunSeries();
        for (int i = 0; i < 100_000; i++) {
            series.add(new RunSeries.Point(i, 0, 0, 0, 0, 0, 0, 0, 0, new double[0], new int[0]));
        }
        assertThat(series.size()).isBetween(RunSeries.MAX_POINTS / 4, RunSeries.MAX_POINTS);
        List<Map<String, Object>> points = series.json();
        double step = (double) points.get(1).get("t");
        for (int i = 0; i < points.size(); i++) {
            assertThat(points.get(i).get("t")).isEqualTo(i * step);
        }
    }
}
