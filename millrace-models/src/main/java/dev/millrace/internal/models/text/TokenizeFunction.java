package dev.millrace.internal.models.text;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.batch.Batch;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.TensorBuilder;
import dev.millrace.function.BatchFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Adds the columns `input_ids` and `attention_mask`. Owned by one actor.
public final class TokenizeFunction implements BatchFunction {
    private static final long serialVersionUID = 1L;

    private final transient WordPieceRules rules;
    private final transient WordPieceEncoder encoder;
    private final String column;
    private final boolean padded;

    public TokenizeFunction(WordPieceRules rules, String column, boolean padded) {
        this.rules = rules;
        this.encoder = new WordPieceEncoder(rules);
        this.column = column;
        this.padded = padded;
    }

    /// The columns that are added.
    ///
    /// @param length the length of each value if they are padded
    public static List<Field> fields(boolean padded, int length) {
        DataType type = padded ? DataType.tensor(DataType.INT64, length) : DataType.list(DataType.INT64);
        return List.of(new Field("input_ids", type), new Field("attention_mask", type));
    }

    @Override
    public Batch apply(Batch batch) {
        TextColumn texts = new TextColumn(batch, column, encoder);
        List<Field> added = fields(padded, rules.maxLength());
        ColumnBuilder ids = batch.newColumn(added.get(0).type());
        ColumnBuilder mask = batch.newColumn(added.get(1).type());
        for (long row = 0; row < batch.rows(); row++) {
            if (texts.isNull(row)) {
                ids.appendNull();
                mask.appendNull();
                continue;
            }
            int count = texts.encode(row);
            if (padded) {
                fill((TensorBuilder) ids, (TensorBuilder) mask, count);
            } else {
                list((ListBuilder) ids, (ListBuilder) mask, count);
            }
        }
        return batch.with(added.get(0).name(), ids).with(added.get(1).name(), mask);
    }

    private void fill(TensorBuilder ids, TensorBuilder mask, int count) {
        MemorySegment numbers = ids.appendUninitialised();
        MemorySegment truths = mask.appendUninitialised();
        for (int i = 0; i < rules.maxLength(); i++) {
            numbers.setAtIndex(JAVA_LONG, i, i < count ? encoder.ids()[i] : rules.padding());
            truths.setAtIndex(JAVA_LONG, i, i < count ? 1 : 0);
        }
    }

    private void list(ListBuilder ids, ListBuilder mask, int count) {
        for (int i = 0; i < count; i++) {
            ((LongBuilder) ids.elements()).append(encoder.ids()[i]);
            ((LongBuilder) mask.elements()).append(1);
        }
        ids.endValue();
        mask.endValue();
    }
}
