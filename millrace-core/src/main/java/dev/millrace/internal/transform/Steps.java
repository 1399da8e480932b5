package dev.millrace.internal.transform;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Download;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.expression.Expression;
import dev.millrace.internal.wording.CallSite;
import java.util.List;

/// Makes the steps: the plan's way into this package.
public final class Steps {
    private Steps() {}

    /// A user's function over rows; neighbouring ones merge into one step.
    public static Step rows(String name, RowOperation operation) {
        return rows(name, operation, ErrorPolicy.fail());
    }

    public static Step rows(String name, RowOperation operation, ErrorPolicy onError) {
        return operation instanceof RowOperation.Stateful stateful
                ? new StatefulRowStep(name, stateful, onError)
                : new RowStep(List.of(new RowStep.Named(name, operation, onError)));
    }

    /// @param batchSize rows, [Compute#WHOLE_BLOCK], [Compute#AUTO], or null for the whole block
    public static Step batches(String name, BatchOperation operation, Integer batchSize) {
        return batches(name, operation, batchSize, ErrorPolicy.fail());
    }

    public static Step batches(String name, BatchOperation operation, Integer batchSize, ErrorPolicy onError) {
        int size = batchSize == null ? Compute.WHOLE_BLOCK : batchSize;
        return switch (operation) {
            case BatchOperation.Function function -> new BatchStep(name, function.function(), size, onError);
            case BatchOperation.Stateful stateful -> new StatefulBatchStep(name, stateful.factory(), size, onError);
        };
    }

    public static Step filter(Expression predicate) {
        return filter(predicate, ErrorPolicy.fail(), CallSite.UNKNOWN);
    }

    /// @param site the user's line
    public static Step filter(Expression predicate, ErrorPolicy onError, String site) {
        return new FilterStep(predicate, onError, site);
    }

    public static Step project(Projection projection) {
        return project(projection, ErrorPolicy.fail(), CallSite.UNKNOWN);
    }

    /// @param site the user's line
    public static Step project(Projection projection, ErrorPolicy onError, String site) {
        return new ProjectStep(projection, onError, site);
    }

    public static Step sample(double fraction, long seed) {
        return new SampleStep(fraction, seed);
    }

    public static Step explode(String column, boolean keepEmpty) {
        return new ExplodeStep(column, keepEmpty);
    }

    public static Step download(String addresses, Download options) {
        return new DownloadStep(addresses, options);
    }

    /// At most `rows` rows leave each task: lets a read stop early below a limit.
    public static Step limit(long rows) {
        return new LimitStep(rows);
    }
}
