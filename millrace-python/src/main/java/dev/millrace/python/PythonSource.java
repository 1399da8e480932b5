package dev.millrace.python;

import dev.millrace.internal.python.PythonProgram;
import dev.millrace.internal.python.PythonSplit;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.IntStream;

/// Rows that Python makes: a function that is called with the number of a split and how many there are, and returns or
/// yields batches. Each split has a worker process of its own, so a split should take seconds.
public final class PythonSource implements Source {
    private static final long serialVersionUID = 1L;

    private final PythonProgram program;
    private final int splits;

    PythonSource(PythonProgram program, int splits) {
        this.program = program;
        this.splits = splits;
    }

    @Override
    public String name() {
        return "Python(" + program.name() + ")";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.ofNullable(program.output());
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return IntStream.range(0, splits)
                .mapToObj(split -> (Split) new PythonSplit(program, name(), split, splits))
                .iterator();
    }

    @Override
    public boolean hasSplits(int count) {
        return count == splits;
    }
}
