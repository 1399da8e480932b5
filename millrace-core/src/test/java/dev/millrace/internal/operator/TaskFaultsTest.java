package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.transform.UserCode;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.settings.FaultSettings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskFaultsTest {
    private TaskRun task = failedTask();

    /// A task whose first attempt is over.
    private static TaskRun failedTask() {
        TaskRun task = new TaskRun(null, null, List.of(), 0, 0);
        task.begun(1);
        task.attemptOver(false);
        return task;
    }

    private boolean retried(FaultSettings settings, Throwable cause, boolean lost) {
        return RetryRule.decide(settings, cause, lost, task, 0.5).retry();
    }

    @Test
    void lostWorkersAreTriedAgainAtOnceUntilTheTaskHasTakenThreeWithIt() {
        for (int i = 0; i < 1000; i++) {
            assertThat(RetryRule.decide(FaultSettings.DEFAULT, new IllegalStateException(), true, task, 0))
                    .isEqualTo(RetryRule.Decision.AT_ONCE);
        }
        TaskRun poison = new TaskRun(null, null, List.of(), 0, 0);
        for (int lost = 1; lost <= 3; lost++) {
            poison.begun(1);
            poison.lostItsWorker(lost);
            poison.attemptOver(false);
            assertThat(retried(poison)).as("%s lost", lost).isEqualTo(lost < 3);
            if (lost < 3) {
                poison.retried(0);
            }
        }
    }

    private static boolean retried(TaskRun lost) {
        return RetryRule.decide(FaultSettings.DEFAULT, new IllegalStateException(), true, lost, 0)
                .retry();
    }

    @Test
    void aTaskWhoseInputIsLostIsTriedAgainAndNothingCounts() {
        for (int i = 0; i < 1000; i++) {
            assertThat(RetryRule.decide(
                            FaultSettings.DEFAULT, new BlocksLost("node-1 is gone.", List.of(0)), false, task, 0))
                    .isEqualTo(RetryRule.Decision.AT_ONCE);
        }
        assertThat(task.failures()).isZero();
        assertThat(task.lostWorkers()).isZero();
    }

    @Test
    void ioErrorsAreTriedTenTimesAndThoseOfUsersNotAtAll() {
        MillraceException io = new MillraceException(Culprit.RESOURCES, "reading", new IOException("reset"));
        for (int i = 1; i < 10; i++) {
            assertThat(retried(FaultSettings.DEFAULT, io, false)).isTrue();
        }
        assertThat(retried(FaultSettings.DEFAULT, io, false)).isFalse();
        assertThat(retried(FaultSettings.DEFAULT, UserCode.failed("map", "row 1", new IOException()), false))
                .isFalse();
    }

    @Test
    void usersErrorsAreTriedAgainByTypeSuperclassMessageAndCause() {
        RuntimeException wrapped = UserCode.failed(
                "map(f)", "row 1", new IllegalStateException("outer", new FileNotFoundException("rate limit hit")));
        for (String pattern : List.of(
                "java.io.FileNotFoundException",
                "FileNotFoundException",
                "IOException",
                "java.lang.IllegalStateException",
                "rate limit")) {
            FaultSettings settings = FaultSettings.DEFAULT.withUserRetries(1, List.of(pattern));
            task = failedTask();
            assertThat(retried(settings, wrapped, false)).as(pattern).isTrue();
            assertThat(retried(settings, wrapped, false)).as(pattern).isFalse();
        }
        task = failedTask();
        assertThat(retried(FaultSettings.DEFAULT.withUserRetries(1, List.of("SQLException")), wrapped, false))
                .isFalse();
        assertThat(retried(FaultSettings.DEFAULT.withUserRetries(5, List.of()), wrapped, false))
                .isFalse();
    }

    /// An exception that cannot be sent.
    private static final class RateLimit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        private final Object stubborn = new Object();
    }

    @Test
    void aTypeThatCouldNotTravelIsKnownByItsName() {
        Throwable arrived = FailureBytes.decode(
                FailureBytes.encode(UserCode.failed("map(f)", "row 1", new RateLimit())),
                TaskFaultsTest.class.getClassLoader());
        assertThat(retried(FaultSettings.DEFAULT.withUserRetries(1, List.of("RateLimit")), arrived, false))
                .isTrue();
    }
}
