package dev.millrace.internal.kernel.window;

/// What the rows of a frame are together, while frames go forward, without ever taking anything away: the rows up to
/// some border are known from each of them on to the border, those behind it as one. When the frame has left the
/// border, its last row becomes the next one. So a row is looked at twice at most, whatever the frames, and of frames
/// that begin with their partition once.
abstract class SlidingAggregate implements AutoCloseable {
    private int partition = -1;
    private int low;
    private int border;
    private int high;

    /// Goes to the current frame, which is not one before the last.
    final void move(WindowFrames frames) {
        if (frames.partition() != partition) {
            partition = frames.partition();
            jump(frames.from);
        }
        if (frames.from > low) {
            if (frames.from >= high) {
                jump(frames.from);
            } else {
                low = frames.from;
                if (low > border) {
                    turn(low, high);
                    border = high;
                    clear();
                }
            }
        }
        for (; high < frames.to; high++) {
            add(high);
        }
    }

    private void jump(int row) {
        low = row;
        border = row;
        high = row;
        clear();
    }

    /// Rows that come now have other numbers, from 0 on: what was added so far stays. Only for frames that begin with
    /// their partition.
    final void goOn() {
        low = 0;
        border = 0;
        high = 0;
        partition = 0;
    }

    /// Whether rows before the border belong to the frame: those from [#low] on.
    final boolean hasBefore() {
        return low < border;
    }

    /// Whether rows behind the border belong to it.
    final boolean hasBehind() {
        return border < high;
    }

    final int low() {
        return low;
    }

    /// No rows lie behind the border.
    abstract void clear();

    /// One more row behind the border.
    abstract void add(int row);

    /// Has what each of these rows is together with those behind it.
    abstract void turn(int from, int to);

    @Override
    public abstract void close();
}
