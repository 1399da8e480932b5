package dev.millrace.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Engines behind HTTP that this process starts. vLLM itself needs a GPU and was not tried.
class InferenceEngineTest {
    @TempDir
    Path folder;

    private InferenceEngine engine(String source) throws Exception {
        Path file = Files.writeString(folder.resolve("engine.py"), source);
        return InferenceEngine.python("/health", file.toString(), "{port}").python(PythonFiles.interpreter());
    }

    @Test
    void anEngineIsReadyWhenItAnswersAndEndsWhenItIsClosed() throws Exception {
        InferenceEngine described = engine("""
                import http.server, os, sys, time
                class Engine(http.server.BaseHTTPRequestHandler):
                    calls = 0
                    def do_GET(self):
                        Engine.calls += 1
                        loading = self.path == "/health" and Engine.calls < 3
                        self.send_response(503 if loading else 200)
                        self.end_headers()
                        self.wfile.write(str(os.getpid()).encode())
                http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Engine).serve_forever()
                """);
        long pid;
        try (InferenceEngine.Running running = described.start();
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(running.url() + "/v1/models"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            pid = Long.parseLong(answer.body());
        }
        PythonFaultsTest.awaitEnd(pid);
    }

    @Test
    void anEngineThatEndsOrDoesNotAnswerIsTold() throws Exception {
        assertThatThrownBy(() -> InferenceEngine.vllm("models/none")
                        .python(PythonFiles.interpreter())
                        .start())
                .hasMessageStartingWith(
                        "The engine ended with exit code 1 before it answered. Look whether it is installed")
                .hasMessageContaining("vllm");
        assertThatThrownBy(() -> engine("import time\nprint('loading', flush=True)\ntime.sleep(600)\n")
                        .startLimit(Duration.ofMillis(1500))
                        .start())
                .hasMessageMatching("(?s)The engine \\(process \\d+\\) has not answered at http://127.0.0.1:\\d+/health"
                        + " within 1 s\\. Raise startLimit.*");
        assertThatThrownBy(() -> InferenceEngine.vllm("m").startLimit(Duration.ZERO))
                .hasMessage("InferenceEngine: the start limit is longer than nothing, not PT0S.");
    }
}
