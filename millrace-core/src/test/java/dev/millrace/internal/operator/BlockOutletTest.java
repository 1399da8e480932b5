package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.BlockMetadata;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockOutletTest {
    private final List<String> events = new CopyOnWriteArrayList<>();

    @Test
    void closingWaitsForABlockThatAnotherThreadMovesToTheConsumersAccount() throws Exception {
        try (Allocator account = Allocator.root("session", 1 << 20)) {
            BlockOutlet outlet = new BlockOutlet(account, () -> {});
            Thread closer = new Thread(() -> {
                outlet.close();
                events.add("closed");
            });
            outlet.offer(BlockSlice.whole(new MovedBlock(closer)));
            BlockSlice taken = outlet.take();
            closer.join();
            assertThat(events).containsExactly("moved", "closed");
            taken.release();
        }
    }

    /// Is moved for as long as the closer needs to wait for it, or to end.
    private final class MovedBlock extends BlockRef {
        private final Thread closer;

        MovedBlock(Thread closer) {
            super(new BlockMetadata(1, 8, Schema.empty(), List.of()));
            this.closer = closer;
        }

        @Override
        public void moveTo(Allocator account) {
            closer.start();
            while (closer.getState() != Thread.State.WAITING && closer.isAlive()) {
                Thread.onSpinWait();
            }
            events.add("moved");
        }

        @Override
        protected void free() {}
    }
}
