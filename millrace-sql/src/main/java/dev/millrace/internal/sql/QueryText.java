package dev.millrace.internal.sql;

import dev.millrace.internal.text.QueryToken;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/// The text of a query that is rewritten in place, with a mapping to positions in the original text.
final class QueryText {
    private final String written;
    private final StringBuilder text;
    /// For each position of the current text, including its end, the position in the original text.
    private int[] places;

    QueryText(String sql) {
        written = sql;
        text = new StringBuilder(sql);
        places = new int[sql.length() + 1];
        Arrays.setAll(places, place -> place);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    List<QueryToken> tokens() {
        return QueryToken.of(text);
    }

    /// @param begin,end the range to replace, `end` exclusive; an empty range inserts
    void replace(int begin, int end, String by) {
        int[] moved = new int[places.length - (end - begin) + by.length()];
        System.arraycopy(places, 0, moved, 0, begin);
        Arrays.fill(moved, begin, begin + by.length(), places[begin]);
        System.arraycopy(places, end, moved, begin + by.length(), places.length - end);
        places = moved;
        text.replace(begin, end, by);
    }

    void quote(QueryToken word) {
        replace(word.end(), word.end(), "\"");
        replace(word.begin(), word.begin(), "\"");
    }

    /// The offset in the current text of a line and a column, both counted from 1.
    int offset(int line, int column) {
        int at = 0;
        for (int passed = 1; passed < line && at < text.length(); at++) {
            passed += isLineEnd(text, at) ? 1 : 0;
        }
        return Math.clamp(at + column - 1L, 0, text.length());
    }

    /// `\r\n` is one line end, at its second character.
    private static boolean isLineEnd(CharSequence text, int at) {
        char c = text.charAt(at);
        return c == '\n' || c == '\r' && (at + 1 == text.length() || text.charAt(at + 1) != '\n');
    }

    /// The position in the original text, such as `line 2, column 7`.
    ///
    /// @param line in the current text, from 1, like `column`
    String place(int line, int column) {
        return place(offset(line, column));
    }

    /// The same for an offset in the current text.
    String place(int offset) {
        int wanted = places[offset];
        int line = 1;
        int begin = 0;
        for (int at = 0; at < wanted; at++) {
            if (isLineEnd(written, at)) {
                line++;
                begin = at + 1;
            }
        }
        return "line " + line + ", column " + (wanted - begin + 1);
    }

    /// The original text at a position, on one line.
    String written(SqlParserPos place) {
        int from = places[offset(place.getLineNum(), place.getColumnNum())];
        int to = places[offset(place.getEndLineNum(), place.getEndColumnNum() + 1)];
        return String.join(
                " ",
                written.substring(from, Math.max(from, to))
                        .lines()
                        .map(String::strip)
                        .toList());
    }
}
