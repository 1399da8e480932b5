package dev.millrace.internal.images.codec;

import static org.assertj.core.api.Assertions.assertThat;

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
}
