package dev.millrace.internal.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnnxErrorsTest {
    private static OrtException failed(String message) {
        return new OrtException(OrtException.OrtErrorCode.ORT_RUNTIME_EXCEPTION, message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Non-zero status code returned while running Conv node. Status Message: /src/bfc_arena.cc:376 void*"
                        + " onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Failed to allocate memory for"
                        + " requested buffer of size 8589934592",
                "std::bad_alloc",
                "CUDA failure 2: out of memory ; GPU=0 ; hostname=a",
                "Available memory of 1048576 is smaller than requested bytes of 4194304",
            })
    void whatIsAboutMemoryIsToldApart(String message) {
        assertThat(OnnxErrors.isOutOfMemory(failed(message))).isTrue();
    }

    @Test
    void otherMessagesAreNotAboutMemory() {
        assertThat(OnnxErrors.isOutOfMemory(failed("Got invalid dimensions for input: x")))
                .isFalse();
        assertThat(OnnxErrors.isOutOfMemory(failed(null))).isFalse();
    }

    @Test
    void codesAndSourcesAreLeftOut() {
        OrtException failure = failed("Name:'' Status Message: /onnxruntime_src/core/concat.cc:83 virtual"
                + " onnxruntime::Concat::Compute(int, bool) inputs differ");
        assertThat(OnnxErrors.text(failure)).isEqualTo("Name:'' Status Message: inputs differ.");
    }
}
