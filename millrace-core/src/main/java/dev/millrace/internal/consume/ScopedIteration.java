package dev.millrace.internal.consume;

import org.jspecify.annotations.Nullable;

/// An iteration whose elements live until the next one is returned.
abstract class ScopedIteration<T> extends FeedIteration<T> {
    /// The actions that end the element in the consumer's hands, and the one after it.
    private @Nullable Runnable current;

    private @Nullable Runnable following;

    ScopedIteration(BlockFeed feed) {
        super(feed);
    }

    /// Called by [#advance] for the element that it creates.
    final void endsBy(Runnable end) {
        following = end;
    }

    /// No further element is created.
    abstract void closeMaker();

    @Override
    final void handOut(T element) {
        run(current);
        current = following;
        following = null;
    }

    @Override
    final void release() {
        closeMaker();
        run(current);
        current = null;
        run(following);
        following = null;
    }

    private static void run(@Nullable Runnable end) {
        if (end != null) {
            end.run();
        }
    }
}
