package dev.millrace.internal.parquet.read;

import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.UsedFields;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a read is to give, of whichever file.
///
/// @param all every column there could be; the filter may use ones that are not in the output
/// @param output the columns wanted
/// @param filter only rows where it is true; null: all
/// @param limit no more rows than this are needed of a split
/// @param options of the read
/// @param encoded columns that may come as dictionaries of their values
/// @param pageIndex of what use the page index is to the filter; shared by what reads in this process
record ParquetReadPlan(
        ReadColumns all,
        ReadColumns output,
        Expression filter,
        long limit,
        ReadParquet options,
        Set<String> encoded,
        PageIndexUse pageIndex)
        implements Serializable {
    /// All columns as they are.
    ParquetReadPlan(ReadColumns all, ReadColumns output, Expression filter, long limit, ReadParquet options) {
        this(all, output, filter, limit, options, Set.of(), new PageIndexUse());
    }

    /// The same columns, of which these may come as dictionaries of their values.
    ParquetReadPlan encoded(Set<String> names) {
        return new ParquetReadPlan(all, output, filter, limit, options, Set.copyOf(names), pageIndex);
    }

    ParquetReadPlan project(List<String> names) {
        return new ParquetReadPlan(all, output.project(names), filter, limit, options, encoded, pageIndex);
    }

    /// The same columns, structs with fewer fields.
    ParquetReadPlan narrow(Schema narrower) {
        return new ParquetReadPlan(all, output.as(narrower), filter, limit, options, encoded, pageIndex);
    }

    ParquetReadPlan and(Expression more) {
        Expression both = filter == null ? more : filter.and(more);
        return new ParquetReadPlan(all, output, both, limit, options, encoded, new PageIndexUse());
    }

    ParquetReadPlan limit(long rows) {
        return new ParquetReadPlan(all, output, filter, Math.min(limit, rows), options, encoded, pageIndex);
    }

    /// The plan for a file of which some columns are known without reading them.
    ParquetReadPlan with(Set<String> constants) {
        return new ParquetReadPlan(
                all.with(constants), output.with(constants), filter, limit, options, encoded, pageIndex);
    }

    Schema schema() {
        return output.output();
    }

    /// The columns of the output, and behind them those that only the filter reads.
    ReadColumns needed() {
        if (filter == null) {
            return output;
        }
        Map<String, Field> fields = new LinkedHashMap<>();
        schema().fields().forEach(field -> fields.put(field.name(), field));
        for (Field seen : seenBy(filter).output().fields()) {
            // The filter may look at fields that the output leaves out.
            fields.merge(seen.name(), seen, (a, b) -> new Field(a.name(), Types.unify(a.type(), b.type())));
        }
        return all.as(Schema.of(new ArrayList<>(fields.values())));
    }

    /// The columns that an expression of the filter looks at; of structs the fields.
    ReadColumns seenBy(Expression part) {
        ReadColumns columns = all.project(new ArrayList<>(part.columns()));
        UsedFields used = new UsedFields();
        used.add(part);
        return columns.as(used.narrow(columns.output()));
    }

    /// Null without a filter.
    GroupPruning pruning(FileSchema file) {
        return filter == null ? null : new GroupPruning(filter, all, file, pageIndex);
    }

    /// Whether rows of this file may pass the filter, as far as its path tells.
    boolean mayPass(String file) {
        Set<String> ofPath = all.constants();
        List<Expression> parts = filter.conjuncts().stream()
                .filter(part -> !part.columns().isEmpty() && ofPath.containsAll(part.columns()))
                .toList();
        if (parts.isEmpty()) {
            return true;
        }
        FileConstants constants = FileConstants.of(file, options.files().hive());
        return parts.stream()
                .allMatch(part -> constants.passes(
                        part, all.project(new ArrayList<>(part.columns())).output()));
    }
}
