package dev.millrace.error;

import dev.millrace.internal.wording.SecretText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The one exception type that leaves Millrace. The message is a sentence for a person: what, where, with
/// numbers, and what to do next; passwords in addresses are not shown. [#culprit()] says who has to act.
public class MillraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Culprit culprit;

    /// A sentence, and who can act on it.
    public MillraceException(Culprit culprit, String message) {
        this(culprit, message, null);
    }

    /// The same, with what it came of.
    public MillraceException(Culprit culprit, String message, @Nullable Throwable cause) {
        super(SecretText.hide(message), cause == null ? null : SecretText.hide(cause));
        this.culprit = culprit;
    }

    /// The program did something wrong.
    public static MillraceException user(String message) {
        return new MillraceException(Culprit.USER, message);
    }

    /// The data is wrong.
    public static MillraceException data(String message) {
        return new MillraceException(Culprit.DATA, message);
    }

    /// There is not enough of something.
    public static MillraceException resources(String message) {
        return new MillraceException(Culprit.RESOURCES, message);
    }

    /// A bug of ours.
    public static MillraceException internal(String message) {
        return new MillraceException(Culprit.INTERNAL, message);
    }

    /// The sentence.
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }

    /// Who has to act.
    public Culprit culprit() {
        return culprit;
    }
}
