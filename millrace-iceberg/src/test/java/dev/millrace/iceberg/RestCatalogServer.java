package dev.millrace.iceberg;

import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/// The reference implementation of Iceberg's REST catalog, on a port of its own, with tables in a folder.
final class RestCatalogServer implements AutoCloseable {
    private final Server server = new Server(0);

    RestCatalogServer(Path folder) throws Exception {
        Catalog tables = CatalogUtil.buildIcebergCatalog(
                "behind",
                Map.of(
                        CatalogUtil.ICEBERG_CATALOG_TYPE,
                        CatalogUtil.ICEBERG_CATALOG_TYPE_JDBC,
                        CatalogProperties.URI,
                        "jdbc:sqlite:" + folder.resolve("catalog.db") + "?busy_timeout=60000",
                        CatalogProperties.WAREHOUSE_LOCATION,
                        "file://" + folder.resolve("warehouse"),
                        CatalogProperties.FILE_IO_IMPL,
                        StorageFileIO.class.getName()),
                null);
        var context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(tables))), "/*");
        server.setHandler(context);
        server.start();
    }

    /// A catalog of the program's, which knows nothing but the address.
    IcebergCatalog connect() {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        return Iceberg.catalog("test", Map.of("type", "rest", "uri", "http://127.0.0.1:" + port));
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
