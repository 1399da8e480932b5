package dev.millrace.internal.transform;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.Optional;

/// Determines whether a user's function can be shipped, and if not, which captured value prevents it: the one place
/// that words what cannot be sent to a worker.
public final class FunctionCheck {
    private FunctionCheck() {}

    /// @throws MillraceException culprit USER, naming operator, captured variable and class
    public static void requireSerialisable(String operator, Object function) {
        problem(operator, function).ifPresent(problem -> {
            throw problem;
        });
    }

    /// Why a program, or a part of one, could not be serialised.
    ///
    /// @param operator names the program
    /// @param cause what was thrown
    public static MillraceException refusal(String operator, Object program, Throwable cause) {
        Optional<MillraceException> problem = switch (program) {
            case ChainSpec chain -> problem(chain);
            case TaskPrograms.ReadProgram read ->
                problem(read.chain()).or(() -> problem("Reading " + read.split().description(), read.split()));
            case TaskPrograms.MapProgram map -> problem(map.chain());
            case TaskPrograms.ZipProgram zip -> problem(zip.chain());
            case TaskPrograms.BehindProgram behind ->
                problem(behind.chain()).or(() -> problem(operator, behind.maker()));
            case ChainActor actor -> problem(actor.chain());
            default -> Optional.empty();
        };
        return problem.or(() -> problem(operator, program))
                .orElseGet(() -> new MillraceException(
                        Culprit.INTERNAL, "a program of " + operator + " cannot be serialised: " + cause, cause));
    }

    /// The functions of a chain, each under its operator's name.
    static Optional<MillraceException> problem(ChainSpec chain) {
        for (TransformStep step : chain.steps()) {
            Optional<MillraceException> problem = switch (step) {
                case RowStep rows ->
                    rows.operations().stream()
                            .flatMap(named -> problem(named.name(), named.operation()).stream())
                            .findFirst();
                case BatchStep batches ->
                    problem(step.name(), batches.operation().function());
                case StatefulBatchStep batches ->
                    problem(step.name(), batches.step().operation().function());
                case StatefulRowStep rows ->
                    problem(step.name(), rows.operation().factory());
                default -> problem(step.name(), step);
            };
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    static Optional<MillraceException> problem(String operator, Object function) {
        return Optional.ofNullable(SerialProbe.refusal(function))
                .map(refusal ->
                        new MillraceException(Culprit.USER, operator + sentence(function, refusal), refusal.reason()));
    }

    private static String sentence(Object function, SerialProbe.Refusal refusal) {
        if (refusal.reason() instanceof StackOverflowError) {
            return " holds a chain of objects, each of which refers to the next, that is too long to be serialised. Keep"
                    + " them in a list or an array.";
        }
        Object culprit = refusal.culprit();
        if (culprit == null) {
            return " cannot be serialised (" + UnshippableObject.typeName(function) + "): " + refusal.reason();
        }
        return UnshippableObject.find(function, culprit)
                .orElseGet(() -> new UnshippableObject("", culprit, false, true))
                .sentence();
    }
}
