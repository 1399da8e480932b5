package dev.millrace.preprocess;

import dev.millrace.Dataset;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.expression.Expression;
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
                MultiHotEncoder,
                CountVectorizer,
                HashingVectorizer,
                Categorizer,
                TargetEncoder,
                SimpleImputer,
                FeatureHasher,
                Normalizer,
                PowerTransformer,
                UniformKBinsDiscretizer,
                CustomKBinsDiscretizer,
                Concatenator {

    /// The aggregates that it is fitted from; empty if there is nothing to learn.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, if a column does not exist or has the wrong type
    List<Aggregate> statistics(Schema schema);

    /// Columns that the aggregates need beside those of the dataset, by the names of their aliases.
    default List<Expression> derived(Schema schema) {
        return List.of();
    }

    /// The steps that transform the columns, given the results of [#statistics] by the names of the aggregates.
    List<Step> steps(Schema schema, Row statistics);

    @Override
    default Fitted fit(Dataset dataset) {
        return new Fitted(PreprocessorFitting.steps(dataset, List.of(this)));
    }
}
