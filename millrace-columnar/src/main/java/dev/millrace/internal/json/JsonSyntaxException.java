package dev.millrace.internal.json;

/// An error at a position of the text; the caller, which knows the file, builds the message from it. Without a stack
/// trace.
public final class JsonSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The available text ends before the value does: more of it must be read, if there is more.
    @SuppressWarnings("StaticAssignmentOfThrowable") // has no stack trace, and takes nothing suppressed
    public static final JsonSyntaxException MORE =
            new JsonSyntaxException("it ends in the middle of a value", -1, false);

    private final int at;
    private final String where;
    private final boolean clash;

    private JsonSyntaxException(String what, int at, boolean clash) {
        this(what, at, clash, "");
    }

    private JsonSyntaxException(String what, int at, boolean clash, String where) {
        super(what, null, false, false);
        this.where = where;
        this.at = at;
        this.clash = clash;
    }

    /// @param what a clause: "a comma is missing"
    public static JsonSyntaxException wrong(String what, int at) {
        return new JsonSyntaxException(what, at, false);
    }

    /// Valid JSON, but not of the type of its column.
    public static JsonSyntaxException clash(String what, int at) {
        return new JsonSyntaxException(what, at, true);
    }

    /// A conflict in a part of the text that is no longer in memory.
    ///
    /// @param where the position, as described by the caller, which knows the file
    public static JsonSyntaxException earlier(String what, String where) {
        return new JsonSyntaxException(what, -1, true, where);
    }

    /// The position of an error of [#earlier], else empty.
    public String where() {
        return where;
    }

    public int at() {
        return at;
    }

    public boolean isClash() {
        return clash;
    }
}
