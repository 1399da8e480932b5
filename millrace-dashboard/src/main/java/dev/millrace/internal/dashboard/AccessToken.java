package dev.millrace.internal.dashboard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// What lets a reader in.
final class AccessToken {
    private static final int RANDOM_BYTES = 24;

    private final String text;

    AccessToken(String text) {
        this.text = text;
    }

    static AccessToken random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String text() {
        return text;
    }

    /// Compares in a time that does not depend on how much of it is right.
    boolean isEqualTo(@Nullable String given) {
        return given != null
                && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "a token";
    }
}
