package dev.millrace.internal.models.http;

import dev.millrace.internal.serial.Confidential;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The settings that all kinds of HTTP models share.
///
/// @param id functions with the same id share the rate limits
/// @param key null: no key
/// @param keyHeader null: the key is sent as a bearer token in `Authorization`
/// @param requestsPerMinute 0: no limit; likewise for tokens
/// @param errorColumn null: no error column
public record HttpSettings(
        String id,
        String address,
        @Nullable ApiKey key,
        @Nullable String keyHeader,
        Map<String, String> headers,
        int concurrency,
        double requestsPerMinute,
        double tokensPerMinute,
        Duration timeout,
        int retries,
        RowErrors onError,
        @Nullable String errorColumn)
        implements Serializable, Confidential {

    /// How a row is treated whose request has failed after all retries.
    public enum RowErrors {
        FAIL,
        NULLS
    }

    @Override
    public Optional<String> confidence() {
        boolean keyed = key != null && key.variable() == null;
        return keyed || !headers.isEmpty()
                ? Optional.of(
                        "a model behind HTTP has an API key or headers, and credentials are written to no file. Give"
                                + " the key by apiKeyFrom(variable).")
                : Optional.empty();
    }

    public static HttpSettings of(String address) {
        return new HttpSettings(
                UUID.randomUUID().toString(),
                HttpEndpoint.checked(address),
                null,
                null,
                Map.of(),
                8,
                0,
                0,
                Duration.ofSeconds(60),
                5,
                RowErrors.FAIL,
                null);
    }

    public HttpSettings withKey(ApiKey changed, @Nullable String header) {
        return new HttpSettings(
                id,
                address,
                changed,
                header,
                headers,
                concurrency,
                requestsPerMinute,
                tokensPerMinute,
                timeout,
                retries,
                onError,
                errorColumn);
    }

    public HttpSettings withHeaders(Map<String, String> changed) {
        return new HttpSettings(
                id,
                address,
                key,
                keyHeader,
                changed,
                concurrency,
                requestsPerMinute,
                tokensPerMinute,
                timeout,
                retries,
                onError,
                errorColumn);
    }

    public HttpSettings withLimits(int inFlight, double requests, double tokens) {
        return new HttpSettings(
                id,
                address,
                key,
                keyHeader,
                headers,
                inFlight,
                requests,
                tokens,
                timeout,
                retries,
                onError,
                errorColumn);
    }

    public HttpSettings withPatience(Duration answer, int tries) {
        return new HttpSettings(
                id,
                address,
                key,
                keyHeader,
                headers,
                concurrency,
                requestsPerMinute,
                tokensPerMinute,
                answer,
                tries,
                onError,
                errorColumn);
    }

    public HttpSettings withErrors(RowErrors changed, @Nullable String column) {
        return new HttpSettings(
                id,
                address,
                key,
                keyHeader,
                headers,
                concurrency,
                requestsPerMinute,
                tokensPerMinute,
                timeout,
                retries,
                changed,
                column);
    }
}
