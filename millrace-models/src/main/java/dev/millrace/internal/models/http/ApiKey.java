package dev.millrace.internal.models.http;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A key: given, or to be found in an environment variable where it is used. Never shown.
///
/// @param variable null: the value is given
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

    /// @throws MillraceException culprit USER, when the variable is not set
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

    /// A header's value cannot have these; the JDK's own complaint would show it.
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
