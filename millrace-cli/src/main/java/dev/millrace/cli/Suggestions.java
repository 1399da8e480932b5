package dev.millrace.cli;

import dev.millrace.internal.wording.SimilarNames;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Turns a mistake on the command line into one sentence that names the nearest words that exist.
final class Suggestions {
    /// The commands that the launcher script handles itself, before Java starts.
    private static final List<String> LAUNCHER = List.of("build", "clean", "docs", "format", "install", "test");

    private static final int MOST = 3;

    private Suggestions() {}

    static String explain(ParameterException mistake) {
        if (!(mistake instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return Objects.requireNonNullElse(mistake.getMessage(), mistake.toString());
        }
        CommandLine command = mistake.getCommandLine();
        String word = unmatched.getUnmatched().getFirst();
        if (word.startsWith("-")) {
            List<String> near = nearest(word, command.getCommandSpec().optionsMap().keySet().stream());
            return "there is no option '" + word + "'. " + choose(near, command);
        }
        if (command.getParent() != null) {
            return "'" + word + "' is one argument too many. " + choose(List.of(), command);
        }
        List<String> near = nearest(word, names(command));
        return "there is no subcommand '" + word + "'. " + choose(near, command);
    }

    private static Stream<String> names(CommandLine command) {
        TreeSet<String> names = new TreeSet<>(LAUNCHER);
        for (Map.Entry<String, CommandLine> entry : command.getSubcommands().entrySet()) {
            if (!entry.getValue().getCommandSpec().usageMessage().hidden()) {
                names.add(entry.getKey());
            }
        }
        return names.stream();
    }

    private static String choose(List<String> near, CommandLine command) {
        String help = "'" + command.getCommandSpec().qualifiedName() + " --help' lists them all.";
        return near.isEmpty() ? help : "Did you mean " + String.join(" or ", near) + "? " + help;
    }

    /// At most three words, the nearest first; words with too little similarity to `word` are omitted.
    static List<String> nearest(String word, Stream<String> words) {
        int limit = Math.max(2, word.length() / 2);
        return words.filter(
                        candidate -> candidate.startsWith(word) || SimilarNames.typingErrors(word, candidate) <= limit)
                .sorted(Comparator.comparingInt((String candidate) -> SimilarNames.typingErrors(word, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
    }
}
