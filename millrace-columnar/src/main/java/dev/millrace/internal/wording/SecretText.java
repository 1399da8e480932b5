package dev.millrace.internal.wording;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Hides the passwords and keys that addresses contain in texts that are shown to people (messages, plans, stats, names
/// of threads, manifests). Every error passes through here; code that derives a name from an address must call it
/// itself.
public final class SecretText {
    private static final String HIDDEN = "***";

    /// `scheme://user:password@`. The part before the `@` of an s3 path is the name of a profile.
    private static final Pattern USER =
            Pattern.compile("\\b([a-z][a-z0-9+.-]*)://([^\\s/?#'\"]*)@", Pattern.CASE_INSENSITIVE);

    /// `jdbc:oracle:thin:user/password@`
    private static final Pattern USER_AND_PASSWORD =
            Pattern.compile("\\b(jdbc:(?:[a-z0-9]+:){1,3})[^\\s/@'\":]+/[^\\s'\"]+@", Pattern.CASE_INSENSITIVE);

    /// `password=...`, `X-Amz-Signature=...`: up to the end of the parameter, without the punctuation of the sentence.
    private static final Pattern PARAMETER = Pattern.compile(
            "([\\w.%-]*(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|account[_-]?key|signature"
                    + "|credential|access[_-]token|auth[_-]token|security[_-]token|refresh[_-]token)[\\w.-]*"
                    + "|(?<=[?&;])(?:token|sig|key|pass|code))="
                    + "('[^']*'|\"[^\"]*\"|\\{[^}]*\\}|[^&;\\s'\"]+?(?=[).,:\\]]*(?:[&;\\s'\"]|$)))",
            Pattern.CASE_INSENSITIVE);

    /// A failure that copies itself with another message.
    public interface Reworded {
        Throwable reworded(@Nullable String message, @Nullable Throwable cause);
    }

    private SecretText() {}

    /// The text with secrets replaced by stars. Null, which unchecked code may pass, stays null.
    public static String hide(String text) {
        if (text == null || text.indexOf('=') < 0 && text.indexOf('@') < 0) {
            return text;
        }
        String shown = text;
        if (shown.indexOf('@') >= 0) {
            shown = USER_AND_PASSWORD.matcher(shown).replaceAll("$1" + Matcher.quoteReplacement(HIDDEN + "@"));
            shown = USER.matcher(shown)
                    .replaceAll(found -> Matcher.quoteReplacement(user(found.group(1), found.group(2))));
        }
        return shown.indexOf('=') < 0
                ? shown
                : PARAMETER.matcher(shown).replaceAll("$1=" + Matcher.quoteReplacement(HIDDEN));
    }

    private static String user(String scheme, String user) {
        boolean profile = scheme.equalsIgnoreCase("s3") && user.indexOf(':') < 0;
        return scheme + "://" + (profile ? user : HIDDEN) + "@";
    }

    /// The display name of a database URL: without parameters, any of which may be secret, and without users.
    public static String databaseName(String url) {
        String plain = url.split("[?;]", 2)[0];
        int host = plain.indexOf("//");
        int user = plain.lastIndexOf('@');
        // A password may contain slashes that should have been escaped.
        return hide(user > host && host >= 0 ? plain.substring(0, host + 2) + plain.substring(user + 1) : plain);
    }

    /// A failure without secrets in its message and causes: the failure itself, if there are none. Only failures of
    /// drivers and of IO are rewritten: they quote addresses, and no code needs more of them than what is kept here.
    @SuppressWarnings("ReferenceEquality") // the same object: nothing was rewritten
    public static Throwable hide(Throwable failure) {
        Throwable before = failure.getCause();
        Throwable cause = before == null || before == failure ? null : hide(before);
        String own = failure.getMessage();
        String message = own == null ? null : hide(own);
        boolean same = cause == before && (message == null || message.equals(own));
        Throwable shown = same ? failure : rewritten(failure, message, cause);
        if (shown != failure) {
            shown.setStackTrace(failure.getStackTrace());
        }
        return shown;
    }

    private static Throwable rewritten(Throwable failure, @Nullable String message, @Nullable Throwable cause) {
        return switch (failure) {
            case Reworded own -> own.reworded(message, cause);
            // Local paths; the type of the failure determines whether it is retried.
            case FileSystemException _, FileNotFoundException _, InterruptedIOException _ -> failure;
            case IOException _ -> new IOException(message, cause);
            case SQLException sql -> new SQLException(message, sql.getSQLState(), sql.getErrorCode(), cause);
            default -> failure;
        };
    }
}
