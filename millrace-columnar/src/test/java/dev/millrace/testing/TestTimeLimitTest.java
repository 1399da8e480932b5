package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class TestTimeLimitTest {
    private static final Pattern FILE = Pattern.compile("are in (\\S+\\.txt)\\.");

    // The classes below are run by the tests only: the build looks for classes that are not nested.

    static class Hanging {
        @Test
        void waitsForEver() throws InterruptedException {
            Thread virtual = Thread.ofVirtual().name("a-virtual-thread").start(Hanging::parkedInAVirtualThread);
            try {
                new CountDownLatch(1).await();
            } finally {
                virtual.interrupt();
                virtual.join();
            }
        }

        private static void parkedInAVirtualThread() {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
        }

        @Test
        void fails() {
            throw new IllegalStateException("as it is");
        }
    }

    static class HangingBefore {
        @BeforeAll
        static void waitsForEver() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Test
        void isNotReached() {}
    }

    static class HangingAfter {
        @AfterEach
        void waitsForEver() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Test
        void passes() {}
    }

    static class HangingDynamically {
        @TestFactory
        Stream<DynamicTest> tests() {
            return Stream.of(
                    DynamicTest.dynamicTest("waits", () -> new CountDownLatch(1).await()),
                    DynamicTest.dynamicTest("passes", () -> {}));
        }
    }

    static class Deaf {
        @Test
        void hearsNothing() {
            while (true) {
                LockSupport.park();
                var _ = Thread.interrupted();
            }
        }
    }

    @Test
    void aTestThatHangsFailsAndNamesAFileWithAllThreads() throws IOException {
        Throwable failure =
                failures(selectMethod(Hanging.class, "waitsForEver")).get("waitsForEver()");

        assertThat(failure)
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("waitsForEver() timed out after 1 second")
                .hasMessageContaining("CountDownLatch.await")
                .hasMessageContaining("TestTimeLimitTest$Hanging.waitsForEver")
                .hasMessageNotContaining("org.junit.platform");
        assertThat(dump(failure)).contains("a-virtual-thread", "parkedInAVirtualThread", "CountDownLatch.await");
    }

    @Test
    void methodsBeforeAndAfterTestsHaveTheLimitToo() throws IOException {
        assertThat(dump(failures(selectClass(HangingBefore.class)).get("TestTimeLimitTest$HangingBefore")))
                .contains("HangingBefore.waitsForEver");
        assertThat(dump(failures(selectClass(HangingAfter.class)).get("passes()")))
                .contains("HangingAfter.waitsForEver");
    }

    @Test
    void dynamicTestsHaveTheLimitTooEachByItself() throws IOException {
        Map<String, Throwable> failures = failures(selectClass(HangingDynamically.class));

        assertThat(failures).containsOnlyKeys("waits");
        assertThat(failures.get("waits"))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("waits timed out after 1 seconds");
        assertThat(dump(failures.get("waits"))).contains("CountDownLatch.await");
    }

    @Test
    void otherFailuresAreLeftAsTheyAre() {
        assertThat(failures(selectMethod(Hanging.class, "fails")).get("fails()"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("as it is");
    }

    @Test
    void aTestThatDoesNotReactEndsTheProcessWithAMessage() throws Exception {
        Process process = new ProcessBuilder(ChildJvm.command(List.of(), TestTimeLimitTest.class))
                .redirectErrorStream(true)
                .start();
        try {
            List<String> lines = process.inputReader().lines().toList();

            assertThat(process.waitFor()).isEqualTo(TestTimeLimit.UNRESPONSIVE);
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .contains("The time of Deaf.hearsNothing() is over, and it did not end within 1 s of being"
                                    + " interrupted: the process is ended. All threads, virtual ones too, are in"))
                    .anySatisfy(line -> assertThat(line).contains("TestTimeLimitTest$Deaf.hearsNothing"));
        } finally {
            process.destroyForcibly();
        }
    }

    /// What the other process runs.
    public static void main(String[] arguments) {
        failures(selectClass(Deaf.class));
    }

    /// The tests of the lowest module bring the limit and its settings with them: every module must have them, and none
    /// its own settings.
    @Test
    void everyModulesTestsHaveTheLimit() throws IOException {
        Path root = Path.of(System.getProperty("millrace.root", new File("..").getAbsolutePath()));
        Matcher modules = Pattern.compile("<module>(.+?)</module>").matcher(Files.readString(root.resolve("pom.xml")));
        List<String> without = new ArrayList<>();
        int count = 0;
        for (; modules.find(); count++) {
            Path module = root.resolve(modules.group(1));
            if (!Files.exists(module.resolve("src/test"))) {
                continue;
            }
            boolean lowest = module.endsWith("millrace-columnar");
            boolean shadowed = !lowest && Files.exists(module.resolve("src/test/resources/junit-platform.properties"));
            if (!Files.readString(module.resolve("pom.xml"))
                            .contains(
                                    lowest
                                            ? "<goal>test-jar</goal>"
                                            : "<artifactId>millrace-columnar</artifactId>\n      <type>test-jar</type>")
                    || shadowed) {
                without.add(modules.group(1));
            }
        }

        assertThat(count).isGreaterThan(9);
        assertThat(without).isEmpty();
    }

    /// Runs them with short limits; the failures by display name.
    private static Map<String, Throwable> failures(DiscoverySelector selector) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selector)
                .configurationParameter("junit.jupiter.execution.timeout.default", "1 s")
                .configurationParameter(TestTimeLimit.DYNAMIC_SECONDS, "1")
                .configurationParameter(TestTimeLimit.GRACE_SECONDS, "1")
                .build();
        Map<String, Throwable> failures = new HashMap<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable().ifPresent(thrown -> failures.put(test.getDisplayName(), thrown));
            }
        });
        return failures;
    }

    private static String dump(Throwable failure) throws IOException {
        Matcher file = FILE.matcher(failure.getMessage());
        assertThat(file.find()).as(failure.getMessage()).isTrue();
        Path path = Path.of(file.group(1));
        String text = Files.readString(path);
        Files.delete(path);
        return text;
    }
}
