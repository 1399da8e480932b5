package dev.millrace.models;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.models.text.MiniLm;
import dev.millrace.internal.models.text.TokenizerFile;
import dev.millrace.internal.models.text.WordPieceEncoder;
import dev.millrace.internal.models.text.WordPieceRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Makes the numbers of texts that a language model takes: WordPiece, as BERT and most sentence models have it. The
/// same numbers as Hugging Face's `tokenizers` for the same file. Immutable; any thread.
///
/// For datasets, [Tokenize] is the function for `mapBatches`.
public final class Tokenizer {
    private final WordPieceRules rules;

    private Tokenizer(WordPieceRules rules) {
        this.rules = rules;
    }

    /// Reads a tokeniser's file.
    ///
    /// @param file Hugging Face's `tokenizer.json`, or a `vocab.txt` (of a model that was trained on lower case)
    /// @throws MillraceException culprit USER, when it cannot be read or is a tokeniser of another kind
    public static Tokenizer load(Path file) {
        try {
            return new Tokenizer(TokenizerFile.read(file.toString(), Files.readAllBytes(file)));
        } catch (IOException e) {
            throw MillraceException.user("The tokeniser '" + file + "' cannot be read: " + e);
        }
    }

    /// The one of all-MiniLM-L6-v2, from the artifact that [TextEmbedding#miniLm] takes the model from; at most 256
    /// tokens, as the model was made for.
    public static Tokenizer miniLm() {
        return of(MiniLm.tokenizer());
    }

    static Tokenizer of(WordPieceRules rules) {
        return new Tokenizer(rules);
    }

    /// Longer texts lose their end. Without it, what the file says, or 512.
    ///
    /// @param tokens those that the tokeniser adds (`[CLS]` and `[SEP]`) counted
    public Tokenizer maxLength(int tokens) {
        int added = rules.prefix().size() + rules.suffix().size();
        if (tokens <= added) {
            throw MillraceException.user("maxLength must be more than the " + added
                    + " tokens that are added to each text, not " + tokens + ".");
        }
        return new Tokenizer(rules.withMaxLength(tokens));
    }

    /// The most tokens of a text.
    public int maxLength() {
        return rules.maxLength();
    }

    /// The numbers of a text, with those that the tokeniser adds.
    public int[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        WordPieceEncoder encoder = new WordPieceEncoder(rules);
        int count = encoder.encode(bytes, 0, bytes.length);
        return Arrays.copyOf(encoder.ids(), count);
    }

    /// The piece of text that a number stands for: `play`, `##ing`, `[SEP]`.
    public String token(int id) {
        if (id < 0 || id >= size() || rules.vocabulary().piece(id) == null) {
            throw MillraceException.user("The tokeniser has no token " + id + ".");
        }
        return rules.vocabulary().piece(id);
    }

    /// One more than the largest number.
    public int size() {
        return rules.vocabulary().size();
    }

    WordPieceRules rules() {
        return rules;
    }
}
