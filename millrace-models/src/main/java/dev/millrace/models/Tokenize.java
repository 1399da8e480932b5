package dev.millrace.models;

import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.function.OutputSchema;
import dev.millrace.internal.models.AddedColumns;
import dev.millrace.internal.models.text.TokenizeFunction;
import dev.millrace.type.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Adds the token ids of a text column as columns `input_ids` and `attention_mask`, for any model that has these
/// inputs:
///
/// ```java
/// dataset.mapBatches(Tokenize.with("model/tokenizer.json").column("review").maxLength(128))
/// ```
///
/// Each is a tensor (int64, [maxLength]), padded with the tokeniser's padding id and with zeros. With [#unpadded] it is
/// a list as long as the text. Nulls stay null. Created once per actor. Immutable and serialisable.
public final class Tokenize implements Factory<BatchFunction>, OutputSchema {
    private static final long serialVersionUID = 1L;

    /// Null: MiniLM.
    private final @Nullable String file;

    private final String column;
    /// 0: the tokeniser's limit.
    private final int maxLength;

    private final boolean padded;

    private Tokenize(@Nullable String file, String column, int maxLength, boolean padded) {
        this.file = file;
        this.column = column;
        this.maxLength = maxLength;
        this.padded = padded;
    }

    /// Uses the tokeniser of a file.
    ///
    /// @param file see [Tokenizer#load]; it is read on the machines where the actors run
    public static Tokenize with(String file) {
        return new Tokenize(file, "text", 0, true);
    }

    /// Uses [Tokenizer#miniLm].
    public static Tokenize miniLm() {
        return new Tokenize(null, "text", 0, true);
    }

    /// The column of texts; `text` by default.
    public Tokenize column(String name) {
        return new Tokenize(file, name, maxLength, padded);
    }

    /// See [Tokenizer#maxLength(int)].
    public Tokenize maxLength(int tokens) {
        if (tokens < 1) {
            throw MillraceException.user("maxLength must be 1 or more tokens, not " + tokens + ".");
        }
        return new Tokenize(file, column, tokens, padded);
    }

    /// Returns lists that are as long as their texts.
    public Tokenize unpadded() {
        return new Tokenize(file, column, maxLength, false);
    }

    private Tokenizer tokenizer() {
        Tokenizer all = file == null ? Tokenizer.miniLm() : Tokenizer.load(Path.of(file));
        return maxLength == 0 ? all : all.maxLength(maxLength);
    }

    @Override
    public BatchFunction create() {
        return new TokenizeFunction(tokenizer().rules(), column, padded);
    }

    /// The columns of the batch, then `input_ids` and `attention_mask`. Empty if the tokeniser's file, which contains
    /// the length of padded lists, is not local.
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        AddedColumns.requireText("Tokenize", input, column);
        if (padded && maxLength == 0 && file != null && !Files.isRegularFile(Path.of(file))) {
            return Optional.empty();
        }
        int length = !padded ? 0 : maxLength == 0 ? tokenizer().maxLength() : maxLength;
        return Optional.of(AddedColumns.to(input, TokenizeFunction.fields(padded, length)));
    }
}
