package dev.millrace.internal.exchange;

import java.util.List;

/// Divides what all map tasks gave into the work of reduce tasks, once the last of them has ended. In the order of the
/// output. Runs on the engine's thread, so it looks at counts and samples and never at rows.
public interface ReduceAssignment {
    /// @param sides of each input the outputs of its map tasks, in order
    /// @param partBytes what one reduce task should have at most
    List<ReducePart> divide(List<List<MapOutput>> sides, long partBytes);

    static long totalBytes(List<List<MapOutput>> sides) {
        return sides.stream().flatMap(List::stream).mapToLong(MapOutput::bytes).sum();
    }
}
