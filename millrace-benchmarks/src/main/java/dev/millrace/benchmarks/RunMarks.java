package dev.millrace.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Hears when each measured run begins and ends.
public interface RunMarks {
    /// Nobody listens.
    RunMarks NONE = new RunMarks() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
    };

    /// Lines on the standard output, for [MeasuredProcess], which answers each with a line when it has read the CPU
    /// time: so the time of a run is its own however short it is. Peers' scripts do the same.
    RunMarks PRINTED = new RunMarks() {
        @Override
        public void begins() {
            mark(BEGINS);
        }

        @Override
        public void ends() {
            mark(ENDS);
        }

        private void mark(String line) {
            System.out.println(line);
            try {
                for (int next = System.in.read(); next != '\n' && next >= 0; next = System.in.read()) {}
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    String BEGINS = "run begins";
    String ENDS = "run ends";

    void begins();

    void ends();
}
