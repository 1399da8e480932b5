package dev.millrace.internal.parquet.format;

/// Bytes that are not what the format says. Thrown where it is noticed and told to the user, with file and place, by
/// the reader of the file.
public final class MalformedParquet extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String REMEDY = "Write it again, or leave it out.";

    private final String remedy;

    public MalformedParquet(String message) {
        this(message, REMEDY);
    }

    /// @param remedy a sentence
    public MalformedParquet(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    public MalformedParquet(String message, Throwable cause) {
        super(message, cause);
        this.remedy = cause instanceof MalformedParquet malformed ? malformed.remedy : REMEDY;
    }

    /// What to do about the file.
    public String remedy() {
        return remedy;
    }
}
