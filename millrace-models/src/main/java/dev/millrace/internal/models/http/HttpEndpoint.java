package dev.millrace.internal.models.http;

import dev.millrace.error.MillraceException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The address of requests and their headers. The key, header values and query parameters are secret: [#redact] removes
/// them from what a server answers.
final class HttpEndpoint {
    private static final int SHORTEST_SECRET = 6;

    private final URI address;
    private final HttpSettings settings;
    private final @Nullable String key;
    private final List<String> secrets = new ArrayList<>();

    /// @throws MillraceException culprit USER, if the key is missing
    HttpEndpoint(HttpSettings settings) {
        this.settings = settings;
        this.address = URI.create(settings.address());
        this.key = settings.key() == null ? null : settings.key().value();
        if (key != null) {
            secrets.add(key);
        }
        secrets.addAll(settings.headers().values());
        if (address.getRawQuery() != null) {
            for (String part : address.getRawQuery().split("&", -1)) {
                secrets.add(part.substring(part.indexOf('=') + 1));
            }
        }
        secrets.removeIf(secret -> secret.length() < SHORTEST_SECRET);
    }

    static String checked(String address) {
        String plain = address.strip();
        try {
            URI uri = URI.create(plain);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getUserInfo() == null) {
                return plain;
            }
        } catch (IllegalArgumentException _) {
            // Reported below, without the address, which may contain a key.
        }
        throw MillraceException.user("The address of a model is http://host/path or https://host/path, without a"
                + " user's name and password.");
    }

    HttpRequest request(byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .timeout(settings.timeout())
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (Map.Entry<String, String> header : settings.headers().entrySet()) {
            request.setHeader(header.getKey(), header.getValue());
        }
        if (key != null && settings.keyHeader() == null) {
            request.setHeader("Authorization", "Bearer " + key);
        } else if (key != null) {
            request.setHeader(settings.keyHeader(), key);
        }
        return request.build();
    }

    /// The address as shown to users: without its query.
    String name() {
        return address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath();
    }

    String keyWords() {
        return settings.key() == null
                ? "a request without an API key"
                : settings.key().words();
    }

    String redact(String text) {
        String redacted = text;
        for (String secret : secrets) {
            redacted = redacted.replace(secret, "***");
        }
        return redacted;
    }
}
