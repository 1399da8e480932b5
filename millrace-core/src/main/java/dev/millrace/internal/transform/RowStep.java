package dev.millrace.internal.transform;

import dev.millrace.compute.ErrorPolicy;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Users' functions over rows, one after the other: each row goes through all of them before the next one, and only the
/// output of the last is written into columns.
public record RowStep(List<Named> operations) implements TransformStep {
    /// An operation with its name in errors: "map(Main:42)".
    public record Named(String name, RowOperation operation, ErrorPolicy onError) implements Serializable {
        public Named(String name, RowOperation operation) {
            this(name, operation, ErrorPolicy.fail());
        }
    }

    public RowStep {
        operations = List.copyOf(operations);
    }

    /// The step of one function: a stateful one is a step of its own, consecutive others are merged.
    public static TransformStep of(String name, RowOperation operation, ErrorPolicy onError) {
        return operation instanceof RowOperation.Stateful stateful
                ? new StatefulRowStep(name, stateful, onError)
                : new RowStep(List.of(new Named(name, operation, onError)));
    }

    @Override
    public String name() {
        return operations.stream().map(Named::name).collect(Collectors.joining(" -> "));
    }

    @Override
    public boolean keepsRowCount() {
        return operations.stream()
                .allMatch(named -> named.operation().verb().equals("map")
                        && named.onError().keepsRows());
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return RowTransforms.open(operations, context);
    }

    @Override
    public Optional<TransformStep> mergeWith(TransformStep next) {
        // A row of nulls is written directly: no function gets it.
        boolean nulls = operations.getLast().onError().action() == ErrorPolicy.Action.NULLS;
        if (nulls || !(next instanceof RowStep rows)) {
            return Optional.empty();
        }
        List<Named> all = new ArrayList<>(operations);
        all.addAll(rows.operations);
        return Optional.of(new RowStep(all));
    }
}
