package dev.millrace.internal.fault;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.RemoteFailure;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Words failures by which a class cannot be used: it is missing, or its static initialiser failed. The JDK tells them
/// by five kinds of exceptions, with names of classes in three forms.
public final class MissingClass {
    private static final int DEEPEST = 20;
    private static final Pattern NAME =
            Pattern.compile("\\[*L?(\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}./]*);?");
    private static final String UNUSABLE = "Could not initialize class ";
    /// How the JDK repeats an initialiser's failure at every later use of its class.
    private static final Pattern EARLIER = Pattern.compile("Exception (.*) \\[in thread \".*\"]", Pattern.DOTALL);

    private static final Pattern MISSING_EARLIER =
            Pattern.compile("java\\.lang\\.(?:NoClassDefFoundError|ClassNotFoundException): (\\S+)");

    private static final Pattern NEWER = Pattern.compile("(\\S+) has been compiled .*class file version (\\d+)");
    /// The class file version of Java 1, less 1.
    private static final int FIRST_CLASS_FILE = 44;

    private MissingClass() {}

    /// The class loader of the code that a worker was sent.
    public interface SentCode {
        /// The name of the worker, for errors.
        String worker();
    }

    /// What is known of a class that cannot be used.
    ///
    /// @param missing the name of the class that does not exist, or null
    /// @param initialised the name of the class whose static initialiser failed, or null
    /// @param reason of the initialiser's failure, or why a class that exists could not be fetched
    private record Finding(
            @Nullable String missing, @Nullable String initialised, String reason) {}

    /// Whether a class that cannot be used is the failure itself, and not a cause of it.
    public static boolean isOne(Throwable thrown) {
        return thrown instanceof LinkageError
                || thrown instanceof ClassNotFoundException
                || thrown instanceof TypeNotPresentException;
    }

    /// The failure as a sentence after the operator's name, if it has none yet and a class that cannot be used is the
    /// reason.
    public static Throwable worded(String operator, Throwable thrown) {
        return thrown instanceof MillraceException
                ? thrown
                : sentence(thrown)
                        .<Throwable>map(
                                text -> new MillraceException(Culprit.USER, operator + " failed: " + text, thrown))
                        .orElse(thrown);
    }

    /// A sentence about the class, if one that cannot be used is among the causes. The worker is the one whose class
    /// loader is the thread's context class loader.
    public static Optional<String> sentence(Throwable thrown) {
        Finding found = null;
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < DEEPEST; cause = cause.getCause(), depth++) {
            if (cause instanceof UnsupportedClassVersionError) {
                return tooNew(cause);
            }
            Finding here = finding(cause);
            if (here != null) {
                found = found == null ? here : merged(found, here);
            }
        }
        return Optional.ofNullable(found).map(finding -> text(finding, worker()));
    }

    /// "the class com.acme.Job was compiled for Java 26, and worker-2 has Java 25. ...".
    private static Optional<String> tooNew(Throwable thrown) {
        Matcher versions = NEWER.matcher(String.valueOf(thrown.getMessage()));
        if (!versions.find()) {
            return Optional.empty();
        }
        int compiled = Integer.parseInt(versions.group(2)) - FIRST_CLASS_FILE;
        String here = worker();
        return Optional.of("the class " + versions.group(1).replace('/', '.') + " was compiled for Java " + compiled
                + ", and " + (here == null ? "this program" : here) + " runs on Java "
                + Runtime.version().feature() + ". Run it on Java " + compiled
                + " or newer, or compile it with --release " + Runtime.version().feature() + ".");
    }

    private static @Nullable String worker() {
        return Thread.currentThread().getContextClassLoader() instanceof SentCode code ? code.worker() : null;
    }

    private static @Nullable Finding finding(Throwable thrown) {
        String kind = thrown instanceof RemoteFailure remote
                ? remote.originalClass()
                : thrown.getClass().getName();
        String message = thrown.getMessage() == null ? "" : thrown.getMessage();
        return switch (thrown) {
            case TypeNotPresentException absent -> missing(absent.typeName());
            case ExceptionInInitializerError failed -> initialiser(failed);
            case ClassNotFoundException lost
            when lost.getCause() instanceof IOException reason ->
                new Finding(message, null, String.valueOf(reason.getMessage()));
            case Throwable _
            when thrown instanceof ClassNotFoundException || kind.equals("java.lang.ClassNotFoundException") ->
                missing(message);
            case Throwable _
            when kind.equals("java.lang.NoClassDefFoundError") ->
                message.startsWith(UNUSABLE)
                        ? new Finding(null, message.substring(UNUSABLE.length()), "")
                        : missing(message);
            default -> null;
        };
    }

    private static @Nullable Finding missing(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? new Finding(matcher.group(1).replace('/', '.'), null, "") : null;
    }

    private static Finding initialiser(ExceptionInInitializerError failed) {
        Throwable cause = failed.getCause();
        if (cause != null) {
            return new Finding(null, initialised(failed, cause), cause.toString());
        }
        // A repetition: the text is all that is left of the cause.
        Matcher earlier = EARLIER.matcher(failed.getMessage() == null ? "" : failed.getMessage());
        String reason = earlier.matches() ? earlier.group(1) : "";
        Matcher lost = MISSING_EARLIER.matcher(reason);
        return lost.matches()
                ? new Finding(lost.group(1).replace('/', '.'), null, "")
                : new Finding(null, null, reason);
    }

    private static @Nullable String initialised(Throwable failed, Throwable cause) {
        return Stream.of(cause, failed)
                .flatMap(thrown -> Stream.of(thrown.getStackTrace()))
                .filter(frame -> frame.getMethodName().equals("<clinit>"))
                .map(StackTraceElement::getClassName)
                .findFirst()
                .orElse(null);
    }

    /// The outer one may be a class whose initialiser needs the inner one.
    private static Finding merged(Finding outer, Finding inner) {
        return new Finding(
                inner.missing == null ? outer.missing : inner.missing,
                outer.initialised == null ? inner.initialised : outer.initialised,
                inner.reason.isEmpty() ? outer.reason : inner.reason);
    }

    private static String text(Finding finding, @Nullable String worker) {
        String on = worker == null ? "" : " on " + worker;
        if (finding.missing != null && finding.initialised == null && !finding.reason.isEmpty()) {
            return "the class " + finding.missing + " could not be brought to "
                    + (worker == null ? "the worker" : worker) + ": " + finding.reason + ".";
        }
        if (finding.missing != null) {
            String forWhom = finding.initialised == null
                    ? ""
                    : "; the static initialiser of " + finding.initialised + " needs it";
            return "the class " + finding.missing + " is missing" + on + forWhom + ". "
                    + (worker == null
                            ? "Add the jar or folder that holds it to the class path of the program."
                            : "Workers have what is on the class path of the program that started the run: add the jar or"
                                    + " folder that holds it there, and start the program again.");
        }
        return "the static initialiser of " + (finding.initialised == null ? "a class" : finding.initialised)
                + " failed" + on + (finding.reason.isEmpty() ? "" : ": " + finding.reason) + "."
                + (worker == null
                        ? ""
                        : " It runs once in each worker, where files, settings and static variables of the program that"
                                + " started the run may be missing.");
    }
}
