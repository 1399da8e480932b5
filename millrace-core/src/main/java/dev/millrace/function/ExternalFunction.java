package dev.millrace.function;

import java.io.Serializable;

/// A function that runs in another process, such as a Python worker. It is sent batches, whichever verb it is passed
/// to, and the next batch is on its way while one is computed. It lives in a pool of actors.
public interface ExternalFunction extends Serializable {
    /// The verb that a function is passed to.
    enum Use {
        MAP_BATCHES("mapBatches"),
        FLAT_MAP_BATCHES("flatMapBatches"),
        MAP("map"),
        FILTER("filter"),
        FLAT_MAP("flatMap");

        private final String verb;

        Use(String verb) {
            this.verb = verb;
        }

        /// As it is written in a program.
        public String verb() {
            return verb;
        }
    }

    /// Its name in plans, stats and errors.
    String name();

    /// Creates what an actor calls: for [Use#FLAT_MAP_BATCHES] a [BatchFlatFunction], for all others an
    /// [AsyncBatchFunction]. It may implement [OutputSchema].
    Factory<?> factory(Use use);
}
