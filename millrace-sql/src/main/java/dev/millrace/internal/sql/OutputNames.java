package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.jspecify.annotations.Nullable;

/// Determines the names of a query's columns: the alias, otherwise the text of the expression, `sum(fare)`. A duplicate
/// name gets the suffix `_1`.
final class OutputNames {
    private OutputNames() {}

    /// @param query as parsed, before validation, which modifies it
    /// @param fields the names in the validated query
    static List<String> of(QueryParser.Parsed query, List<Map.Entry<Integer, String>> fields) {
        List<SqlNode> items = items(query.query());
        boolean written = items.size() == fields.size()
                && items.stream().noneMatch(item -> item.toString().endsWith("*"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).getValue();
            if (name.startsWith("EXPR$") && written) {
                name = query.text().written(items.get(i).getParserPosition());
            } else {
                name = plain(name, written ? items.get(i) : null);
            }
            String free = name;
            for (int j = 1; names.contains(free); j++) {
                free = name + "_" + j;
            }
            names.add(free);
        }
        return names;
    }

    /// Removes the number that was appended to a name that both sides of a join have.
    private static String plain(String name, @Nullable SqlNode item) {
        if (item == null || item.getKind() != SqlKind.IDENTIFIER) {
            return name;
        }
        String last = item.toString().substring(item.toString().lastIndexOf('.') + 1);
        return name.toLowerCase(Locale.ROOT).startsWith(last.toLowerCase(Locale.ROOT)) && name.length() > last.length()
                ? last
                : name;
    }

    private static List<SqlNode> items(SqlNode query) {
        return switch (query) {
            case SqlOrderBy ordered -> items(ordered.query);
            case SqlWith with -> items(with.body);
            case SqlSelect select -> List.copyOf(select.getSelectList());
            default -> List.of();
        };
    }
}
