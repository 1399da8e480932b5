package dev.millrace.internal.models.http;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An API key: given directly, or read from an environment variable on the machine that uses it. Never shown.
///
/// @param variable null: the key was given directly
public record ApiKey(@Nullable String variable, @Nullable String given) implements Serializable {
    public static ApiKey of(String value) {
        return new ApiKey(null, checked("The API key", value));
    }

    public static ApiKey variable(String name) {
        if (name.isBlank()) {
            throw MillraceException.user("apiKeyFrom needs the name of an environment variable.");
        }
        return new ApiKey(name, null);
    }

    /// @throws MillraceException culprit USER, if the variable is not set
    String value() {
        if (variable == null) {
            return Objects.requireNonNull(given, "a key is given, or its variable");
        }
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            throw MillraceException.user("The environment variable " + variable
                    + ", which should hold the API key, is not set where the model runs.");
        }
        return checked("The API key in " + variable, value);
    }

    /// Rejects characters that a header value cannot contain; the JDK's own error message would show the key.
    private static String checked(String what, String value) {
        String key = value.strip();
        if (key.isEmpty() || !key.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw MillraceException.user(what + " is empty or has characters that a key cannot have.");
        }
        return key;
    }

    String words() {
        return variable == null ? "the API key" : "the API key in " + variable;
    }

    @Override
    public String toString() {
        return variable == null ? "(an API key)" : "(the API key in " + variable + ")";
    }
}
