package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParserPos;

/// The text of a query, in which names may be put into quotes, and places of it as they were written.
final class QueryText {
    private final List<String> written;
    private final List<StringBuilder> lines = new ArrayList<>();
    /// For each line where quotes were put, as positions that they have now, ascending.
    private final List<List<Integer>> quotes = new ArrayList<>();

    QueryText(String sql) {
        written = sql.lines().toList();
        for (String line : written) {
            lines.add(new StringBuilder(line));
            quotes.add(new ArrayList<>());
        }
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }

    int lines() {
        return lines.size();
    }

    CharSequence line(int line) {
        return lines.get(line);
    }

    void quote(int line, int begin, int end) {
        lines.get(line).insert(end, '"').insert(begin, '"');
        List<Integer> moved = new ArrayList<>();
        for (int at : quotes.get(line)) {
            moved.add(at < begin ? at : at < end ? at + 1 : at + 2);
        }
        moved.add(begin);
        moved.add(end + 1);
        moved.sort(null);
        quotes.set(line, moved);
    }

    /// Quotes around the functions that the grammar would take for something else.
    void quoteCalls(Set<String> functions) {
        boolean inText = false;
        for (int i = 0; i < lines.size(); i++) {
            StringBuilder line = lines.get(i);
            for (int at = 0; at < line.length(); at++) {
                char c = line.charAt(at);
                if (c == '\'') {
                    inText = !inText;
                } else if (inText) {
                    continue;
                } else if (c == '"') {
                    int close = line.indexOf("\"", at + 1);
                    at = close < 0 ? line.length() : close;
                } else if (c == '-' && at + 1 < line.length() && line.charAt(at + 1) == '-') {
                    break;
                } else if (Character.isLetter(c) || c == '_') {
                    int end = wordEnd(line, at);
                    String word = line.substring(at, end).toLowerCase(Locale.ROOT);
                    if (functions.contains(word) && isCall(line, end)) {
                        quote(i, at, end);
                        end += 2;
                    }
                    at = end - 1;
                }
            }
        }
    }

    private static boolean isCall(CharSequence line, int end) {
        int at = end;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at < line.length() && line.charAt(at) == '(';
    }

    static int wordEnd(CharSequence line, int begin) {
        int end = Math.min(begin, line.length());
        while (end < line.length() && (Character.isLetterOrDigit(line.charAt(end)) || line.charAt(end) == '_')) {
            end++;
        }
        return end;
    }

    /// Such as `line 2, column 7`, as it was written.
    ///
    /// @param line from 1, as `column`
    String place(int line, int column) {
        return "line " + line + ", column " + (line < 1 || line > lines.size() ? column : column(line, column));
    }

    private int column(int line, int column) {
        int before = 0;
        for (int at : quotes.get(line - 1)) {
            before += at < column - 1 ? 1 : 0;
        }
        return column - before;
    }

    /// What was written at a place, in one line.
    String written(SqlParserPos place) {
        StringBuilder text = new StringBuilder();
        for (int line = place.getLineNum(); line <= place.getEndLineNum(); line++) {
            String whole = written.get(line - 1);
            int from = line == place.getLineNum() ? column(line, place.getColumnNum()) - 1 : 0;
            int to = line == place.getEndLineNum()
                    ? Math.min(whole.length(), column(line, place.getEndColumnNum() + 1) - 1)
                    : whole.length();
            text.append(line == place.getLineNum() ? "" : " ")
                    .append(whole.substring(Math.min(from, to), to).strip());
        }
        return text.toString();
    }
}
