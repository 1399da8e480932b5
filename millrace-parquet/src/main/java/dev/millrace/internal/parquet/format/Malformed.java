package dev.millrace.internal.parquet.format;

/// Bytes that are not what the format says. Thrown where it is noticed and told to the user, with file and place, by
/// the
/// reader of the file.
public final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Malformed(String message) {
        super(message);
    }

    public Malformed(String message, Throwable cause) {
        super(message, cause);
    }
}
