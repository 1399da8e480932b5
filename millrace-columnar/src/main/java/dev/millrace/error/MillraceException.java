package dev.millrace.error;

import dev.millrace.internal.wording.SecretText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The only exception type that Millrace throws. The message is a sentence for a person: what, where, with numbers, and
/// what to do next; passwords in URIs are not shown. [#culprit()] says who has to act.
public class MillraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Culprit culprit;

    /// An exception with a message, and who has to act on it.
    public MillraceException(Culprit culprit, String message) {
        this(culprit, message, null);
    }

    /// An exception with a cause.
    public MillraceException(Culprit culprit, String message, @Nullable Throwable cause) {
        super(SecretText.hide(message), cause == null ? null : SecretText.hide(cause));
        this.culprit = culprit;
    }

    /// An error of the calling program.
    public static MillraceException user(String message) {
        return new MillraceException(Culprit.USER, message);
    }

    /// An error in the data.
    public static MillraceException data(String message) {
        return new MillraceException(Culprit.DATA, message);
    }

    /// A lack of resources.
    public static MillraceException resources(String message) {
        return new MillraceException(Culprit.RESOURCES, message);
    }

    /// A bug of ours.
    public static MillraceException internal(String message) {
        return new MillraceException(Culprit.INTERNAL, message);
    }

    /// The message.
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }

    /// Who has to act.
    public Culprit culprit() {
        return culprit;
    }
}
