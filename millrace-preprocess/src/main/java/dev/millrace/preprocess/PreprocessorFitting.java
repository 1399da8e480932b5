package dev.millrace.preprocess;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.Dataset;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.ExpressionTypes;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Fits preprocessors in as few passes over the data as their order allows: those that do not read each other's outputs
/// are fitted together.
final class PreprocessorFitting {
    private PreprocessorFitting() {}

    /// The steps of all preprocessors, in order; each sees the columns computed by those before it.
    public static List<Step> steps(Dataset dataset, List<? extends ColumnPreprocessor> preprocessors) {
        List<Step> steps = new ArrayList<>();
        List<ColumnPreprocessor> together = new ArrayList<>();
        Set<String> made = new HashSet<>();
        Dataset data = dataset;
        Schema schema = dataset.schema();
        for (ColumnPreprocessor next : preprocessors) {
            if (next.columns().stream().anyMatch(made::contains)) {
                List<Step> learnt = pass(data, schema, together);
                steps.addAll(learnt);
                data = new Fitted(learnt).transform(data);
                schema = after(learnt, schema);
                together.clear();
                made.clear();
            }
            together.add(next);
            made.addAll(next.outputs());
        }
        steps.addAll(pass(data, schema, together));
        return steps;
    }

    /// The schema after the steps; computed without running, because a dataset with an unknown schema would have to
    /// run.
    private static Schema after(List<Step> steps, Schema before) {
        Schema schema = before;
        for (Step step : steps) {
            DataType made = ExpressionTypes.typeOf(step.expression(), schema);
            List<Field> fields =
                    new ArrayList<>(schema.with(new Field(step.output(), made)).fields());
            fields.removeIf(field -> step.dropped().contains(field.name()));
            schema = Schema.of(fields);
        }
        return schema;
    }

    private static List<Step> pass(Dataset data, Schema schema, List<ColumnPreprocessor> preprocessors) {
        Set<String> used = new LinkedHashSet<>();
        List<List<Aggregate>> wanted = new ArrayList<>();
        List<Aggregate> all = new ArrayList<>();
        Map<String, Expression> derived = new LinkedHashMap<>();
        for (ColumnPreprocessor preprocessor : preprocessors) {
            preprocessor.derived(schema).forEach(column -> derived.put(column.outputName(), column));
            List<Aggregate> statistics = preprocessor.statistics(schema);
            wanted.add(statistics);
            for (Aggregate aggregate : statistics) {
                used.add(aggregate.column());
                all.add(aggregate.as("statistic " + all.size()));
            }
        }
        Row row = all.isEmpty() ? Row.of(Map.of()) : learn(data, schema, used, derived, all);
        List<Step> steps = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < preprocessors.size(); i++) {
            Map<String, Object> known = new LinkedHashMap<>();
            for (Aggregate aggregate : wanted.get(i)) {
                known.put(aggregate.name(), row.get("statistic " + at++));
            }
            steps.addAll(preprocessors.get(i).steps(schema, Row.of(known)));
        }
        return steps;
    }

    private static Row learn(
            Dataset data,
            Schema schema,
            Set<String> used,
            Map<String, Expression> derived,
            List<Aggregate> statistics) {
        Expression[] columns = used.stream()
                .map(column -> derived.containsKey(column)
                        ? derived.get(column)
                        : schema.type(column) instanceof DataType.Float
                                ? when(col(column).isNaN())
                                        .then(lit(null))
                                        .otherwise(col(column))
                                        .as(column)
                                : col(column))
                .toArray(Expression[]::new);
        return data.select(columns)
                .aggregate(statistics.toArray(Aggregate[]::new))
                .takeAll()
                .getFirst();
    }
}
