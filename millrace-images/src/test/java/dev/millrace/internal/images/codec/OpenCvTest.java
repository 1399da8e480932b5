package dev.millrace.internal.images.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenCvTest {
    @Test
    void aPlatformWithoutLibrariesIsToldWhichToAdd() {
        assertThat(OpenCv.missing("macosx-arm64"))
                .isEqualTo(
                        "Images are decoded by OpenCV, whose libraries for macosx-arm64 do not load. Add the artifacts"
                                + " org.bytedeco:opencv, org.bytedeco:openblas and org.bytedeco:javacpp with the classifier"
                                + " 'macosx-arm64' to the class path, in the versions of millrace-images.");
    }

    @Test
    void theLibrariesOfThisPlatformLayMatricesOutAsExpected() {
        OpenCv.require();
        assertThat(MatHeader.isAsExpected()).isTrue();
    }
}
