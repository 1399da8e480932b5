package dev.millrace.preprocess;

import dev.millrace.Dataset;
import java.io.Serializable;
import java.util.List;

/// Something that learns from a dataset how to transform columns:
///
/// ```java
/// Fitted prepared = StandardScaler.of("age", "income").fit(people);
/// Dataset scaled = prepared.transform(people);    // lazy
/// prepared.save(Path.of("scaler.json"));          // where the model is served: Fitted.load(...).transformBatch(batch)
/// ```
///
/// Missing values are null and, in floats, NaN: they are left out of what is learnt, and stay missing unless
/// [SimpleImputer] fills them. An immutable value.
public sealed interface Preprocessor extends Serializable permits ColumnPreprocessor, Chain {
    /// The columns it reads.
    List<String> columns();

    /// The columns it makes or replaces.
    List<String> outputs();

    /// Learns in one pass over the data, or in none where there is nothing to learn; a [Chain] in as few as it can.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, for columns that are not there or of a wrong type
    Fitted fit(Dataset dataset);

    /// Learns and transforms the same data.
    default Dataset fitTransform(Dataset dataset) {
        return fit(dataset).transform(dataset);
    }
}
