package dev.millrace.internal.json;

/// An error at a position of the text; the code that knows the file makes a sentence of it. Without a stack trace.
public final class JsonSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The text at hand ends before the value does: more of it is needed, if there is more.
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

    /// Proper JSON, but not of the type that its column has.
    public static JsonSyntaxException clash(String what, int at) {
        return new JsonSyntaxException(what, at, true);
    }

    /// A conflict in a part of the text that is no longer in memory.
    ///
    /// @param where that was, as described by the code that knows the file
    public static JsonSyntaxException earlier(String what, String where) {
        return new JsonSyntaxException(what, -1, true, where);
    }

    /// The place of an error of [#earlier], else nothing.
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
