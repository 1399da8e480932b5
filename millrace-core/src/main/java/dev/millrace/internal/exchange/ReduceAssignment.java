package dev.millrace.internal.exchange;

import java.util.List;

/// Assigns the output of all map tasks to reduce tasks, once the last map task has ended. In the order of the output.
/// Runs on the engine's thread, so it reads counts and samples and never rows.
public interface ReduceAssignment {
    /// @param sides for each input the outputs of its map tasks, in order
    /// @param partBytes the maximum input size of one reduce task
    List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes);

    static long totalBytes(List<List<MapOutput>> sides) {
        return sides.stream().flatMap(List::stream).mapToLong(MapOutput::bytes).sum();
    }
}
