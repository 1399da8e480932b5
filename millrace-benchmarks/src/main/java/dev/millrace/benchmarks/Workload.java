package dev.millrace.benchmarks;

/// Something worth measuring.
public interface Workload {
    /// What `millrace bench NAME` calls it.
    String name();

    /// One sentence for the list.
    String sentence();

    /// How many rows it has at full size; a peer is told so, too.
    long rows();

    /// What the peers' scripts call the same work.
    default String peerName() {
        return name();
    }

    /// How often it runs, and a peer as well, unless somebody says otherwise: more often where one run is so short that
    /// the compilers are at work in many of them.
    default int usualTimes() {
        return 3;
    }

    /// Makes input that is not there yet, for itself and for peers. Not measured.
    default void prepare(BenchSettings settings) throws Exception {}

    /// Whether two engines have done the same work, by their results.
    default boolean agree(String ours, String theirs) {
        return ours.equals(theirs);
    }

    /// Runs it [BenchSettings#times] times.
    Measurement measure(BenchSettings settings) throws Exception;
}
