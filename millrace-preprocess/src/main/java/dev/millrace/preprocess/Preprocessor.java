package dev.millrace.preprocess;

import dev.millrace.Dataset;
import java.io.Serializable;
import java.util.List;

/// Learns from a dataset how to transform columns:
///
/// ```java
/// Fitted prepared = StandardScaler.of("age", "income").fit(people);
/// Dataset scaled = prepared.transform(people);    // lazy
/// prepared.save(Path.of("scaler.json"));          // where the model is served: Fitted.load(...).transformBatch(batch)
/// ```
///
/// Missing values are null and, in floats, NaN: they are ignored when learning, and stay missing unless [SimpleImputer]
/// fills them. An immutable value.
public sealed interface Preprocessor extends Serializable permits ColumnPreprocessor, Chain {
    /// The columns it reads.
    List<String> columns();

    /// The columns it adds or replaces.
    List<String> outputs();

    /// Learns in one pass over the data, or in none if there is nothing to learn; a [Chain] in as few passes as
    /// possible.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, if a column does not exist or has the wrong type
    Fitted fit(Dataset dataset);

    /// Fits to the dataset and transforms it.
    default Dataset fitTransform(Dataset dataset) {
        return fit(dataset).transform(dataset);
    }
}
