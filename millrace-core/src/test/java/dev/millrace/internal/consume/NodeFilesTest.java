package dev.millrace.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.settings.ProgressSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
    @TempDir
    Path folder;

    private final List<String> submitted = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> hidden = _ -> false;

    /// A session whose only node does not see what is hidden.
    private Session session() {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .runtimeAround(this::withOtherFiles)
                .open();
    }

    @SuppressWarnings("unchecked")
    private Runtime withOtherFiles(Runtime inner) {
        return (Runtime) Proxy.newProxyInstance(
                Runtime.class.getClassLoader(), new Class<?>[] {Runtime.class}, (_, method, arguments) -> {
                    if (method.getName().equals("sharesFiles")) {
                        return false;
                    }
                    if (method.getName().equals("submit") && arguments[0] instanceof TaskSpec task) {
                        submitted.add(task.operator());
                        if (task.program() instanceof NodeFiles.SightProgram sight) {
                            ((Consumer<TaskEvent>) arguments[1])
                                    .accept(new TaskEvent.Finished(task.id(), report(sight)));
                            return null;
                        }
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private TaskReport report(NodeFiles.SightProgram sight) {
        ArrayList<String> unseen = new ArrayList<>(sight.markers().stream()
                .map(NodeFiles.Marker::path)
                .filter(hidden)
                .toList());
        return new TaskReport(0, 0, 0, 0, "local", Map.of(), List.of(), List.of(), unseen);
    }

    @Test
    void filesThatAllNodesSeeAreComparedOnceForEachFolder() {
        try (Session session = session()) {
            session.range(10).writeArrow(folder.resolve("in").toString());
            submitted.clear();
            assertThat(session.readArrow(folder.resolve("in").toString()).count())
                    .isEqualTo(10);
            assertThat(session.readArrow(folder.resolve("in").toString()).takeAll())
                    .hasSize(10);
            assertThat(submitted).filteredOn("checks of files"::equals).hasSize(1);
        }
    }

    @Test
    void aFileThatANodeDoesNotSeeIsRefusedBeforeAnythingRuns() {
        try (Session session = session()) {
            session.range(10).writeArrow(folder.resolve("in").toString());
            hidden = path -> path.endsWith(".arrow");
            submitted.clear();
            var read = session.readArrow(folder.resolve("in").toString());
            assertThatThrownBy(read::takeAll)
                    .isInstanceOf(MillraceException.class)
                    .hasMessageStartingWith("Arrow(" + folder.resolve("in")
                            + "): local does not see this file as this program does: " + folder.resolve("in"))
                    .hasMessageEndingWith(
                            ".arrow. The workers of a cluster read and write files themselves: use a folder"
                                    + " that all its machines have in common at the same path (a network file system), or an object"
                                    + " store (s3://).");
            assertThat(submitted).containsExactly("checks of files");
        }
    }

    @Test
    void aFolderThatANodeCannotWriteToIsRefusedAndNothingIsLeft() {
        Path out = folder.resolve("out");
        try (Session session = session()) {
            submitted.clear();
            var rows = session.range(10);
            hidden = _ -> true;
            assertThatThrownBy(() -> rows.writeArrow(out.toString()))
                    .hasMessageStartingWith(
                            "Arrow(" + out + "): local does not see the folder that this program made for"
                                    + " it, or may not write there: " + out.resolve("_temporary"));
            assertThat(submitted).containsExactly("checks of files");
            assertThat(out)
                    .satisfiesAnyOf(
                            none -> assertThat(none).doesNotExist(),
                            empty -> assertThat(empty).isEmptyDirectory());
        }
    }
}
