package dev.millrace.internal.parquet.read;

import dev.millrace.expression.Expression;
import dev.millrace.internal.source.FileColumns;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads Parquet files of a table; the caller plans its schema and files.
public final class TableFiles {
    /// A table's partitions and columns do not come from the paths of its files.
    private static final ReadParquet OPTIONS =
            ReadParquet.defaults().withoutPartitions().withoutChecksums();

    private TableFiles() {}

    /// Reads files sequentially.
    ///
    /// @param table every column that the filter may use
    /// @param output the projected columns; structs may have fewer fields than in `table`
    /// @param filter only rows for which it is true are returned; null for all rows
    /// @param limit the maximum number of rows needed
    /// @param name of the table; for errors
    public static SplitReader open(
            List<TableFile> files,
            Schema table,
            Schema output,
            @Nullable Expression filter,
            long limit,
            String name,
            ReadContext context) {
        KnownSchema known = new KnownSchema(table, name, Map.of(), true);
        ReadColumns all = new ReadColumns(new FileColumns(table, Set.of(), false), known);
        ParquetReadPlan plan = new ParquetReadPlan(all, all.as(output), filter, limit, OPTIONS);
        List<FilePart> parts = files.stream().map(FilePart::of).toList();
        return new ParquetReader(new ParquetSplit(plan, parts, -1, 0), context);
    }
}
