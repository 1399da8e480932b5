package dev.millrace.internal.kernel.window;

/// The aggregate of the rows of a frame, while frames move forward, without subtraction (the two-stack algorithm): for
/// each row up to a border, the aggregate from that row to the border is stored; the rows after the border are one
/// aggregate. When the frame has left the border behind, its last row becomes the new border. So a row is visited at
/// most twice for any frames, and once for frames that begin with their partition.
abstract class SlidingAggregate implements AutoCloseable {
    private int partition = -1;
    private int low;
    private int border;
    private int high;

    /// Moves to the current frame; frames must not move back.
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

    /// The following rows are numbered from 0 again: what was added so far stays. Only for frames that begin with their
    /// partition.
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

    /// Whether rows after the border belong to it.
    final boolean hasBehind() {
        return border < high;
    }

    final int low() {
        return low;
    }

    /// Resets the aggregate of the rows after the border.
    abstract void clear();

    /// Adds one more row after the border.
    abstract void add(int row);

    /// Computes, for each of these rows, its aggregate with the rows after it up to the border.
    abstract void turn(int from, int to);

    @Override
    public abstract void close();
}
