package dev.millrace.python;

import dev.millrace.error.MillraceException;
import dev.millrace.function.ExternalFunction;
import dev.millrace.function.Factory;
import dev.millrace.internal.python.BatchFormat;
import dev.millrace.internal.python.PythonArguments;
import dev.millrace.internal.python.PythonFactory;
import dev.millrace.internal.python.PythonInterpreter;
import dev.millrace.internal.python.PythonProgram;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// A function or class in Python, applied to the rows of a dataset by worker processes: an immutable, serialisable
/// description.
///
/// ```java
/// dataset.mapBatches(
///     PythonUdf.of("model.py", "ResNet50").args("resnet50.pt").torch(),
///     Compute.actors(1, 4).gpus(1).batchSize(64));
/// ```
///
/// - **Class or function.** A class is instantiated once per worker process, with [#args] and [#arg], and called with
///   each batch; it may have a method `close`. A function is called with the batch and then the arguments. The file
///   travels with the program.
/// - **Batches.** `mapBatches` passes a dict of NumPy arrays, or with [#arrow] a `pyarrow.RecordBatch`, with [#torch] a
///   dict of tensors. Numbers without nulls, and tensors, are views of shared memory: they are valid until the function
///   returns. The function returns any of these, or yields several. `map`, `filter` and `flatMap` pass each row as a
///   dict unless a format of batches is chosen; a filter returns a bool for each row.
/// - **Failures.** An exception is an error of the function, with the line of its file. A process that crashes, or that
///   does not answer within [#timeout], is a lost worker: its rows are computed again by another one. If a GPU is out
///   of memory, the batch is computed in halves, and later ones have as few rows.
/// - **Python.** 3.10 or newer with pyarrow and NumPy: `python3` of the path, or as [#python] or [#requirements] say.
public final class PythonUdf implements ExternalFunction {
    private static final long serialVersionUID = 1L;

    private final PythonProgram program;

    private PythonUdf(PythonProgram program) {
        this.program = program;
    }

    /// A class or function of a Python file, which is read now.
    ///
    /// @param name may be qualified: "Models.Small"
    public static PythonUdf of(String file, String name) {
        Path path = Path.of(file).toAbsolutePath();
        try {
            return new PythonUdf(PythonProgram.of(
                    path.toString(), Files.readString(path, StandardCharsets.UTF_8), Objects.requireNonNull(name)));
        } catch (IOException e) {
            throw MillraceException.user("PythonUdf: the file '" + path + "' cannot be read ("
                    + e.getClass().getSimpleName() + "). Give the path of a Python file of this machine.");
        }
    }

    /// A class or function of a module that is installed where the workers run.
    public static PythonUdf module(String module, String name) {
        return new PythonUdf(PythonProgram.of(Objects.requireNonNull(module), null, Objects.requireNonNull(name)));
    }

    /// Arguments by position, instead of those given before: null, booleans, numbers, strings, lists and maps.
    public PythonUdf args(Object... values) {
        return new PythonUdf(program.with(program.arguments().withPositions(List.of(values))));
    }

    /// An argument by name.
    public PythonUdf arg(String name, Object value) {
        PythonArguments arguments = program.arguments();
        return new PythonUdf(program.with(arguments.with(Objects.requireNonNull(name), value)));
    }

    /// The function gets each batch as a dict of NumPy arrays, by column; this is the default of `mapBatches`. A column
    /// with nulls is as pyarrow converts it: numbers become floats with NaN.
    public PythonUdf numpy() {
        return new PythonUdf(program.with(BatchFormat.NUMPY));
    }

    /// The function gets each batch as a `pyarrow.RecordBatch`.
    public PythonUdf arrow() {
        return new PythonUdf(program.with(BatchFormat.ARROW));
    }

    /// The function gets each batch as a dict of torch tensors; columns that are no numbers are NumPy arrays.
    public PythonUdf torch() {
        return new PythonUdf(program.with(BatchFormat.TORCH));
    }

    /// The function gets each row as a dict; this is the default of `map`, `filter` and `flatMap`.
    public PythonUdf rows() {
        return new PythonUdf(program.with(BatchFormat.ROWS));
    }

    /// The columns of the results, which every batch must have; without this call they are found from the first batch.
    public PythonUdf output(Schema schema) {
        return new PythonUdf(program.with(Objects.requireNonNull(schema)));
    }

    /// The interpreter, or the folder of a virtual environment, on the machines where the workers run.
    public PythonUdf python(String path) {
        return new PythonUdf(program.with(PythonInterpreter.at(Objects.requireNonNull(path))));
    }

    /// A virtual environment with these packages, as in a requirements file: `requirements("numpy==2.4.6", "pyarrow")`.
    /// It is made once on each machine, by `python3 -m venv` and pip, and kept in the user's cache folder. The list
    /// must have pyarrow and numpy.
    public PythonUdf requirements(String... packages) {
        return new PythonUdf(program.with(program.interpreter().withRequirements(List.of(packages))));
    }

    /// How long a call may take. A worker that does not answer for longer is ended, and counts as lost. By default
    /// there is no limit.
    public PythonUdf timeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw MillraceException.user("PythonUdf: a timeout is longer than nothing, not " + limit + ".");
        }
        return new PythonUdf(program.withTimeout(limit));
    }

    /// The most memory that a worker's process may allocate beside shared batches, in bytes; on Linux. Beyond it the
    /// function gets a MemoryError.
    public PythonUdf memoryLimit(long bytes) {
        if (bytes < 1) {
            throw MillraceException.user("PythonUdf: a memory limit is 1 byte or more, not " + bytes + ".");
        }
        return new PythonUdf(program.withMemoryLimit(bytes));
    }

    /// The rows that the function makes, as a source for `session.read(...)`: it is called once for each split, with
    /// its number and how many there are, then [#args], and returns or yields batches.
    public PythonSource source(int splits) {
        if (splits < 1) {
            throw MillraceException.user("PythonUdf: a source has 1 split or more, not " + splits + ".");
        }
        return new PythonSource(program, splits);
    }

    @Override
    public String name() {
        return program.name();
    }

    @Override
    public Factory<?> factory(Use use) {
        return new PythonFactory(program, use);
    }

    @Override
    public String toString() {
        return "PythonUdf(" + program.fileName() + ", " + program.name() + ")";
    }
}
