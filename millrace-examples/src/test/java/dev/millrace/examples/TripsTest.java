package dev.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TripsTest {
    @Test
    void showsATableAResultAndStats() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (Session session = Session.open();
                PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8)) {
            Trips.run(session, 5_000, out);
        }

        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("zone", "perKm", "Harbour")
                .containsPattern("3,[0-9]{3} of 5,000 trips remain; a kilometre costs [0-9.]+ on average")
                .contains("finished in", "peak memory", "wall time");
    }

    @Test
    void theSameNumberIsTheSameTrip() {
        assertThat(Trips.trip(new Trips.Number(7))).isEqualTo(Trips.trip(new Trips.Number(7)));
        assertThat(Trips.trip(new Trips.Number(8))).isNotEqualTo(Trips.trip(new Trips.Number(7)));
    }
}
