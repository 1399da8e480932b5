package dev.millrace.preprocess;

import dev.millrace.Dataset;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;

/// A preprocessor that learns from aggregates of its columns.
public sealed interface ColumnPreprocessor extends Preprocessor
        permits StandardScaler,
                MinMaxScaler,
                MaxAbsScaler,
                RobustScaler,
                OrdinalEncoder,
                LabelEncoder,
                OneHotEncoder,
                SimpleImputer,
                FeatureHasher,
                Concatenator {

    /// What it wants to know of the data; nothing where it has nothing to learn.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, for columns that are not there or of a wrong type
    List<Aggregate> statistics(Schema schema);

    /// What it does to columns, from what it wanted to know under the names of its aggregates.
    List<Step> steps(Schema schema, Row statistics);

    @Override
    default Fitted fit(Dataset dataset) {
        return new Fitted(PreprocessorFitting.steps(dataset, List.of(this)));
    }
}
