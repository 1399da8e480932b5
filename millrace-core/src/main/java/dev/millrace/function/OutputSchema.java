package dev.millrace.function;

import dev.millrace.type.Schema;
import java.util.Optional;

/// A function or factory of `mapBatches` that knows the columns of its results before it runs. The verbs that follow
/// then check names and types at the call, and `Dataset.schema()` needs no run.
public interface OutputSchema {
    /// The columns of the results for batches with these columns, called when the dataset is described. The results of
    /// every batch must have exactly these columns and types.
    ///
    /// @return empty if the columns are not known before a run
    /// @throws dev.millrace.error.MillraceException culprit USER, if batches with these columns cannot be processed
    Optional<Schema> outputSchema(Schema input);
}
