package dev.millrace;

import java.util.List;
import java.util.Map;

/// Turns queries into datasets; found by the service loader.
public interface SqlProvider {
    /// The paths that a query uses as tables, `FROM 'trips.parquet'`; each is then the name of its table.
    List<String> files(String sql);

    /// The rows of a query, which begins to run when they are consumed.
    ///
    /// @param tables by their names in the query
    /// @throws dev.millrace.error.MillraceException culprit USER, with line and column, for what is wrong in the query
    ///     or not supported
    Dataset query(Session session, String sql, Map<String, SqlTable> tables);
}
