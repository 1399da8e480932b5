package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;

/// Encodes the target of a model as numbers from 0 in the order of all labels: an [OrdinalEncoder] of one column.
/// [Fitted#inverse] turns predictions into labels again.
public record LabelEncoder(String column, String output) implements ColumnPreprocessor {
    /// Replaces the values of a column by their index among the sorted values; `inverse` restores them.
    public static LabelEncoder of(String column) {
        return new LabelEncoder(column, column);
    }

    /// Writes to a new column and keeps the input column unchanged.
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
