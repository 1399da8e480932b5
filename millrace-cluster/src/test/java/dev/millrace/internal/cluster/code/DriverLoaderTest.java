package dev.millrace.internal.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.fault.MissingClass;
import dev.millrace.internal.runtime.wire.LoaderScope;
import dev.millrace.internal.runtime.wire.ProgramDecoder;
import dev.millrace.internal.runtime.wire.ProgramEncoder;
import dev.millrace.internal.runtime.wire.ShippedProgram;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.runtime.TaskProgram;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverLoaderTest {
    private static final String GREETING = """
            package com.acme.text;
            public class Greeting implements java.util.concurrent.Callable<String> {
                public String call() throws java.io.IOException {
                    try (var in = Greeting.class.getResourceAsStream("/texts/hello world.txt")) {
                        return new String(in.readAllBytes()) + new Name().name();
                    }
                }
            }
            class Name {
                String name() {
                    return "Ada";
                }
            }
            """;

    @TempDir
    Path folder;

    private Path greeting;
    private CodeCache cache;

    @BeforeEach
    void compile() throws IOException {
        greeting = CompiledCode.folder(folder.resolve("classes"), Map.of("com/acme/text/Greeting.java", GREETING));
        write(greeting, "texts/hello world.txt", "Hello ");
        write(greeting, "META-INF/services/java.util.concurrent.Callable", "com.acme.text.Greeting");
        cache = new CodeCache(folder.resolve("cache"), 1 << 30);
    }

    private static void write(Path folder, String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// Counts what is asked of a driver.
    private record Counted(DriverCode code, List<String> asked) implements CodeSupply {
        Counted(DriverCode code) {
            this(code, Collections.synchronizedList(new ArrayList<>()));
        }

        @Override
        public CodeContent content(int entry) throws IOException {
            asked.add("content " + code.index().entries().get(entry).name());
            return code.content(entry);
        }

        @Override
        public byte[] part(int entry, long offset) throws IOException {
            asked.add("part " + code.index().entries().get(entry).name());
            return code.part(entry, offset);
        }

        @Override
        public byte @Nullable [] find(String path) throws IOException {
            asked.add("find " + path);
            return code.find(path);
        }

        DriverLoader loader(CodeCache cache, Path... classPathOfWorker) throws IOException {
            return new DriverLoader(
                    "worker-2",
                    CodeIndex.fromBytes(code.index().toBytes()),
                    this,
                    cache,
                    DriverLoaderTest.class.getClassLoader(),
                    List.of(classPathOfWorker));
        }
    }

    private static Counted driver(Path... classPath) {
        return new Counted(new DriverCode(List.of(classPath), ClassLoader.getSystemClassLoader()));
    }

    private static Object call(ClassLoader loader, String type) throws Exception {
        return ((Callable<?>) loader.loadClass(type).getConstructor().newInstance()).call();
    }

    @Test
    void classesAndResourcesOfAFolderAreFetchedTogetherAndOnce() throws Exception {
        Counted driver = driver(greeting);
        try (DriverLoader loader = driver.loader(cache)) {
            assertThat(driver.asked).isEmpty();
            assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("Hello Ada");
            assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("Hello Ada");
        }
        assertThat(driver.asked).containsExactly("content classes", "part classes");
    }

    @Test
    void anEntryThatTheCacheHasIsNotFetchedAgainByAnotherDriver() throws Exception {
        try (DriverLoader first = driver(greeting).loader(cache)) {
            call(first, "com.acme.text.Greeting");
        }
        Counted second = driver(greeting);
        try (DriverLoader loader = second.loader(new CodeCache(folder.resolve("cache"), 1 << 30))) {
            assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("Hello Ada");
        }
        assertThat(second.asked).containsExactly("content classes");
    }

    @Test
    void onlyEntriesThatMayHaveTheClassAreFetched() throws Exception {
        Path other = CompiledCode.jar(
                folder.resolve("other.jar"),
                CompiledCode.folder(
                        folder.resolve("other"), Map.of("com/acme/Other.java", "package com.acme; class Other {}")));
        Counted driver = driver(other, CompiledCode.jar(folder.resolve("app.jar"), greeting));
        try (DriverLoader loader = driver.loader(cache)) {
            assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("Hello Ada");
            assertThat(loader.getResource("com/acme/text/absent.txt")).isNull();
            assertThat(loader.getResource("META-INF/absent.txt")).isNull();
        }
        assertThat(driver.asked).containsExactly("content app.jar", "part app.jar");
    }

    @Test
    void servicesAndAddressesOfResourcesWork() throws Exception {
        Counted driver = driver(CompiledCode.jar(folder.resolve("app.jar"), greeting));
        try (DriverLoader loader = driver.loader(cache)) {
            assertThat(ServiceLoader.load(Callable.class, loader))
                    .anySatisfy(service -> assertThat(service.call()).isEqualTo("Hello Ada"));
            URL address = loader.getResource("texts/hello world.txt");
            try (InputStream in = address.openStream()) {
                assertThat(in.readAllBytes()).isEqualTo("Hello ".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(address.toURI()).hasScheme("jar");
            assertThat(loader.loadClass("com.acme.text.Greeting")
                            .getProtectionDomain()
                            .getCodeSource())
                    .isNotNull();
        }
    }

    @Test
    void theFirstEntryWithAClassCounts() throws Exception {
        Path shadow = CompiledCode.folder(
                folder.resolve("shadow"),
                Map.of(
                        "com/acme/text/Greeting.java",
                        "package com.acme.text; public class Greeting implements java.util.concurrent.Callable<String> {"
                                + " public String call() { return \"shadow\"; } }"));
        try (DriverLoader loader = driver(shadow, greeting).loader(cache)) {
            assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("shadow");
        }
    }

    @Test
    void classesThatTheDriverHasInMemoryAreAskedForOneByOne() throws Exception {
        // As programs that are started from their source: a class loader beside the class path.
        Counted driver;
        try (URLClassLoader memory =
                new URLClassLoader(new URL[] {greeting.toUri().toURL()}, ClassLoader.getSystemClassLoader())) {
            driver = new Counted(new DriverCode(List.of(), memory));
            try (DriverLoader loader = driver.loader(cache)) {
                assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("Hello Ada");
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> loader.loadClass("com.acme.Absent"))
                            .isInstanceOf(ClassNotFoundException.class);
                }
            }
        }
        assertThat(driver.asked)
                .containsExactly(
                        "find com/acme/text/Greeting.class",
                        "find texts/hello world.txt",
                        "find com/acme/text/Name.class",
                        "find com/acme/Absent.class");
    }

    @Test
    void whatTheWorkerHasOnItsOwnClassPathIsNotFetched() throws Exception {
        Path jar = CompiledCode.jar(folder.resolve("app.jar"), greeting);
        Path copy =
                Files.copy(jar, Files.createDirectories(folder.resolve("lib")).resolve("app.jar"));
        Counted driver = driver(jar);
        try (URLClassLoader worker =
                        new URLClassLoader(new URL[] {copy.toUri().toURL()}, DriverLoaderTest.class.getClassLoader());
                DriverLoader loader =
                        new DriverLoader("worker-2", driver.code.index(), driver, cache, worker, List.of(copy))) {
            assertThat(call(loader, "com.acme.text.Greeting")).isEqualTo("Hello Ada");
            assertThat(loader.loadClass("com.acme.text.Greeting").getClassLoader())
                    .isSameAs(worker);
        }
        assertThat(driver.asked).containsExactly("content app.jar");
    }

    @Test
    void aJarThatChangedWhileTheProgramRanIsTold() throws Exception {
        Path jar = CompiledCode.jar(folder.resolve("app.jar"), greeting);
        Counted driver = driver(jar);
        driver.code.content(0);
        byte[] bytes = Files.readAllBytes(jar);
        bytes[bytes.length / 2]++;
        Files.write(jar, bytes);
        try (DriverLoader loader = driver.loader(cache)) {
            assertThatThrownBy(() -> loader.loadClass("com.acme.text.Greeting"))
                    .isInstanceOf(ClassNotFoundException.class)
                    .satisfies(thrown -> {
                        try (LoaderScope _ = LoaderScope.enter(loader)) {
                            assertThat(MissingClass.sentence(thrown))
                                    .contains("the class com.acme.text.Greeting could not be brought to worker-2:"
                                            + " 'app.jar' of the class path was changed while the program ran; start the"
                                            + " program again.");
                        }
                    });
        }
        assertThat(folder.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void aClosedLoaderFindsNothingNew() throws Exception {
        DriverLoader loader = driver(greeting).loader(cache);
        loader.close();
        assertThatThrownBy(() -> loader.loadClass("com.acme.text.Greeting")).hasRootCauseMessage("its driver has left");
    }

    @Test
    void anotherVersionOfMillraceIsRefused() {
        assertThatThrownBy(() -> MillraceVersion.requireSame("9.9", "9.8", "worker-2"))
                .hasMessage(
                        "This program has Millrace 9.9, and worker-2 has 9.8. Start the workers with the version of the"
                                + " program, or build the program with theirs.");
        MillraceVersion.requireSame("development", "9.8", "worker-2");
    }

    @Test
    void aLambdaOfAClassThatOnlyTheDriverHasRuns() throws Exception {
        Path job = CompiledCode.folder(folder.resolve("job"), Map.of("com/acme/Job.java", """
                        package com.acme;
                        import dev.millrace.runtime.TaskProgram;
                        public class Job implements java.util.concurrent.Callable<TaskProgram> {
                            record Offset(int by) implements java.io.Serializable {}
                            interface Rule extends java.io.Serializable { int apply(int value); }
                            public TaskProgram call() {
                                Offset offset = new Offset(2);
                                Rule rule = value -> value + offset.by();
                                return context -> System.setProperty("com.acme.job", "" + rule.apply(40));
                            }
                        }
                        """));
        ShippedProgram program;
        try (URLClassLoader drivers =
                new URLClassLoader(new URL[] {job.toUri().toURL()}, DriverLoaderTest.class.getClassLoader())) {
            program = new ProgramEncoder(FunctionCheck::refusal)
                    .encode("map(f)", (TaskProgram) call(drivers, "com.acme.Job"));
        }
        ProgramDecoder.Received received = new ProgramDecoder().receive(program);
        assertThatThrownBy(() -> received.decode("map(f)", TaskProgram.class))
                .hasMessage(
                        "map(f) cannot be read where it is to run: the class com.acme.Job$Offset is missing. Add the jar"
                                + " or folder that holds it to the class path of the program.");
        try (DriverLoader loader = driver(job).loader(cache);
                LoaderScope _ = LoaderScope.enter(loader)) {
            received.decode("map(f)", TaskProgram.class).run(null);
            assertThat(System.getProperty("com.acme.job")).isEqualTo("42");
        } finally {
            System.clearProperty("com.acme.job");
        }
    }
}
