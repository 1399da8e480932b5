package dev.millrace.internal.models.http;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sends requests and reads answers, with rate limits, timeouts and retries. Thread-safe.
final class HttpCaller implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final long MAX_BYTES = 64 << 20;
    private static final int SHOWN = 300;

    private final HttpSettings settings;
    private final HttpEndpoint endpoint;
    private final RateLimiter limiter;
    private final WaitClock time;
    private final HttpClient client;

    HttpCaller(HttpSettings settings, RateLimiter limiter, WaitClock time) {
        this.settings = settings;
        this.endpoint = new HttpEndpoint(settings);
        this.limiter = limiter;
        this.time = time;
        // HTTP/1.1: an HTTP/2 connection has a maximum number of concurrent streams and refuses more. No redirects:
        // they would send the key to another host.
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT.compareTo(settings.timeout()) < 0 ? CONNECT : settings.timeout())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /// An attempt that ended without a usable answer.
    ///
    /// @param status the HTTP status; 0: there was no answer
    /// @param asked the delay that the server requests
    private record Refusal(String what, int status, boolean passing, Optional<Duration> asked) {}

    /// The answer to a request, as JSON.
    ///
    /// @param estimate the estimated number of model tokens of the request
    /// @throws CallFailed if there is no usable answer
    /// @throws MillraceException culprit USER, if the key is rejected
    Object call(byte[] body, long estimate) throws CallFailed, InterruptedException {
        HttpRequest request = endpoint.request(body);
        for (int tries = 1; ; tries++) {
            limiter.await(estimate);
            Object answer = attempt(request);
            if (!(answer instanceof Refusal refusal)) {
                limiter.used(estimate, tokens(answer, estimate));
                return answer;
            }
            giveUpOrWait(refusal, tries);
        }
    }

    private void giveUpOrWait(Refusal refusal, int tries) throws CallFailed, InterruptedException {
        String after = tries == 1 ? "" : " (after " + tries + " tries)";
        if (!refusal.passing || tries > settings.retries()) {
            throw new CallFailed(endpoint.name() + " " + refusal.what + after, refusal.status, refusal.passing);
        }
        Duration wait = RetryRule.backoff(tries, ThreadLocalRandom.current().nextDouble());
        if (refusal.asked.isPresent()) {
            Duration asked = refusal.asked.get();
            if (asked.compareTo(RetryRule.MAX_ASKED) > 0) {
                throw new CallFailed(
                        endpoint.name() + " asks to wait " + asked.toSeconds() + " s before the next request, and "
                                + refusal.what,
                        refusal.status,
                        true);
            }
            limiter.pause(asked.toNanos());
            wait = asked;
        }
        time.sleep(wait.toNanos());
    }

    private Object attempt(HttpRequest request) throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(
                request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            // The request's own timeout ends with the first byte of an answer; this one covers the whole answer.
            return read(sent.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            return late();
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            return switch (cause) {
                case HttpTimeoutException _ -> late();
                case IOException failure ->
                    new Refusal("could not be reached: " + words(failure), 0, true, Optional.empty());
                default -> new Refusal("could not be asked: " + words(cause), 0, false, Optional.empty());
            };
        } finally {
            // Has an effect only if the request is still running: then its connection is closed.
            sent.cancel(true);
        }
    }

    private Refusal late() {
        return new Refusal("did not answer within " + seconds(settings.timeout()), 0, true, Optional.empty());
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private Object read(HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        if (status == 401) {
            throw MillraceException.user(
                    endpoint.name() + " refuses " + endpoint.keyWords() + " (401): " + begin(answer.body()));
        }
        if (status / 100 != 2) {
            return new Refusal(
                    "answered " + status + ": " + begin(answer.body()),
                    status,
                    RetryRule.isPassing(status),
                    RetryRule.asked(answer.headers(), Instant.now()));
        }
        try {
            Object json = JsonText.parse(answer.body());
            return json == null ? notJson(status, answer.body(), "it is null") : json;
        } catch (IllegalArgumentException e) {
            return notJson(status, answer.body(), String.valueOf(e.getMessage()));
        }
    }

    private Refusal notJson(int status, byte[] body, String why) {
        return new Refusal(
                "answered " + status + " with what is no JSON (" + endpoint.redact(why) + "): " + begin(body),
                status,
                false,
                Optional.empty());
    }

    /// The beginning of a body, on one line, without secrets.
    private String begin(byte[] body) {
        String text = endpoint.redact(new String(body, StandardCharsets.UTF_8))
                .replaceAll("[\\s\\p{Cntrl}]+", " ")
                .strip();
        if (text.isEmpty()) {
            return "(nothing)";
        }
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private String words(Throwable failure) {
        String message = failure.getMessage();
        String type = failure.getClass().getSimpleName();
        return endpoint.redact(message == null || message.isBlank() ? type : type + ": " + message);
    }

    String redact(String text) {
        return endpoint.redact(text);
    }

    String name() {
        return endpoint.name();
    }

    private static long tokens(Object answer, long estimate) {
        return JsonPointer.of("/usage/total_tokens").find(answer) instanceof Long used ? used : estimate;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
