package dev.millrace.internal.models.http;

/// A request that has failed for good. The message is a sentence about it.
final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean passing;

    /// @param status 0: there was no answer
    /// @param passing the server's or the network's affair, not that of what was asked
    CallFailed(String message, int status, boolean passing) {
        super(message);
        this.status = status;
        this.passing = passing;
    }

    boolean isPassing() {
        return passing;
    }

    /// The server takes exception to the content: with less of it, the answer may be another one.
    boolean blamesContent() {
        return status == 400 || status == 413 || status == 422;
    }
}
