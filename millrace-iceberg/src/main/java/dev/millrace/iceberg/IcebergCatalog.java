package dev.millrace.iceberg;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;

/// A catalog of tables. Its connections stay open until [#close]; its tables can be used until then.
public final class IcebergCatalog implements AutoCloseable {
    private final String name;
    private final Catalog catalog;

    IcebergCatalog(String name, Map<String, String> properties) {
        this.name = name;
        Map<String, String> all = new HashMap<>(properties);
        all.putIfAbsent(CatalogProperties.FILE_IO_IMPL, StorageFileIO.class.getName());
        try {
            this.catalog = CatalogUtil.buildIcebergCatalog(name, all, null);
        } catch (RuntimeException | LinkageError e) {
            throw new MillraceException(
                    Culprit.USER,
                    "The Iceberg catalog '" + name + "' (type " + properties.get(CatalogUtil.ICEBERG_CATALOG_TYPE)
                            + ") could not be opened: " + e.getMessage() + hint(e),
                    e);
        }
    }

    private static String hint(Throwable e) {
        return String.valueOf(e).contains("hadoop")
                ? " Catalogs of type hadoop and hive need Hadoop on the class path; rest and jdbc do not."
                : "";
    }

    /// A table of the catalog, in its current state.
    ///
    /// @param identifier with dots between namespaces and table: "db.trips"
    public IcebergTable table(String identifier) {
        try {
            return IcebergTable.of(catalog.loadTable(TableIdentifier.parse(identifier)));
        } catch (NoSuchTableException e) {
            throw new MillraceException(
                    Culprit.USER, "There is no table '" + identifier + "' in the Iceberg catalog '" + name + "'.", e);
        }
    }

    /// The library's own catalog, to create and alter tables.
    public Catalog unwrap() {
        return catalog;
    }

    @Override
    public void close() {
        if (catalog instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
