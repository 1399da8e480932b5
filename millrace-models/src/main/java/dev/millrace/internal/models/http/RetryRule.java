package dev.millrace.internal.models.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// Which answers are retried, and after which delay.
final class RetryRule {
    /// The maximum delay that a server may request.
    static final Duration MAX_ASKED = Duration.ofMinutes(10);

    private static final long FIRST_MILLIS = 500;
    private static final long MAX_MILLIS = 32_000;

    private RetryRule() {}

    static boolean isPassing(int status) {
        return status == 408 || status == 425 || status == 429 || status >= 500;
    }

    /// Exponential backoff up to 32 s, with a jitter of a quarter so that clients do not retry at the same time.
    ///
    /// @param tries the number of failed attempts
    /// @param random 0 to 1
    static Duration backoff(int tries, double random) {
        long millis = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(10, tries - 1));
        return Duration.ofMillis((long) (millis * (0.75 + random / 2)));
    }

    /// The delay that the server requests: `retry-after-ms`, or `Retry-After` in seconds or as a date.
    static Optional<Duration> asked(HttpHeaders headers, Instant now) {
        Optional<Duration> millis =
                headers.firstValue("retry-after-ms").flatMap(RetryRule::number).map(Duration::ofMillis);
        if (millis.isPresent()) {
            return millis;
        }
        return headers.firstValue("retry-after").flatMap(text -> {
            Optional<Duration> seconds =
                    number(text).map(value -> Duration.ofSeconds(Math.min(value, Integer.MAX_VALUE)));
            return seconds.isPresent() ? seconds : date(text, now);
        });
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Math.max(0, (long) Math.ceil(Double.parseDouble(text.strip()))));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> date(String text, Instant now) {
        try {
            Instant then = ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(then.isBefore(now) ? Duration.ZERO : Duration.between(now, then));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
