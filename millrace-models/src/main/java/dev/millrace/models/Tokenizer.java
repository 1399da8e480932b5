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

/// Encodes texts as token ids for a language model: WordPiece, which BERT and most sentence models use. The ids equal
/// those of Hugging Face's `tokenizers` for the same file. Immutable; any thread.
///
/// For datasets, [Tokenize] is the function for `mapBatches`.
public final class Tokenizer {
    private final WordPieceRules rules;

    private Tokenizer(WordPieceRules rules) {
        this.rules = rules;
    }

    /// Reads a tokeniser's file.
    ///
    /// @param file Hugging Face's `tokenizer.json`, or a `vocab.txt` (of an uncased model)
    /// @throws MillraceException culprit USER, if it cannot be read or is a tokeniser of another kind
    public static Tokenizer load(Path file) {
        try {
            return new Tokenizer(TokenizerFile.read(file.toString(), Files.readAllBytes(file)));
        } catch (IOException e) {
            throw MillraceException.user("The tokeniser '" + file + "' cannot be read: " + e);
        }
    }

    /// The tokeniser of all-MiniLM-L6-v2, from the artifact that contains the model of [TextEmbedding#miniLm]; at most
    /// 256 tokens, which the model was designed for.
    public static Tokenizer miniLm() {
        return of(MiniLm.tokenizer());
    }

    static Tokenizer of(WordPieceRules rules) {
        return new Tokenizer(rules);
    }

    /// Truncates longer texts. The default is the limit in the file, or 512.
    ///
    /// @param tokens including those that the tokeniser adds (`[CLS]` and `[SEP]`)
    public Tokenizer maxLength(int tokens) {
        int added = rules.prefix().size() + rules.suffix().size();
        if (tokens <= added) {
            throw MillraceException.user("maxLength must be more than the " + added
                    + " tokens that are added to each text, not " + tokens + ".");
        }
        return new Tokenizer(rules.withMaxLength(tokens));
    }

    /// The maximum number of tokens of a text.
    public int maxLength() {
        return rules.maxLength();
    }

    /// The token ids of a text, including those that the tokeniser adds.
    public int[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        WordPieceEncoder encoder = new WordPieceEncoder(rules);
        int count = encoder.encode(bytes, 0, bytes.length);
        return Arrays.copyOf(encoder.ids(), count);
    }

    /// The piece of text of a token id: `play`, `##ing`, `[SEP]`.
    public String token(int id) {
        if (id < 0 || id >= size() || rules.vocabulary().piece(id) == null) {
            throw MillraceException.user("The tokeniser has no token " + id + ".");
        }
        return rules.vocabulary().piece(id);
    }

    /// The largest token id plus one.
    public int size() {
        return rules.vocabulary().size();
    }

    WordPieceRules rules() {
        return rules;
    }
}
