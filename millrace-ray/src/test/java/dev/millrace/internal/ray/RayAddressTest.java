package dev.millrace.internal.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RayAddressTest {
    @Test
    void anAddressNamesTheHead() {
        assertThat(RayAddress.parse("ray://head:6379"))
                .isEqualTo(new RayAddress("head:6379", null, null, null, null, null));
        assertThat(RayAddress.parse("ray://[::1]:6379").address()).isEqualTo("[::1]:6379");
        assertThat(RayAddress.parse("ray://auto").address()).isEqualTo("auto");
    }

    @Test
    void optionsSayWhatEachNodesWorkerHas() {
        assertThat(RayAddress.parse(
                        "ray://head:6379?cpus=4&gpus=0&memory=8g&python=/opt/my%20ray/bin/python&java=/opt/jdk"))
                .isEqualTo(new RayAddress("head:6379", 4.0, 0.0, 8L << 30, "/opt/my ray/bin/python", "/opt/jdk"));
        assertThat(RayAddress.parse("ray://head:6379?memory=1073741824").memory())
                .isEqualTo(1L << 30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ray:3", "ray://", "ray://head", "ray://head:", "ray://head:six", "ray://a b:1"})
    void whatIsNoAddressIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> RayAddress.parse(text))
                .hasMessage("'" + text + "' is no address of a Ray cluster. It needs host and port of its head, e.g."
                        + " ray://head:6379, or ray://auto for the cluster that this machine belongs to.");
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> RayAddress.parse("ray://head:6379?cpu=4"))
                .hasMessage(
                        "The address 'ray://head:6379?cpu=4' has an option 'cpu'. There are cpus, gpus, memory, python,"
                                + " java, e.g. ray://head:6379?cpus=4&memory=8g.");
        assertThatThrownBy(() -> RayAddress.parse("ray://head:6379?cpus=0"))
                .hasMessage("The option cpus of a Ray address is a number of cpus per node, not '0'.");
        assertThatThrownBy(() -> RayAddress.parse("ray://head:6379?memory=lots"))
                .hasMessage("The option memory of a Ray address is a number of bytes per node, such as 8g or 512m, not"
                        + " 'lots'.");
    }
}
