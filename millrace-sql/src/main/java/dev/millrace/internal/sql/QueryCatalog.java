package dev.millrace.internal.sql;

import dev.millrace.SqlTable;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.impl.AbstractTable;

/// The tables that a query may name, as a Calcite schema. Names of tables and columns are case-insensitive.
final class QueryCatalog {
    private QueryCatalog() {}

    static CalciteCatalogReader of(Map<String, SqlTable> tables, RelDataTypeFactory types) {
        CalciteSchema schema = CalciteSchema.createRootSchema(false, false);
        tables.forEach((name, table) -> schema.add(name, new DatasetTable(table)));
        Properties properties = new Properties();
        properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "false");
        return new CalciteCatalogReader(schema, List.of(), types, new CalciteConnectionConfigImpl(properties));
    }

    /// A dataset with its columns. Its statistics are read by [RowEstimates].
    static final class DatasetTable extends AbstractTable {
        private final SqlTable table;
        private final Schema schema;

        DatasetTable(SqlTable table) {
            this.table = table;
            this.schema = table.dataset().schema();
        }

        SqlTable table() {
            return table;
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory types) {
            return SqlTypes.rowType(schema, types);
        }
    }
}
