package dev.millrace.iceberg;

import java.util.Map;
import org.apache.iceberg.Table;

/// The entry point for reading and writing Iceberg tables.
///
/// ```java
/// session.read(Iceberg.table(table).asOf(yesterday)).filter(col("fare").gt(50))
/// dataset.write(Iceberg.catalog(properties).table("db.trips").append())
/// ```
public final class Iceberg {
    private Iceberg() {}

    /// A table that the program loaded from a catalog of its own. It is read at its current snapshot at the time of
    /// this call.
    public static IcebergTable table(Table table) {
        return IcebergTable.of(table);
    }

    /// A catalog by its properties, those of Iceberg's documentation: `type` (`rest`, `jdbc`) or `catalog-impl`, `uri`,
    /// `warehouse` and others. Unless `io-impl` is set, its files are accessed by [StorageFileIO].
    public static IcebergCatalog catalog(Map<String, String> properties) {
        return new IcebergCatalog("millrace", properties);
    }

    /// A catalog with a name: a JDBC catalog keeps the tables of different catalog names apart.
    public static IcebergCatalog catalog(String name, Map<String, String> properties) {
        return new IcebergCatalog(name, properties);
    }
}
