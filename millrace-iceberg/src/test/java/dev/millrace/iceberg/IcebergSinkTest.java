package dev.millrace.iceberg;

import java.util.Map;

/// What every sink does, through a database as the catalog.
class IcebergSinkTest extends TableSinkContract {
    @Override
    protected IcebergCatalog connect() {
        return Iceberg.catalog(
                "test",
                Map.of(
                        "type", "jdbc",
                        "uri", "jdbc:sqlite:" + folder.resolve("catalog.db") + "?busy_timeout=60000",
                        "warehouse", "file://" + folder.resolve("warehouse")));
    }
}
