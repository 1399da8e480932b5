package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Random rows in bundles of blocks, one for each map task: `id` counts from 0, other columns have few values.
final class RandomBundles implements AutoCloseable {
    final List<Field> fields = new ArrayList<>();
    final List<List<Object>> columns = new ArrayList<>();
    final List<List<Block>> bundles = new ArrayList<>();
    private final int rows;

    /// @param others the columns beside `id`
    RandomBundles(RandomCase each, int rows, List<Field> others) {
        this(
                each,
                rows,
                others,
                others.stream().map(field -> each.values(field.type(), rows)).toList());
    }

    /// @param values of the others
    RandomBundles(RandomCase each, int rows, List<Field> others, List<List<Object>> values) {
        this.rows = rows;
        fields.add(new Field("id", DataType.INT64));
        List<Object> ids = new ArrayList<>();
        for (long id = 0; id < rows; id++) {
            ids.add(id);
        }
        columns.add(ids);
        fields.addAll(others);
        columns.addAll(values);
        try (Block all = each.block(fields, columns)) {
            for (Block bundle : each.pieces(all, 5)) {
                bundles.add(each.pieces(bundle, 4));
                bundle.close();
            }
        }
        each.about(rows + " rows of " + fields + " in bundles of "
                + bundles.stream()
                        .map(bundle -> bundle.stream().map(Block::rows).toList())
                        .toList());
    }

    Schema schema() {
        return Schema.of(fields);
    }

    int rows() {
        return rows;
    }

    Object value(String column, int row) {
        return columns.get(schema().indexOf(column)).get(row);
    }

    /// The values of some columns of a row in one form.
    List<Object> key(List<String> names, int row) {
        List<Object> key = new ArrayList<>();
        names.forEach(name -> key.add(OracleValues.normal(value(name, row))));
        return key;
    }

    /// All values of a row in one form.
    List<Object> row(int row) {
        return key(schema().names(), row);
    }

    @Override
    public void close() {
        bundles.forEach(bundle -> bundle.forEach(Block::close));
    }
}
