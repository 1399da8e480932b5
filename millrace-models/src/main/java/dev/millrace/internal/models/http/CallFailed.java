package dev.millrace.internal.models.http;

/// Thrown for a request that has failed after all retries. The message is a sentence about it.
final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean passing;

    /// @param status the HTTP status; 0: there was no answer
    /// @param passing whether the failure is caused by the server or the network, not by the content of the request
    CallFailed(String message, int status, boolean passing) {
        super(message);
        this.status = status;
        this.passing = passing;
    }

    boolean isPassing() {
        return passing;
    }

    /// Whether the server rejected the content: a request with fewer rows may succeed.
    boolean blamesContent() {
        return status == 400 || status == 413 || status == 422;
    }
}
