package dev.millrace.internal.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.wire.ProgramDecoder;
import dev.millrace.internal.runtime.wire.ShippedProgram;
import dev.millrace.runtime.TaskProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class FilteredInputTest {
    private static final AtomicInteger RUN = new AtomicInteger();

    /// What reading it does is the writer's choice.
    private static final class Trap implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            RUN.incrementAndGet();
            return this;
        }
    }

    private static final class Carrier extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        private final Object carried;

        Carrier(Object carried) {
            super("with a trap");
            this.carried = carried;
        }
    }

    private static byte[] bytes(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes, SerialRule rule) throws IOException, ClassNotFoundException {
        return FilteredInput.read(bytes, FilteredInputTest.class.getClassLoader(), rule);
    }

    @Test
    void aRuleOfNamesGivesThoseAndNothingElse() throws Exception {
        SerialRule rule = SerialRule.only("java.util.", "java.lang.");
        assertThat(read(bytes(new ArrayList<>(List.of(1, 2L, "x", new int[] {3}))), rule))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(4);
        for (Object value : List.of(new Trap(), new ArrayList<>(List.of(new Trap())), new Trap[] {new Trap()})) {
            assertThatThrownBy(() -> read(bytes(value), rule)).isInstanceOf(InvalidClassException.class);
        }
        assertThat(RUN).hasValue(0);
    }

    @Test
    void aStateMayBeACollectionOfTheJdk() throws Exception {
        List<Object> states = List.of(
                new HashMap<>(Map.of("a", 1)),
                new HashSet<>(List.of("a")),
                new ArrayList<>(List.of(1)),
                new LinkedHashMap<>(Map.of(1L, List.of("x"))));
        for (Object state : states) {
            assertThat(read(bytes(state), SerialRule.of(Serializable.class))).isEqualTo(state);
        }
        assertThatThrownBy(() ->
                        read(bytes(new HashMap<>(Map.of(1, new Trap()))), SerialRule.only("java.util.", "java.lang.")))
                .isInstanceOf(InvalidClassException.class);
        assertThat(RUN).hasValue(0);
    }

    @Test
    void aRuleOfKindsGivesThoseAtTheTopAndNothingDangerousBelow() throws Exception {
        assertThat(read(bytes(new Carrier("x")), SerialRule.of(RuntimeException.class)))
                .isInstanceOf(Carrier.class);
        assertThatThrownBy(() -> read(bytes(new ArrayList<>()), SerialRule.of(RuntimeException.class)))
                .isInstanceOf(InvalidClassException.class);
        assertThatThrownBy(
                        () -> read(bytes(new Carrier(new ObjectName("a:b=c"))), SerialRule.of(RuntimeException.class)))
                .isInstanceOf(InvalidClassException.class);
    }

    @Test
    void aProgramThatIsNoneIsRefused() throws IOException {
        ProgramDecoder.Received received =
                new ProgramDecoder().receive(new ShippedProgram(bytes(new Trap()), List.of()));
        assertThatThrownBy(() -> received.decode("map(f)", TaskProgram.class))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("map(f) cannot be read where it is to run: ");
        assertThat(RUN).hasValue(0);
    }

    @Test
    void aFailureThatCarriesOtherThingsComesAsItsDescription() {
        Throwable arrived = FailureBytes.decode(
                FailureBytes.encode(new Carrier(new Trap())), FilteredInputTest.class.getClassLoader());
        assertThat(arrived).isNotInstanceOf(Carrier.class).hasMessageContaining("with a trap");
        assertThat(FailureBytes.decode(FailureBytes.encode(new Carrier("x")), FilteredInputTest.class.getClassLoader()))
                .isInstanceOf(Carrier.class);
        assertThat(RUN).hasValue(0);
    }

    @Test
    void anArrayThatClaimsMoreThanTheStreamHasIsNotAllocated() throws Exception {
        byte[] bytes = bytes(new long[4]);
        // The length is before the elements.
        int at = bytes.length - 4 * Long.BYTES - Integer.BYTES;
        bytes[at] = 0x7f;
        assertThatThrownBy(() -> read(bytes, SerialRule.only("java.lang."))).isInstanceOf(InvalidClassException.class);
    }

    @Test
    void everyObjectStreamOfTheLibraryIsAFilteredOne() throws IOException {
        Path root = Path.of(System.getProperty("millrace.root", ".."));
        List<Path> modules;
        try (Stream<Path> all = Files.list(root)) {
            modules = all.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
        List<String> found = new ArrayList<>();
        for (Path module : modules) {
            try (Stream<Path> all = Files.walk(module)) {
                for (Path file :
                        all.filter(file -> file.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    if (text.contains("new ObjectInputStream(") || text.contains("extends ObjectInputStream")) {
                        found.add(file.getFileName().toString());
                    }
                }
            }
        }
        assertThat(found).containsExactly("FilteredInput.java");
    }
}
