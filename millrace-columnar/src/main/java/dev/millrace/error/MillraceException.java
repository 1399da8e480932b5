package dev.millrace.error;

import dev.millrace.internal.wording.SecretText;

/// The one exception type that leaves Millrace. The message is a sentence for a person: what, where, with
/// numbers, and what to do next; passwords in addresses are not shown. [#culprit()] says who has to act.
public class MillraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Culprit culprit;

    public MillraceException(Culprit culprit, String message) {
        this(culprit, message, null);
    }

    public MillraceException(Culprit culprit, String message, Throwable cause) {
        super(SecretText.hide(message), SecretText.hide(cause));
        this.culprit = culprit;
    }

    public static MillraceException user(String message) {
        return new MillraceException(Culprit.USER, message);
    }

    public static MillraceException data(String message) {
        return new MillraceException(Culprit.DATA, message);
    }

    public static MillraceException resources(String message) {
        return new MillraceException(Culprit.RESOURCES, message);
    }

    public static MillraceException internal(String message) {
        return new MillraceException(Culprit.INTERNAL, message);
    }

    public Culprit culprit() {
        return culprit;
    }
}
