package dev.millrace.internal.transform;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.regex.Pattern;

/// A verb of the user's program and its line, for the errors of the tasks that execute it: these run far from the call,
/// and often know a column or a group, but not which of the program's verbs it was.
///
/// @param verb as stats name it: `sort(fare)`
/// @param site see [CallSite]
public record VerbSite(String verb, String site) implements Serializable {
    /// " (sort(fare) at Main:42)", to be appended to a sentence; empty if the line is not known.
    public String suffix() {
        return site.isEmpty() ? "" : " (" + verb + CallSite.suffix(site) + ")";
    }

    private boolean isIn(String sentence) {
        return Pattern.compile(Pattern.quote(site) + "(?!\\d)")
                .matcher(sentence)
                .find();
    }

    /// The error with the verb appended to its sentence, unless it has the line already.
    public MillraceException named(MillraceException failure) {
        return site.isEmpty() || isIn(failure.getMessage())
                ? failure
                : new MillraceException(failure.culprit(), failure.getMessage() + suffix(), failure);
    }
}
