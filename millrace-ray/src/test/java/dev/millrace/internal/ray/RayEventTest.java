package dev.millrace.internal.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RayEventTest {
    @Test
    void aLineIsAnEvent() {
        assertThat(RayEvent.parse(
                        "{\"event\": \"joined\", \"node\": \"8da8\", \"host\": \"127.0.0.3\", \"port\": 4100, \"pid\": 7,"
                                + " \"gpuIds\": [\"0\", 1]}"))
                .isEqualTo(new RayEvent.Joined("8da8", "127.0.0.3", 4100, 7, List.of("0", "1")));
        assertThat(RayEvent.parse("{\"event\": \"left\", \"node\": \"8da8\", \"host\": \"h\", \"why\": \"it ended\"}"))
                .isEqualTo(new RayEvent.Left("8da8", "it ended"));
        assertThat(RayEvent.parse("{\"event\": \"hopeless\", \"troubles\": [[\"127.0.0.3\", \"it has no Java\"]]}"))
                .isEqualTo(new RayEvent.Hopeless(Map.of("127.0.0.3", "it has no Java")));
        assertThat(RayEvent.parse("{\"event\": \"lacking\", \"id\": 3, \"seconds\": 8, \"most\": {\"GPU\": 0,"
                        + " \"CPU\": 1.5}}"))
                .isEqualTo(new RayEvent.Lacking(3, Map.of("GPU", 0.0, "CPU", 1.5), 8));
    }

    @Test
    void anotherLineIsNone() {
        assertThatThrownBy(() -> RayEvent.parse("{\"event\": \"rained\"}")).hasMessageContaining("rained");
        assertThatThrownBy(() -> RayEvent.parse("[]")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anOrderIsOneLineThatHasTheTokenAndTheClassPath() {
        String order = new String(
                RayOrder.line(
                        RayAddress.parse("ray://head:6379?cpus=2"),
                        "s1",
                        "the secret of this session",
                        new WorkerLaunch("Main", null, null, 8)),
                StandardCharsets.UTF_8);
        assertThat(order).endsWith("}\n").doesNotContain("\n{").contains("\"token\":\"the secret of this session\"");
        assertThat(order.lines().count()).isEqualTo(1);
        assertThat(order).contains("\"cpus\":2.0").contains("\"gpus\":null").contains("millrace-core");
    }
}
