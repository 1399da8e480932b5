package dev.millrace.cli;

import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;

/// Tells the line reader when an entry is complete: a statement at its semicolon, a command at the end of its line. The
/// words that it completes end at blanks, commas, brackets, dots and operators; quotes belong to a word.
final class SqlLineParser implements Parser {
    private static final String BREAKS = " \t\r\n,()=<>+*%;|";

    private final DefaultParser words = new DefaultParser();

    SqlLineParser() {
        words.setQuoteChars(new char[] {});
        words.setEscapeChars(new char[] {});
        words.setEofOnUnclosedQuote(false);
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && !isComplete(line)) {
            throw new EOFError(-1, cursor, "the statement has no semicolon yet", "");
        }
        if (context != ParseContext.COMPLETE) {
            return words.parse(line, cursor, context);
        }
        int from = cursor;
        while (from > 0 && BREAKS.indexOf(line.charAt(from - 1)) < 0) {
            from--;
        }
        return new CompletedWord(line, cursor, line.substring(from, cursor));
    }

    @Override
    public boolean isEscapeChar(char letter) {
        return false;
    }

    static boolean isComplete(String line) {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("\\") || text.equalsIgnoreCase("quit") || text.equalsIgnoreCase("exit")) {
            return true;
        }
        SqlStatements statements = SqlStatements.of(line);
        return statements.rest().isEmpty() && !statements.restIsOpen();
    }

    /// The word before the cursor, all of which is replaced by a completion.
    private record CompletedWord(String line, int cursor, String word) implements ParsedLine {
        @Override
        public int wordCursor() {
            return word.length();
        }

        @Override
        public int wordIndex() {
            return 0;
        }

        @Override
        public List<String> words() {
            return List.of(word);
        }
    }
}
