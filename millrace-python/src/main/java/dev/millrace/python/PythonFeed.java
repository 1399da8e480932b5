package dev.millrace.python;

import dev.millrace.Dataset;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.python.FeedServer;
import dev.millrace.internal.python.FeedStarter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/// Datasets for Python programs of this machine, which read them over shared memory: training loops of one or more
/// ranks (`millrace.torch.IterableDataset`), scripts and notebooks (`millrace.run`, `millrace.connect`). Immutable.
///
/// ```java
/// void main(String[] arguments) {
///     try (Session session = Session.open()) {
///         Dataset images = session.readImages(arguments[0]);
///         PythonFeed.of(epoch -> images.randomizeBlockOrder(epoch)).with("validation", checks).serve();
///     }
/// }
/// ```
///
/// An epoch is one run of the dataset. It begins when all ranks have asked for it. Several ranks get exactly the same
/// number of rows, as with [Dataset#streamingSplit]; a remainder smaller than their number is dropped. Rows are sent
/// ahead of a rank by as many batches as it prefetches, and no more are made while it does not read.
///
/// The same epoch gives the same batches again if the dataset does: what it computes is deterministic and it is not
/// [unordered][Dataset#unordered]. A rank that resumes in the middle of an epoch relies on this. What was read before
/// is computed again and left out.
public final class PythonFeed {
    private final Map<String, IntFunction<Dataset>> datasets;

    private PythonFeed(Map<String, IntFunction<Dataset>> datasets) {
        this.datasets = datasets;
    }

    /// The same dataset in each epoch.
    public static PythonFeed of(Dataset dataset) {
        Objects.requireNonNull(dataset);
        return of(_ -> dataset);
    }

    /// A dataset for each epoch, by its number from 0: shuffled with it as the seed, say. Called once per epoch, on a
    /// thread of the feed.
    public static PythonFeed of(IntFunction<Dataset> epochs) {
        return new PythonFeed(Map.of("", Objects.requireNonNull(epochs)));
    }

    /// Another dataset, by whose name Python asks for it.
    public PythonFeed with(String name, Dataset dataset) {
        Objects.requireNonNull(dataset);
        if (name.isEmpty() || datasets.containsKey(name)) {
            throw MillraceException.user("PythonFeed: the name '" + name + "' is "
                    + (name.isEmpty() ? "that of the first dataset" : "used already") + ". Give another one.");
        }
        Map<String, IntFunction<Dataset>> more = new LinkedHashMap<>(datasets);
        more.put(name, _ -> dataset);
        return new PythonFeed(more);
    }

    /// Opens the feed at a path, the address for Python programs of the same user. The file is removed when the feed is
    /// closed; one that a killed process left there is replaced.
    ///
    /// @param path of a file that does not exist, in an existing folder; shorter than 100 characters
    public Running open(String path) {
        return new Running(FeedServer.open(path, datasets));
    }

    /// Serves a Python program that has started this one (`millrace.run`), until that ends or closes the pipeline.
    public void serve() {
        FeedStarter.serve(datasets);
    }

    /// An open feed. Close it before its session.
    public static final class Running implements AutoCloseable {
        private final FeedServer server;

        private Running(FeedServer server) {
            this.server = server;
        }

        /// What Python programs connect to.
        public String address() {
            return server.address();
        }

        /// Ends the connections, and the runs that they read.
        @Override
        public void close() {
            server.close();
        }
    }
}
