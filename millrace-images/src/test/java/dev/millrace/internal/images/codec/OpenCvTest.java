package dev.millrace.internal.images.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class OpenCvTest {
    @Test
    void theLibrariesOfThisPlatformAreOnTheClassPath() {
        OpenCv.requirePresent();
    }

    @Test
    void theLibrariesOfThisPlatformLayMatricesOutAsExpected() {
        OpenCv.require();
        assertThat(MatHeader.isAsExpected()).isTrue();
    }

    /// Nothing is read or written at the address.
    @Test
    void anImageOfMorePixelsThanAnIntCountsEndsBehindItsBeginning() {
        OpenCv.require();
        MatHeader header = new MatHeader();
        MemorySegment far = MemorySegment.ofAddress(1L << 40);
        header.pointAt(far, 50_000, 50_000, MatHeader.THREE_CHANNELS);
        assertThat(header.mat().dataend().address() - far.address()).isEqualTo(7_500_000_000L);
        header.release();
    }
}
