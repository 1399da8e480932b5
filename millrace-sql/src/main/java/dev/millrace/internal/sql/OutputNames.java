package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;

/// The names of a query's columns: as it says, else as it is written, `sum(fare)`. A name that comes again gets `_1`.
final class OutputNames {
    private OutputNames() {}

    /// @param query as parsed, before it is checked
    /// @param fields the names that the checked query has
    static List<String> of(String sql, SqlNode query, List<Map.Entry<Integer, String>> fields) {
        List<SqlNode> items = items(query);
        boolean written = items.size() == fields.size()
                && items.stream().noneMatch(item -> item.toString().endsWith("*"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).getValue();
            if (name.startsWith("EXPR$") && written) {
                name = text(sql, items.get(i).getParserPosition());
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

    /// Without the number that was put behind a name that both sides of a join have.
    private static String plain(String name, SqlNode item) {
        if (item == null || item.getKind() != SqlKind.IDENTIFIER) {
            return name;
        }
        String last = item.toString().substring(item.toString().lastIndexOf('.') + 1);
        return name.toLowerCase(java.util.Locale.ROOT).startsWith(last.toLowerCase(java.util.Locale.ROOT))
                        && name.length() > last.length()
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

    private static String text(String sql, SqlParserPos place) {
        List<String> lines = sql.lines().toList();
        StringBuilder text = new StringBuilder();
        for (int line = place.getLineNum(); line <= place.getEndLineNum(); line++) {
            String whole = lines.get(line - 1);
            int from = line == place.getLineNum() ? place.getColumnNum() - 1 : 0;
            int to = line == place.getEndLineNum() ? Math.min(whole.length(), place.getEndColumnNum()) : whole.length();
            text.append(line == place.getLineNum() ? "" : " ")
                    .append(whole.substring(from, to).strip());
        }
        return text.toString();
    }
}
