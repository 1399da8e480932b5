package dev.millrace.internal.transform;

/// An exception of later steps, passed through a user's function, which did not cause it.
final class FollowingFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Exception thrown;

    FollowingFailure(Exception thrown) {
        super(null, thrown, false, false);
        this.thrown = thrown;
    }

    Exception thrown() {
        return thrown;
    }
}
