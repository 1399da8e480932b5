/// Tables of databases: `session.read(Jdbc.connect(url).query("SELECT ..."))` and
/// `dataset.write(Jdbc.connect(url).table("trips"))`. Works with any JDBC driver on the class path.
@NullMarked
package dev.millrace.jdbc;

import org.jspecify.annotations.NullMarked;
