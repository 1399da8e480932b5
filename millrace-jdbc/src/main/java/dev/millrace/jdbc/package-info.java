/// Tables of databases: `session.read(Jdbc.connect(url).query("SELECT ..."))` and
/// `dataset.write(Jdbc.connect(url).table("trips"))`. Any driver on the class path.
@NullMarked
package dev.millrace.jdbc;

import org.jspecify.annotations.NullMarked;
