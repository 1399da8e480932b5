package dev.millrace.benchmarks;

/// A benchmark.
public interface Workload {
    /// The name in `millrace bench NAME`.
    String name();

    /// A one-sentence description for the list.
    String sentence();

    /// The number of rows at full size; also passed to a peer.
    long rows();

    /// The name of the same work in the scripts of peers.
    default String peerName() {
        return name();
    }

    /// Creates missing input for itself and for peers. Not measured.
    default void prepare(BenchSettings settings) throws Exception {}

    /// Whether two engines have done the same work, judged by their results.
    default boolean agree(String ours, String theirs) {
        return ours.equals(theirs);
    }

    /// Runs it [BenchSettings#times] times.
    Measurement measure(BenchSettings settings) throws Exception;
}
