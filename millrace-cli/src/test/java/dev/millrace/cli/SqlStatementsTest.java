package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlStatementsTest {
    @Test
    void semicolonsInQuotesAndCommentsEndNothing() {
        SqlStatements split = SqlStatements.of("SELECT ';', \";\" -- a; b\nFROM t; /* ; */ SELECT 2;\n -- end\n");
        assertThat(split.complete()).containsExactly("SELECT ';', \";\" -- a; b\nFROM t", "/* ; */ SELECT 2");
        assertThat(split.rest()).isEmpty();
        assertThat(split.restIsOpen()).isFalse();
    }

    @Test
    void theLastStatementNeedsNoSemicolon() {
        assertThat(SqlStatements.of("SELECT 1; SELECT 2").all()).containsExactly("SELECT 1", "SELECT 2");
        assertThat(SqlStatements.of(" ;; -- nothing\n").all()).isEmpty();
    }

    @Test
    void anOpenQuoteOrCommentIsNotTheEnd() {
        assertThat(SqlStatements.of("SELECT 'a;").restIsOpen()).isTrue();
        assertThat(SqlStatements.of("SELECT 1 /* ;").restIsOpen()).isTrue();
        assertThat(SqlStatements.of("SELECT 1; -- done").restIsOpen()).isFalse();
    }

    @Test
    void anEntryIsCompleteAtItsSemicolonAndACommandAtItsLine() {
        assertThat(SqlLineParser.isComplete("SELECT 1")).isFalse();
        assertThat(SqlLineParser.isComplete("SELECT ';")).isFalse();
        assertThat(SqlLineParser.isComplete("SELECT 1;")).isTrue();
        assertThat(SqlLineParser.isComplete("SELECT 1; -- one")).isTrue();
        assertThat(SqlLineParser.isComplete("\\d trips")).isTrue();
        assertThat(SqlLineParser.isComplete("quit")).isTrue();
        assertThat(SqlLineParser.isComplete("")).isTrue();
    }
}
