package dev.millrace.column;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import org.junit.jupiter.api.Test;

class BuiltColumnsTest {
    @Test
    void aBuiltColumnGivesBackWhatWasReservedForMoreValuesAndLongerText() {
        try (Allocator root = Allocator.root("session", 1 << 30)) {
            StringColumnBuilder text = new StringColumnBuilder(root, 64);
            text.append("a".repeat(7000));
            assertThat(root.heldBytes()).isGreaterThan(20_000);
            Column built = text.build();
            // 8 KiB for the text, a smallest region for its offsets.
            assertThat(root.heldBytes()).isEqualTo(8192 + 512);
            assertThat(built.value(0)).isEqualTo("a".repeat(7000));
            built.release();

            ColumnBuilder longs = ColumnBuilder.of(root, DataType.INT64, 100_000);
            longs.append(3L);
            Column one = longs.build();
            assertThat(root.heldBytes()).isEqualTo(512);
            assertThat(one.value(0)).isEqualTo(3L);
            one.release();
        }
    }
}
