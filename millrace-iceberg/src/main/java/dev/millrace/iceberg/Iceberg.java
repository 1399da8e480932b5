package dev.millrace.iceberg;

import java.util.Map;
import org.apache.iceberg.Table;

/// Where reading and writing of Iceberg tables begin.
///
/// ```java
/// session.read(Iceberg.table(table).asOf(yesterday)).filter(col("fare").gt(50))
/// dataset.write(Iceberg.catalog(properties).table("db.trips").append())
/// ```
public final class Iceberg {
    private Iceberg() {}

    /// A table that the program got from a catalog of its own. It is read at the snapshot that is its current one now.
    public static IcebergTable table(Table table) {
        return IcebergTable.of(table);
    }

    /// A catalog by its properties, those of Iceberg's documentation: `type` (`rest`, `jdbc`) or `catalog-impl`, `uri`,
    /// `warehouse` and others. Unless `io-impl` names something else, its files are reached by [StorageFileIO].
    public static IcebergCatalog catalog(Map<String, String> properties) {
        return new IcebergCatalog("millrace", properties);
    }

    /// A catalog that others call `name`: a JDBC catalog keeps the tables of each name apart.
    public static IcebergCatalog catalog(String name, Map<String, String> properties) {
        return new IcebergCatalog(name, properties);
    }
}
