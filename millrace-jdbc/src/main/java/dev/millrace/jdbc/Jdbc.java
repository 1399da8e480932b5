package dev.millrace.jdbc;

import dev.millrace.internal.wording.SecretText;
import dev.millrace.sink.WriteMode;
import java.sql.DriverManager;

/// A database, and where reading and writing of it begin.
public final class Jdbc {
    private final Connections connections;
    private final String name;

    private Jdbc(Connections connections, String name) {
        this.connections = connections;
        this.name = name;
    }

    /// A database, by its address; a connection is made where one is needed.
    ///
    /// @param url of the driver's own form: "jdbc:postgresql://host/db"
    public static Jdbc connect(String url) {
        return new Jdbc(() -> DriverManager.getConnection(url), SecretText.databaseName(url));
    }

    /// A database by its address, with a user; either may be null.
    public static Jdbc connect(String url, String user, String password) {
        return new Jdbc(() -> DriverManager.getConnection(url, user, password), SecretText.databaseName(url));
    }

    /// Connections of the program's own making. The function is sent to workers, so what it captures must be
    /// serialisable.
    public static Jdbc connect(Connections connections) {
        return new Jdbc(connections, "database");
    }

    /// Rows of a query.
    public JdbcQuery query(String sql) {
        return new JdbcQuery(connections, name, sql, null, JdbcQuery.DEFAULT_FETCH);
    }

    /// A table to write to.
    public JdbcTable table(String table) {
        return new JdbcTable(connections, name, table, WriteMode.APPEND, false, null, JdbcTable.DEFAULT_BATCH);
    }
}
