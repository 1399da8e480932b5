package dev.millrace.internal.cluster.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.LongColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A block of one column of more than 2 GiB goes from one process to another as every block does. The sender's memory
/// is the system's page of zeros except for a few places, so that only the receiver takes 2 GiB.
@Timeout(300)
class LargeBlockTest {
    private static final long ROWS = (1L << 28) + 1_000;
    /// The first and last rows, and those around 2 GiB.
    private static final long[] MARKED = {0, 1, (1 << 28) - 1, 1 << 28, (1 << 28) + 1, ROWS - 1};

    /// The block, and the thread that serves its rows on one connection.
    private static final class Sender implements AutoCloseable {
        private final Allocator account = Allocator.root("sender", 1 << 20);
        private final Block block = largeBlock();
        private final ServerSocketChannel listening = ServerSocketChannel.open();
        private final Thread server = Thread.ofPlatform().daemon().unstarted(this::serve);

        Sender() throws IOException {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.start();
        }

        private void serve() {
            try {
                new BlockServer((_, from, rows) -> block.slice(from, rows), account)
                        .serve(Link.accepted(listening.accept(), null));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private BlockPeer peer() throws IOException {
            int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
            return new BlockPeer("the sender", false, () -> Link.connect("127.0.0.1", port, null, 10_000));
        }

        /// The peer is closed by then.
        @Override
        public void close() throws Exception {
            server.join();
            listening.close();
            block.close();
            account.close();
        }
    }

    private static Block largeBlock() {
        MemorySegment memory = ZeroedMemory.allocate(ROWS * Long.BYTES);
        for (long row : MARKED) {
            memory.setAtIndex(JAVA_LONG, row, row + 7);
        }
        Buffer values = Buffer.foreign(memory, () -> ZeroedMemory.free(memory));
        LongColumn ids = new LongColumn(DataType.INT64, ROWS, values, null, 0, 0);
        return Block.of(Schema.of("id", DataType.INT64), List.of(ids), ROWS);
    }

    /// Memory of the C library, which does not touch it: pages come with the first write. Java writes to all that it
    /// allocates.
    private static final class ZeroedMemory {
        private static final Linker C = Linker.nativeLinker();

        static MemorySegment allocate(long bytes) {
            try {
                MethodHandle calloc = C.downcallHandle(
                        C.defaultLookup().findOrThrow("calloc"), FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
                MemorySegment memory = (MemorySegment) calloc.invokeExact(bytes, 1L);
                assertThat(memory.address()).as("address of %d bytes", bytes).isNotZero();
                return memory.reinterpret(bytes);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }

        static void free(MemorySegment memory) {
            try {
                C.downcallHandle(C.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ADDRESS))
                        .invokeExact(memory);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void requireRows(Block fetched, long from, long rows) {
        assertThat(fetched.rows()).isEqualTo(rows);
        LongColumn ids = (LongColumn) fetched.column(0);
        for (long row : MARKED) {
            if (row >= from && row < from + rows) {
                assertThat(ids.get(row - from)).isEqualTo(row + 7);
            }
        }
    }

    @Test
    void aBlockAboveTwoGibibytesIsFetchedInSlicesAndWhole() throws Exception {
        try (Sender sender = new Sender();
                Allocator receiver = Allocator.root("receiver", 3L << 30);
                BlockPeer peer = sender.peer()) {
            assertThat(sender.block.sizeBytes()).isGreaterThan(Integer.MAX_VALUE);
            long from = (1 << 28) - 10;
            try (Block last = peer.fetch(1, from, ROWS - from, null, receiver)) {
                requireRows(last, from, ROWS - from);
            }
            try (Block whole = peer.fetch(1, 0, ROWS, null, receiver)) {
                requireRows(whole, 0, ROWS);
            }
        }
    }

    @Test
    void aReceiverThatHasNotTheMemoryForItSaysHowMuchItNeeds() throws Exception {
        try (Sender sender = new Sender();
                Allocator receiver = Allocator.root("receiver", 1L << 30);
                BlockPeer peer = sender.peer()) {
            assertThatThrownBy(() -> peer.fetch(1, 0, ROWS, null, receiver))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("'receiver' holds 0 of 1073741824 bytes of block memory; receiver needs 2");
        }
    }
}
