package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The line of a user's program that an error names comes from the stack of its function, and from no frame below it.
class UserCodeTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                RowStages.class,
                RowPipeline.class,
                RowFilter.class,
                SingleCalls.class,
                EmittingCalls.class,
                FutureCalls.class,
                ChainActor.class,
                FilterStep.class,
                ProjectStep.class,
                ErrorBisection.class
            })
    void framesBelowTheCallerOfAFunctionAreNotTheUsers(Class<?> caller) {
        Throwable cause = new ArithmeticException("overflow");
        cause.setStackTrace(new StackTraceElement[] {
            frame("java.lang.Math"), frame(caller.getName() + "$Running"), frame("com.acme.Main")
        });

        assertThat(UserCode.line(cause)).isNull();
    }

    @Test
    void theFirstFrameOfTheUserIsTheLine() {
        Throwable cause = new ArithmeticException("overflow");
        cause.setStackTrace(new StackTraceElement[] {
            frame("java.lang.Math"), frame("com.acme.Resize"), frame(ErrorBisection.class.getName())
        });

        assertThat(UserCode.line(cause)).isEqualTo("com.acme.Resize.apply(Source.java:12)");
    }

    private static StackTraceElement frame(String type) {
        return new StackTraceElement(type, "apply", "Source.java", 12);
    }
}
