package dev.millrace.internal.buffer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrowingBufferTest {
    private final Allocator allocator = Allocator.root("test", 1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void itTakesNoMemoryBeforeTheFirstByteAndThenAtLeastTheFirstBytes() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, 100)) {
            assertThat(bytes.heldBytes()).isZero();
            bytes.putByte(1);
            assertThat(bytes.capacity()).isEqualTo(100);
            assertThat(bytes.heldBytes()).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void contentsStayWhenItGrowsAndItGrowsByDoubling() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, 8)) {
            for (int i = 0; i < 1000; i++) {
                bytes.putInt(i);
            }
            assertThat(bytes.size()).isEqualTo(4000);
            assertThat(bytes.capacity()).isEqualTo(4096);
            for (int i = 0; i < 1000; i++) {
                assertThat(bytes.contents().get(JAVA_INT_UNALIGNED, 4L * i)).isEqualTo(i);
            }
        }
    }

    @Test
    void itGrowsToWhatIsNeededWhereThatIsMore() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, 8)) {
            bytes.putLong(7);
            bytes.reserve(1000);
            assertThat(bytes.capacity()).isEqualTo(1008);
            bytes.reserveTotal(1000);
            assertThat(bytes.capacity()).isEqualTo(1008);
        }
    }

    @Test
    void whereTheSizeIsKnownItTakesNoMoreThanThat() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, Growth.from(512).upTo(600, _ -> tooLarge()))) {
            bytes.reserveExactly(100);
            assertThat(bytes.capacity()).isEqualTo(100);
            bytes.put(new byte[100]);
            bytes.reserveExactly(7);
            assertThat(bytes.capacity()).isEqualTo(107);
            bytes.reserveExactly(5);
            assertThat(bytes.capacity()).isEqualTo(107);
            bytes.reserve(8);
            assertThat(bytes.capacity()).isEqualTo(512);
            assertThatThrownBy(() -> bytes.reserveExactly(501)).hasMessage("too large");
        }
    }

    private static RuntimeException tooLarge() {
        return new IllegalStateException("too large");
    }

    @Test
    void valuesAreLittleEndianOneBehindTheOther() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, 1)) {
            bytes.putByte(-1);
            bytes.putInt(0x01020304);
            bytes.putLong(-2);
            bytes.putFloat(1.5f);
            bytes.putDouble(2.5);
            bytes.put(new byte[] {1, 2, 3});
            bytes.put(new byte[] {4, 5, 6}, 2);
            bytes.put(MemorySegment.ofArray(new byte[] {7, 8, 9}), 1, 2);

            MemorySegment all = bytes.contents();
            assertThat(all.get(JAVA_BYTE, 0)).isEqualTo((byte) -1);
            assertThat(all.get(JAVA_BYTE, 1)).isEqualTo((byte) 4);
            assertThat(all.get(JAVA_LONG_UNALIGNED, 5)).isEqualTo(-2);
            assertThat(all.get(JAVA_FLOAT_UNALIGNED, 13)).isEqualTo(1.5f);
            assertThat(all.get(JAVA_DOUBLE_UNALIGNED, 17)).isEqualTo(2.5);
            assertThat(all.asSlice(25).toArray(JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5, 8, 9);
        }
    }

    @Test
    void varintsTakeAsManyBytesAsTheySay() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, 1)) {
            for (long value : new long[] {0, 1, 127, 128, 300, Integer.MAX_VALUE, Long.MAX_VALUE, -1}) {
                bytes.clear();
                bytes.putVarint(value);
                assertThat(bytes.size()).isEqualTo(GrowingBuffer.varintSize(value));
                long read = 0;
                for (int i = 0; i < bytes.size(); i++) {
                    read |= (bytes.memory().get(JAVA_BYTE, i) & 0x7FL) << 7 * i;
                }
                assertThat(read).isEqualTo(value);
            }
            bytes.clear();
            bytes.putZigzag(-3);
            bytes.putZigzag(Long.MIN_VALUE);
            assertThat(bytes.memory().get(JAVA_BYTE, 0)).isEqualTo((byte) 5);
            assertThat(bytes.size()).isEqualTo(11);
        }
    }

    @Test
    void behindAllThatFitsLiesTheSlack() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, Growth.from(10).withSlack(16))) {
            assertThat(bytes.reserve(10).byteSize()).isEqualTo(26);
            assertThat(bytes.capacity()).isEqualTo(10);
            assertThat(bytes.room(10).byteSize()).isEqualTo(10);
        }
    }

    @Test
    void itGrowsUpToItsLimitAndRefusesMoreWithTheErrorItWasGiven() {
        Growth growth = Growth.from(10).upTo(25, needed -> MillraceException.data("no " + needed + " bytes"));
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, growth)) {
            bytes.put(new byte[13]);
            bytes.put(new byte[11]);
            assertThat(bytes.capacity()).isEqualTo(25);
            bytes.putByte(0);
            assertThatThrownBy(() -> bytes.putByte(0))
                    .isInstanceOf(MillraceException.class)
                    .hasMessage("no 26 bytes");
            assertThat(bytes.size()).isEqualTo(25);
        }
    }

    @Test
    void newMemoryIsZeroWhereThatIsAskedFor() {
        Buffer dirty = allocator.allocate(4096);
        dirty.segment().fill((byte) 1);
        dirty.release();
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, Growth.from(64).withZeros())) {
            bytes.putLong(42);
            bytes.reserveTotal(4096);
            assertThat(bytes.memory().get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(42);
            for (long at = 8; at < 4096; at += 8) {
                assertThat(bytes.memory().get(JAVA_LONG_UNALIGNED, at)).isZero();
            }
        }
    }

    @Test
    void whatIsTakenBelongsToTheTakerAndItBeginsAnew() {
        GrowingBuffer bytes = new GrowingBuffer(allocator, 8);
        bytes.putLong(42);
        Buffer taken = bytes.take();
        assertThat(bytes.size()).isZero();
        assertThat(bytes.capacity()).isZero();
        bytes.putByte(1);
        bytes.close();
        bytes.close();
        assertThat(taken.segment().get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(42);
        taken.release();
    }

    @Test
    void whatItHoldsStaysWhereMemoryIsRefused() {
        try (GrowingBuffer bytes = new GrowingBuffer(allocator, 8)) {
            bytes.putLong(42);
            assertThatThrownBy(() -> bytes.reserve(1 << 21)).isInstanceOf(MillraceException.class);
            assertThat(bytes.contents().get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(42);
        }
    }
}
