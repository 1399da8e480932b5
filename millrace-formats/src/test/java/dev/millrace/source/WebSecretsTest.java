package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Download;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.WebServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WebSecretsTest {
    private static String all(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void webAddressesShowNoPasswordInPlansStatsErrorsAndDeadLetters() {
        try (WebServer server = new WebServer();
                Session session =
                        Session.builder().progress(ProgressSettings.OFF).open()) {
            server.put("x.csv", "a\n1\n2\n".getBytes(StandardCharsets.UTF_8));
            String address = server.address("plain", "x.csv").replace("http://", "http://me:hunter2@");
            Dataset read = session.readCsv(address);
            assertThat(read.count()).isEqualTo(2);
            assertThat(read.explain()).contains("***@").doesNotContain("hunter2");
            Dataset failing = read.map(row -> {
                throw new IllegalStateException("no");
            });
            Throwable told = catchThrowable(failing::takeAll);
            assertThat(all(told)).contains("x.csv").doesNotContain("hunter2");
            assertThat(failing.stats() + failing.lastRun()).contains("***@").doesNotContain("hunter2");
            String missing = address.replace("x.csv", "gone");
            assertThatThrownBy(() -> session.readCsv(missing)).hasMessageNotContaining("hunter2");
            session.items(List.of(Row.of("url", missing)))
                    .download("url", Download.into("bytes").onError(ErrorPolicy.deadLetter("lost")))
                    .takeAll();
            try (var letters = session.deadLetters("lost")) {
                assertThat(letters.takeAll())
                        .singleElement()
                        .satisfies(row -> assertThat(row.getString("message"))
                                .contains("there is nothing at 'http://***@")
                                .doesNotContain("hunter2"));
            }
        }
    }
}
