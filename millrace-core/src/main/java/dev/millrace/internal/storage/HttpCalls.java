package dev.millrace.internal.storage;

import dev.millrace.internal.wording.SecretText;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Requests over HTTP, tried again where that may help: without an answer, and for answers that say so (408, 425, 429
/// and those of 500 and above).
final class HttpCalls {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final long MAX_ASKED_SECONDS = 30;

    /// Made with the first request.
    private static final class Client {
        // HTTP/1.1: a connection of HTTP/2 takes only so many requests at once, and refuses more.
        static final HttpClient SHARED = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(CONNECT)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /// What is done with an answer; the body is closed afterwards.
    interface Use<T> {
        T of(HttpResponse<InputStream> answer) throws IOException;
    }

    /// An answer that may be another one in a moment.
    private static final class TemporaryRefusal extends IOException {
        private static final long serialVersionUID = 1L;
        final long waitMillis;

        TemporaryRefusal(String message, long waitMillis) {
            super(message);
            this.waitMillis = waitMillis;
        }
    }

    private HttpCalls() {}

    static URI address(String path) throws IOException {
        try {
            // Spaces are what people leave in addresses; all else is theirs to escape.
            URI address = URI.create(path.replace(" ", "%20"));
            if (address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new LastingIOException("'" + path + "' is no address: " + e.getMessage(), e);
        }
        throw new LastingIOException("'" + path + "' is no address: it names no host.", null);
    }

    /// @param range of bytes, or null
    static <T> T get(String path, @Nullable String range, Use<T> use) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path)).timeout(ANSWER);
        if (range != null) {
            request.header("Range", "bytes=" + range);
        }
        return retrying(path, request.build(), use);
    }

    static <T> T head(String path, Use<T> use) throws IOException {
        return retrying(
                path,
                HttpRequest.newBuilder(address(path)).timeout(ANSWER).HEAD().build(),
                use);
    }

    /// What is asked of an answer before its bytes are read.
    interface Check {
        void of(HttpResponse<?> answer) throws IOException;
    }

    /// An answer that the caller reads and closes.
    static HttpBody stream(String path, Check check) throws IOException {
        RetryWait wait = new RetryWait();
        HttpRequest request =
                HttpRequest.newBuilder(address(path)).timeout(ANSWER).build();
        while (true) {
            HttpResponse<InputStream> answer = null;
            try {
                answer = send(path, request);
                requireBytes(path, answer);
                check.of(answer);
                return new HttpBody(answer.body());
            } catch (IOException e) {
                if (answer != null) {
                    answer.body().close();
                }
                await(wait, e);
            }
        }
    }

    private static <T> T retrying(String path, HttpRequest request, Use<T> use) throws IOException {
        RetryWait wait = new RetryWait();
        while (true) {
            try {
                HttpResponse<InputStream> answer = send(path, request);
                try (InputStream _ = answer.body()) {
                    return use.of(answer);
                }
            } catch (IOException e) {
                await(wait, e);
            }
        }
    }

    private static void await(RetryWait wait, IOException failure) throws IOException {
        switch (failure) {
            case LastingIOException lasting -> throw lasting;
            case ClosedByInterruptException interrupted -> throw interrupted;
            case TemporaryRefusal busy -> wait.afterFailure(false, busy, busy.waitMillis);
            default -> wait.afterFailure(false, failure);
        }
    }

    private static HttpResponse<InputStream> send(String path, HttpRequest request) throws IOException {
        HttpResponse<InputStream> answer;
        try {
            answer = Client.SHARED.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        } catch (HttpTimeoutException e) {
            throw new IOException(
                    SecretText.hide("'" + path + "' did not answer within " + ANSWER.toSeconds() + " s"), e);
        } catch (IOException e) {
            throw new IOException(SecretText.hide("'" + path + "' could not be reached: " + e), e);
        }
        int status = answer.statusCode();
        if (status == 408 || status == 425 || status == 429 || status >= 500) {
            answer.body().close();
            throw new TemporaryRefusal(SecretText.hide("'" + path + "' answered " + status), waitOf(answer));
        }
        return answer;
    }

    private static long waitOf(HttpResponse<?> answer) {
        try {
            return answer.headers()
                    .firstValue("Retry-After")
                    .map(text -> 1000 * Math.clamp(Long.parseLong(text.strip()), 0, MAX_ASKED_SECONDS))
                    .orElse(0L);
        } catch (NumberFormatException _) {
            // A date.
            return 0;
        }
    }

    static boolean isMissing(HttpResponse<?> answer) {
        return answer.statusCode() == 404 || answer.statusCode() == 410;
    }

    /// Refuses all but an answer with bytes.
    static void requireBytes(String path, HttpResponse<?> answer) throws IOException {
        int status = answer.statusCode();
        if (isMissing(answer)) {
            throw new LastingIOException("there is nothing at '" + path + "' (" + status + ").", null);
        }
        if (status == 401 || status == 403) {
            throw new LastingIOException("access to '" + path + "' was denied (" + status + ").", null);
        }
        if (status / 100 == 3) {
            throw new LastingIOException(
                    "'" + path + "' sends on to '"
                            + answer.headers().firstValue("Location").orElse("") + "' (" + status
                            + "), which is not followed: addresses of the web lead to such only, and never from https"
                            + " to http.",
                    null);
        }
        if (status != 200 && status != 206) {
            throw new LastingIOException("'" + path + "' answered " + status + ".", null);
        }
    }

    static OptionalLong length(HttpResponse<?> answer) {
        return answer.headers().firstValueAsLong("Content-Length");
    }

    /// The size of the whole that an answer of 206 is a part of; -1 if it does not say.
    static long whole(HttpResponse<?> answer) {
        String range = answer.headers().firstValue("Content-Range").orElse("");
        try {
            return Long.parseLong(range.substring(range.indexOf('/') + 1).strip());
        } catch (NumberFormatException _) {
            return -1;
        }
    }
}
