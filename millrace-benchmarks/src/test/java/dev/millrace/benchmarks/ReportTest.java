package dev.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.benchmarks.workload.Workloads;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Workload ROWS = Workloads.find("rows").orElseThrow();
    private static final Measurement OURS =
            Measurement.warm(List.of(0.9, 0.5, 0.1, 0.2, 0.3), 300, "666667").with("rows_per_second", 10_000_000);
    private static final Measurement THEIRS = Measurement.warm(List.of(9.0, 8.0), 1300, "666667");

    @Test
    void jsonIsOneObjectWithThePeersFieldsOnlyBesideAPeer() {
        assertThat(new Report(ROWS, OURS, null).toJson())
                .isEqualTo("{\"name\": \"rows\", \"seconds\": 0.2, \"rss_mb\": 300, \"result\": \"666667\", "
                        + "\"all_seconds\": [0.9, 0.5, 0.1, 0.2, 0.3], \"rows_per_second\": 10000000}");
        assertThat(new Report(ROWS, OURS, new Report.OfPeer(Peer.RAY, THEIRS)).toJson())
                .endsWith("\"peer\": \"ray\", \"peer_seconds\": 8, \"peer_rss_mb\": 1300, \"peer_result\": \"666667\", "
                        + "\"peer_all_seconds\": [9, 8], \"ratio\": 40, \"agrees\": true}");
    }

    @Test
    void theTableSaysWhetherResultsAgree() {
        assertThat(new Report(ROWS, OURS, new Report.OfPeer(Peer.RAY, THEIRS)).toTable())
                .isEqualTo("""
                        rows: 2 million rows through a map and a filter of Row lambdas, counted

                                     seconds  peak MB  result             each time; the first two are not counted
                        millrace       0.200      300  666667             0.900 0.500 0.100 0.200 0.300
                        ray            8.000     1300  666667             9.000 8.000

                        rows per second: 10,000,000
                        40.0 times ray's speed; the results agree
                        """);
        Measurement other = Measurement.warm(List.of(1.0), 1, "7");
        assertThat(new Report(ROWS, OURS, new Report.OfPeer(Peer.RAY, other)).toTable())
                .contains("THE RESULTS DIFFER");
    }

    @Test
    void textInJsonIsQuoted() {
        Measurement odd = Measurement.warm(List.of(1.0), 1, "a \"b\"\\\n");
        assertThat(new Report(ROWS, odd, null).toJson()).contains("\"a \\\"b\\\"\\\\\\u000a\"");
    }

    @Test
    void theMedianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
        assertThat(Median.of(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Median.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }

    @Test
    void theWarmTimeIsTheMedianOfTheRunsAfterTheFirstTwo() {
        assertThat(Median.ofWarm(List.of(9.0, 0.1, 3.0, 1.0, 2.0, 5.0, 4.0))).isEqualTo(3);
        assertThat(Median.ofWarm(List.of(9.0, 0.1, 3.0))).isEqualTo(3);
        assertThat(Median.ofWarm(List.of(9.0, 8.0))).isEqualTo(8);
        assertThat(Median.ofWarm(List.of(9.0))).isEqualTo(9);
    }
}
