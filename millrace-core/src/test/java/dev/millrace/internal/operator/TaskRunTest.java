package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.BlockMetadata;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.operator.TaskRun.State;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The states of a task by the events that happen to it, each state with each event, those of its delivery included.
class TaskRunTest {
    /// The state after each event, by the state before it; `-` where it must not happen.
    private static final String TABLE = """
            event          NEW      RUNNING  PAUSED   OVER     RETRYING ENDED
            begun          RUNNING  -        -        -        RUNNING  -
            submittedAs    -        RUNNING  -        -        -        -
            assigned       -        RUNNING  -        -        -        -
            placed         -        RUNNING  -        -        -        -
            moves          -        RUNNING  PAUSED   -        -        -
            granted        -        RUNNING  -        -        -        -
            received       -        RUNNING  -        -        -        -
            cameAside      -        RUNNING  -        -        -        -
            madeAgain      -        RUNNING  -        -        -        -
            delivered      -        RUNNING  -        -        -        -
            holds          -        RUNNING  -        -        -        -
            expects        -        RUNNING  -        -        -        -
            expectsLess    -        RUNNING  PAUSED   -        -        -
            paused         -        PAUSED   -        -        -        -
            resumed        -        -        RUNNING  -        -        -
            taken          -        RUNNING  PAUSED   OVER     RETRYING ENDED
            takenBack      -        -        -        OVER     -        -
            attemptOver    -        OVER     OVER     -        -        -
            failedByIo     -        -        -        OVER     -        -
            failedByUser   -        -        -        OVER     -        -
            retried        -        -        -        RETRYING -        -
            ended          -        -        -        ENDED    ENDED    -
            """;

    private static TaskRun newTask() {
        return new TaskRun(null, null, List.of(), 0, 0);
    }

    /// A task in this state that has one unread block of five rows, unless it is new.
    private static TaskRun in(State state) {
        TaskRun task = newTask();
        if (state == State.NEW) {
            return task;
        }
        task.begun(1);
        task.delivery().received();
        task.delivery().delivered(5);
        switch (state) {
            case RUNNING -> {}
            case PAUSED -> task.paused();
            case OVER -> task.attemptOver(false);
            case RETRYING -> {
                task.attemptOver(false);
                task.retried(0);
            }
            case ENDED -> {
                task.attemptOver(false);
                task.ended(null);
            }
            case NEW -> throw new AssertionError();
        }
        assertThat(task.state()).isEqualTo(state);
        return task;
    }

    private static Consumer<TaskRun> event(String name) {
        return switch (name) {
            case "begun" -> task -> task.begun(1);
            case "submittedAs" -> task -> task.submittedAs(7);
            case "assigned" -> task -> task.assigned(null);
            case "placed" -> task -> task.placed(null);
            case "moves" -> TaskRun::moves;
            case "granted" -> task -> task.delivery().granted(1);
            case "received" ->
                task -> {
                    if (task.state() == State.RUNNING) {
                        task.delivery().granted(1);
                    }
                    task.delivery().received();
                };
            case "cameAside" -> task -> task.delivery().cameAside();
            case "madeAgain" -> task -> task.delivery().madeAgain(1);
            case "delivered" -> task -> task.delivery().delivered(1);
            case "holds" -> task -> task.delivery().holds(BlockSlice.whole(new EmptyBlock()));
            case "expects" -> task -> task.expects(10, 5);
            case "expectsLess" -> task -> task.expectsLess(1);
            case "paused" -> TaskRun::paused;
            case "resumed" -> task -> task.resumed(1);
            case "taken" -> task -> task.delivery().taken();
            case "takenBack" -> task -> task.delivery().takenBack(5);
            case "attemptOver" -> task -> task.attemptOver(true);
            case "failedByIo" -> TaskRun::failedByIo;
            case "failedByUser" -> TaskRun::failedByUser;
            case "retried" -> task -> task.retried(9);
            case "ended" -> task -> task.ended("told");
            default -> throw new AssertionError(name);
        };
    }

    @TestFactory
    List<DynamicTest> everyStateMeetsEveryEvent() {
        List<String[]> lines =
                TABLE.lines().map(line -> line.trim().split(" +")).toList();
        String[] states = lines.getFirst();
        assertThat(states).hasSize(1 + State.values().length);
        List<DynamicTest> tests = new ArrayList<>();
        for (String[] line : lines.subList(1, lines.size())) {
            for (int i = 1; i < states.length; i++) {
                State before = State.valueOf(states[i]);
                String after = line[i];
                tests.add(
                        DynamicTest.dynamicTest(line[0] + " in " + before, () -> check(before, event(line[0]), after)));
            }
        }
        return tests;
    }

    private static void check(State before, Consumer<TaskRun> event, String after) {
        TaskRun task = in(before);
        if (!after.equals("-")) {
            event.accept(task);
            assertThat(task.state()).isEqualTo(State.valueOf(after));
            return;
        }
        assertThatThrownBy(() -> event.accept(task))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.INTERNAL))
                .hasMessageStartingWith("A task was ")
                .hasMessageEndingWith(" in state " + before + ".");
        assertThat(task.state()).as("nothing has changed").isEqualTo(before);
    }

    @Test
    void anIllegalEventIsNamedWithTheState() {
        assertThatThrownBy(() -> in(State.ENDED).delivery().granted(1))
                .hasMessage("A task was granted credit in state ENDED.");
        assertThatThrownBy(() -> in(State.RUNNING).delivery().received())
                .hasMessage("A task was handed a block more than the 1 that it was granted in state RUNNING.");
    }

    @Test
    void theFirstAttemptGivesItsAgeAndTheLastItsId() {
        TaskRun task = newTask();
        task.begun(1);
        task.submittedAs(4);
        task.attemptOver(false);
        task.retried(12);
        assertThat(task.notBefore()).isEqualTo(12);
        task.begun(1);
        task.submittedAs(6);
        assertThat(task.first()).isEqualTo(4);
        assertThat(task.id()).isEqualTo(6);
    }

    @Test
    void whatIsExpectedShrinksWithWhatIsMade() {
        TaskRun task = newTask();
        task.begun(1);
        task.expects(100, 40);
        task.expectsLess(30);
        assertThat(task.expectedBytes()).isEqualTo(70);
        assertThat(task.likelyBytes()).isEqualTo(10);
        task.expectsLess(90);
        assertThat(task.expectedBytes()).isZero();
        assertThat(task.likelyBytes()).isZero();
    }

    private static final class EmptyBlock extends BlockRef {
        EmptyBlock() {
            super(new BlockMetadata(0, 0, Schema.empty(), List.of()));
        }

        @Override
        protected void free() {}
    }
}
