package dev.millrace.internal.parquet.format;

/// Bytes that violate the format. Thrown where the fault is noticed; the reader of the file reports it to the user,
/// with file and position.
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
