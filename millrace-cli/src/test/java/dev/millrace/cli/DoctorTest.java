package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.json.JsonText;
import dev.millrace.internal.runtime.MachineLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DoctorTest {
    @TempDir
    private Path folder;

    @Test
    @SuppressWarnings("unchecked")
    void theDoctorLooksAtEverythingAndIsContentWithThisMachine() {
        CommandRun run = CommandRun.of("doctor", "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        List<Map<String, Object>> checks =
                (List<Map<String, Object>>) JsonText.parse(run.out().getBytes(StandardCharsets.UTF_8));
        assertThat(checks)
                .extracting(check -> check.get("name"))
                .containsExactly(
                        "Java",
                        "CPU",
                        "memory",
                        "disk",
                        "open files",
                        "Zstandard",
                        "images",
                        "models",
                        "GPU",
                        "Python",
                        "Ray",
                        "Maven");
        // What tests of other modules need is there.
        assertThat(checks)
                .filteredOn(check -> List.of("Java", "CPU", "images", "models").contains(check.get("name")))
                .allMatch(check -> check.get("state").equals("ok"));
        assertThat(checks)
                .filteredOn(check -> !check.get("state").equals("ok"))
                .allMatch(check -> !check.get("remedy").equals(""));
    }

    @Test
    void memoryThatIsPromisedTwiceIsTold() {
        DoctorCheck check = MachineChecks.memory(new MachineLimits(2, 0, 8L << 30), 7L << 30);
        assertThat(check.state()).isEqualTo(DoctorCheck.State.TROUBLE);
        assertThat(check.found()).contains("8 GiB", "2.4 GiB", "7 GiB", "together more than there is");
        assertThat(check.remedy()).contains("-Xmx2048m");
        assertThat(MachineChecks.memory(new MachineLimits(2, 0, 8L << 30), 2L << 30)
                        .state())
                .isEqualTo(DoctorCheck.State.OK);
        assertThat(MachineChecks.memory(new MachineLimits(2, 0, 1L << 30), 256L << 20)
                        .state())
                .isEqualTo(DoctorCheck.State.TROUBLE);
    }

    @Test
    void aFolderForSpillingThatIsNotThereIsBroken() {
        assertThat(MachineChecks.disk(folder.resolve("gone")).state()).isEqualTo(DoctorCheck.State.BROKEN);
        assertThat(MachineChecks.disk(folder).state()).isNotEqualTo(DoctorCheck.State.BROKEN);
    }

    private String interpreter(String script) throws IOException {
        Path file = folder.resolve("python");
        Files.writeString(file, "#!/bin/sh\n" + script);
        Assumptions.assumeTrue(Files.getFileStore(file).supportsFileAttributeView("posix"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file.toString();
    }

    @Test
    void pythonIsAskedForItsVersionAndPackages() throws IOException {
        String all = interpreter("printf 'python 3.12.1\\npyarrow 20.0\\nnumpy 2.1\\nray 2.50.0\\n'");
        assertThat(LibraryChecks.python(all)).extracting(DoctorCheck::state).containsOnly(DoctorCheck.State.OK);
        assertThat(LibraryChecks.python(all).getFirst().found())
                .isEqualTo("3.12.1, " + all + " with pyarrow 20.0, NumPy 2.1");
        assertThat(LibraryChecks.python(interpreter("printf 'python 3.12.1\\nnumpy 2.1\\n'"))
                        .getFirst()
                        .remedy())
                .contains("-m pip install pyarrow,");
        assertThat(LibraryChecks.python(interpreter("printf 'python 3.9.2\\npyarrow 20.0\\nnumpy 2.1\\n'"))
                        .getFirst()
                        .found())
                .contains("too old");
        assertThat(LibraryChecks.python(folder.resolve("gone").toString())
                        .getFirst()
                        .found())
                .contains("does not start");
    }

    @Test
    void aLongSentenceIsWrappedBetweenWords() {
        assertThat(Doctor.wrapped("one two three", 7)).containsExactly("one two", "three");
        assertThat(Doctor.wrapped("incomprehensible", 5)).containsExactly("incomprehensible");
    }
}
