package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;

/// What a model is to predict, as numbers from 0 in the order of all labels: an [OrdinalEncoder] of one column. What
/// the model says becomes labels again with [Fitted#inverse].
public record LabelEncoder(String column, String output) implements ColumnPreprocessor {
    /// Values of a column become their number among the sorted ones, and back again by `inverse`.
    public static LabelEncoder of(String column) {
        return new LabelEncoder(column, column);
    }

    /// Makes a new column and leaves the old one as it is.
    public LabelEncoder into(String name) {
        return new LabelEncoder(column, name);
    }

    @Override
    public List<String> columns() {
        return List.of(column);
    }

    @Override
    public List<String> outputs() {
        return List.of(output);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        return encoder().statistics(schema);
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return encoder().steps(schema, statistics);
    }

    private OrdinalEncoder encoder() {
        return OrdinalEncoder.of(column).into(output);
    }
}
