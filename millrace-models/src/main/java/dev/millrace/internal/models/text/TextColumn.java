package dev.millrace.internal.models.text;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.batch.Batch;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.internal.models.AddedColumns;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A column of texts, tokenised row by row. One thread.
final class TextColumn {
    private final Column column;
    private final StringColumn texts;
    private final WordPieceEncoder encoder;
    private byte[] bytes = new byte[1 << 10];

    /// @throws MillraceException culprit USER, if the column is missing or does not contain strings
    TextColumn(Batch batch, String name, WordPieceEncoder encoder) {
        this.column = batch.column(name);
        this.encoder = encoder;
        Column plain = column instanceof DictionaryColumn words ? words.dictionary() : column;
        if (!(plain instanceof StringColumn strings)) {
            throw AddedColumns.notText(name, column.type());
        }
        this.texts = strings;
    }

    boolean isNull(long row) {
        return column.isNull(row);
    }

    /// Encodes a row; its tokens are then in the encoder.
    int encode(long row) {
        long index = column instanceof DictionaryColumn words ? words.index(row) : row;
        int length = texts.byteLength(index);
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        MemorySegment.copy(texts.dataSegment(), JAVA_BYTE, texts.start(index), bytes, 0, length);
        return encoder.encode(bytes, 0, length);
    }
}
