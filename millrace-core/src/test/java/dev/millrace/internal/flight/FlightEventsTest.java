package dev.millrace.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightEventsTest {
    @TempDir
    Path folder;

    @Test
    void aRecordingHasTasksBlocksBackpressureAndStartsOfActors() throws Exception {
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            for (String name : List.of("Task", "Block", "Backpressure", "ActorStart", "Spill")) {
                recording.enable("dev.millrace." + name).withoutThreshold();
            }
            recording.start();
            try (Session session = Session.builder()
                    .progress(ProgressSettings.OFF)
                    .limits(ResourceLimits.DEFAULT.withCpus(1))
                    .open()) {
                session.range(400, 40)
                        .mapBatches(
                                () -> (BatchFunction) batch -> batch,
                                Compute.actors(1).batchSize(10))
                        .count();
            }
            recording.stop();
            Path file = folder.resolve("run.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file);
        }
        assertThat(named(events, "Task")).anySatisfy(event -> {
            assertThat(event.getString("operator")).startsWith("Range");
            assertThat(event.getBoolean("failed")).isFalse();
        });
        assertThat(named(events, "Block"))
                .anySatisfy(event -> assertThat(event.getLong("rows")).isPositive());
        assertThat(named(events, "ActorStart")).hasSize(1);
        assertThat(named(events, "Backpressure"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getString("policy")).isNotBlank());
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("dev.millrace." + name))
                .toList();
    }
}
