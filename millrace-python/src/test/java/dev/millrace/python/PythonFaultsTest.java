package dev.millrace.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What users do wrong, and what goes wrong in a worker: each is told in one sentence.
class PythonFaultsTest {
    private static final String SAME = "def same(batch):\n    return batch\n";
    private static Session session;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        session = Session.open();
    }

    /// Throws if bytes are held.
    @AfterAll
    static void close() {
        session.close();
    }

    private PythonUdf udf(String source, String name) {
        return new PythonFiles(folder).udf(source, name);
    }

    private void assertFails(PythonUdf udf, String... parts) {
        assertThatThrownBy(() -> session.range(10, 1)
                        .mapBatches(udf, Compute.actors(1).batchSize(5))
                        .takeAll())
                .isInstanceOf(MillraceException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    void aFileThatDoesNotExist() {
        assertThatThrownBy(() -> PythonUdf.of(folder.resolve("none.py").toString(), "x"))
                .hasMessageStartingWith("PythonUdf: the file '" + folder.resolve("none.py") + "' cannot be read");
    }

    @Test
    void anArgumentThatIsNoValue() {
        assertThatThrownBy(() -> udf(SAME, "same").args(new Object()))
                .hasMessageStartingWith("PythonUdf: an argument is a java.lang.Object:")
                .hasMessageEndingWith(
                        "Arguments are null, booleans, finite numbers, strings, lists and maps of these.");
    }

    @Test
    void aMissingPackage() {
        assertFails(
                udf("import no_such_package\n" + SAME, "same"),
                "mapBatches(same) cannot start its Python worker: ModuleNotFoundError: No module named 'no_such_package'."
                        + " The package 'no_such_package' is not installed for ",
                "install it there, or name it in requirements(...), at model.py:1 in <module>: import no_such_package");
    }

    @Test
    void aClassThatDoesNotExist() {
        assertFails(
                udf(SAME, "ResNet50"),
                "mapBatches(ResNet50) cannot start its Python worker: there is no 'ResNet50' in model.py. It has same.");
    }

    @Test
    void aClassThatCannotBeCalled() {
        assertFails(
                udf("class Model:\n    pass\n", "Model"),
                "the class 'Model' of model.py has no method __call__, which gets the batches.");
    }

    @Test
    void aConstructorThatThrows() {
        assertFails(
                udf("class Model:\n    def __init__(self):\n        raise ValueError('no weights')\n", "Model"),
                "mapBatches(Model) cannot start its Python worker: ValueError: no weights, at model.py:3 in __init__:"
                        + " raise ValueError('no weights')");
    }

    @Test
    void aFileWithASyntaxError() {
        assertFails(udf("def same(batch:\n", "same"), "SyntaxError:", "at model.py:1");
    }

    @Test
    void anExceptionNamesTheUsersLineFirstAndThenItsTraceback() {
        assertFails(
                udf("def inner(x):\n    return x['none']\ndef f(batch):\n    return inner(batch)\n", "f"),
                "mapBatches(f) failed on ids 0-9, rows 0-4: KeyError: 'none', at model.py:2 in inner: return x['none']",
                "model.py\", line 4, in f");
    }

    @Test
    void resultsOfAWrongShapeOrType() {
        assertFails(
                udf("def f(batch):\n    return 5\n", "f"),
                "The Python function's result is no batch: it returned a int. Return a dict of columns, a pyarrow"
                        + " RecordBatch or Table, or yield them.");
        assertFails(udf("def f(batch):\n    return None\n", "f"), "it returned None. Return a batch.");
        assertFails(
                udf("def f(batch):\n    return {'a': batch['id'], 'b': batch['id'][:2]}\n", "f"),
                "column 'a' has 5 rows and 'b' has 2. Return columns of equal length.");
        assertFails(
                udf("def f(batch):\n    return {'a': {1, 2}}\n", "f"),
                "column 'a' is a set. Return a NumPy array, a torch tensor, a pyarrow array or a list.");
        assertFails(
                udf("def f(batch):\n    return {'a': [1, 'x']}\n", "f"),
                "column 'a' has values that are not of one type:");
        assertThatThrownBy(() -> session.range(10, 1)
                        .filter(udf("def f(batch):\n    return [True]\n", "f").numpy(), Compute.actors(1))
                        .count())
                .hasMessageContaining(
                        "a filter of a batch of 10 rows returned 1 values of bool. Return one bool for each" + " row.");
    }

    @Test
    void failingBatchesAreSkippedIfThePolicySaysSo() {
        PythonUdf odd = udf("def f(batch):\n    assert batch['id'][0] != 5, 'five'\n    return batch\n", "f");
        assertThat(session.range(10, 1)
                        .mapBatches(odd, Compute.actors(1).batchSize(5).onError(ErrorPolicy.skip()))
                        .takeAll())
                .hasSize(5);
    }

    @Test
    void aPythonThatIsTooOldOrMissing() throws IOException {
        Path old = folder.resolve("python3.8");
        Files.writeString(
                old,
                "#!/bin/sh\nexec " + PythonFiles.interpreter()
                        + " -c \"import sys; sys.version_info = (3, 8, 1, 'final', 0)\n$2\"\n");
        assertThat(old.toFile().setExecutable(true)).isTrue();
        assertFails(
                udf(SAME, "same").python(old.toString()),
                "mapBatches(same) cannot start its Python worker:",
                " is Python 3.8, and a Python worker needs 3.10 or newer.");
        assertFails(
                udf(SAME, "same").python("/no/such/python"),
                "The Python interpreter '/no/such/python' cannot be started:",
                "Install Python 3.10 or newer with pyarrow and numpy, and give its path by python(...)");
        assertFails(
                udf(SAME, "same").python(folder.toString()),
                "The folder '" + folder + "' is no virtual environment: it has no bin/python.");
    }

    @Test
    void anEnvironmentThatCannotBeMade() {
        System.setProperty(
                "millrace.python.environments", folder.resolve("environments").toString());
        try {
            assertFails(
                    udf(SAME, "same").requirements("./no-such-package-here"),
                    "The Python environment with [./no-such-package-here] cannot be made: '",
                    "' ended with ",
                    "no-such-package-here");
        } finally {
            System.clearProperty("millrace.python.environments");
        }
    }

    @Test
    void aGpuWhereThereIsNone() {
        assertThatThrownBy(() -> session.range(10, 1)
                        .mapBatches(udf(SAME, "same"), Compute.actors(1).gpus(1).batchSize(5)))
                .hasMessageContaining("mapBatches(same) can never run: it needs 1 GPU");
    }

    @Test
    void aGpuThatIsOutOfMemoryGetsHalvesFromThenOn() {
        PythonUdf small = udf("""
                class OutOfMemoryError(RuntimeError):
                    pass
                OutOfMemoryError.__module__ = "torch.cuda"
                sizes = []
                def f(batch):
                    if len(batch["id"]) > 3:
                        raise OutOfMemoryError("CUDA out of memory")
                    sizes.append(len(batch["id"]))
                    return {"id": batch["id"], "calls": [len(sizes)] * len(batch["id"])}
                """, "f");
        var rows = session.range(24, 1)
                .mapBatches(small, Compute.actors(1).batchSize(12))
                .takeAll();
        assertThat(rows).hasSize(24);
        assertThat(rows.get(23).getLong("id")).isEqualTo(23);
        assertThat(rows.get(23).getLong("calls")).isEqualTo(8);
    }

    @Test
    void aWorkerThatPrintsMegabytesIsShownInPart() {
        PythonUdf loud = udf("""
                import sys
                def f(batch):
                    print("hello from", len(batch["id"]))
                    for i in range(100_000):
                        print("x" * 50)
                    print("last words", file=sys.stderr)
                    return batch
                """, "f");
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(shown, true, StandardCharsets.UTF_8));
        try (Session alone = Session.open()) {
            assertThat(alone.range(10, 1).mapBatches(loud, Compute.actors(1)).takeAll())
                    .hasSize(10);
        } finally {
            System.setErr(before);
        }
        String text = shown.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("[mapBatches(f)] hello from 10");
        assertThat(text).contains("more lines were left out: 64 KiB of what a worker prints are shown in a second.");
        assertThat(text.length()).isLessThan(3_000_000);
    }

    @Test
    void aWorkerThatCrashesIsReplacedAndItsRowsAreComputedAgain() {
        PythonUdf once = udf("""
                import os
                def f(batch, mark):
                    if batch["id"][0] == 5 and not os.path.exists(mark):
                        open(mark, "w").close()
                        os.kill(os.getpid(), 9)
                    return batch
                """, "f").args(folder.resolve("mark").toString());
        assertThat(session.range(20, 1)
                        .mapBatches(once, Compute.actors(1).batchSize(5))
                        .takeAll())
                .hasSize(20);
    }

    @Test
    void aPoisonedBatchEndsTheRunAfterThreeWorkers() {
        PythonUdf deadly = udf("import os\ndef f(batch):\n    print('bye', flush=True)\n    os._exit(7)\n", "f");
        assertFails(
                deadly,
                "3 workers were lost, one after the other, while they ran its task",
                "The Python worker of mapBatches(f) (process ",
                "ended with exit code 7. It printed last: bye");
    }

    @Test
    void aWorkerThatHoldsTheInterpreterLockIsEndedByItsTimeout() {
        PythonUdf hangs = udf(
                        "import re\ndef f(batch):\n    re.match('(a+)+$', 'a' * 60 + 'b')\n    return batch\n", "f")
                .timeout(Duration.ofMillis(300));
        assertFails(
                hangs,
                "3 workers were lost",
                "did not answer within its timeout of 300 ms and was ended. Raise it by timeout(...)");
    }

    @Test
    void aWorkerBeyondItsMemoryLimit() {
        PythonUdf hungry = udf("def f(batch):\n    x = bytearray(8 << 30)\n    return batch\n", "f")
                .memoryLimit(4L << 30);
        assertFails(hungry, "The Python worker is out of memory: MemoryError, at model.py:2 in f");
    }

    @Test
    void childrenOfAWorkerEndWithIt() {
        PythonUdf forks = udf("""
                import os, time
                def f(batch):
                    child = os.fork()
                    if child == 0:
                        time.sleep(600)
                    return {"child": [child] * len(batch["id"])}
                """, "f");
        List<Long> children = session.range(2, 1).mapBatches(forks, Compute.actors(1)).takeAll().stream()
                .map(row -> row.getLong("child"))
                .distinct()
                .toList();
        assertThat(children).hasSize(1);
        awaitEnd(children.getFirst());
    }

    static void awaitEnd(long pid) {
        ProcessHandle.of(pid).ifPresent(handle -> assertThat(handle.onExit()).succeedsWithin(Duration.ofSeconds(30)));
    }
}
