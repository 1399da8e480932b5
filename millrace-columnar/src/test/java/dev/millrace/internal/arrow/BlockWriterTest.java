package dev.millrace.internal.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.ListColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The width of offsets, which the first block decides.
class BlockWriterTest {
    private static final Schema TEXT = Schema.of("text", DataType.UTF8);

    private Allocator allocator;

    @BeforeEach
    void open() {
        allocator = Allocator.root("writer", 1L << 28);
    }

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    private Block narrow(String... values) {
        return Block.of(TEXT, List.of(Columns.ofStrings(allocator, values)), values.length);
    }

    /// The same values with 64-bit offsets.
    private Block wide(String... values) {
        StringColumn narrow = Columns.ofStrings(allocator, values);
        Buffer offsets = wide(narrow);
        Column column =
                new StringColumn(values.length, offsets, 8, narrow.dataBuffer().retain(), null, 0, 0);
        narrow.release();
        return Block.of(TEXT, List.of(column), values.length);
    }

    private Buffer wide(OffsetColumn column) {
        Buffer offsets = allocator.allocate((column.length() + 1) * 8);
        for (long i = 0; i <= column.length(); i++) {
            offsets.segment().setAtIndex(ValueLayout.JAVA_LONG, i, column.start(i));
        }
        return offsets;
    }

    /// Each batch as its offset width and its values, with 32-bit offsets that reach to `limit`.
    private List<String> written(Schema schema, long limit, Block... blocks) {
        MessageOutput.ToMemory memory = new MessageOutput.ToMemory();
        Buffer bytes;
        try (BlockWriter writer = new BlockWriter(memory, schema, IpcCompression.NONE, allocator, false, limit)) {
            for (Block block : blocks) {
                writer.write(block);
            }
            writer.finish();
            bytes = memory.toBuffer(allocator);
        } finally {
            List.of(blocks).forEach(Block::close);
        }
        List<String> batches = new ArrayList<>();
        try (StreamDecoder decoder = new StreamDecoder(IpcInputs.memory(bytes, allocator), allocator)) {
            for (Block block = decoder.next(); block != null; block = decoder.next()) {
                OffsetColumn column = (OffsetColumn) block.column(0);
                List<Object> values = new ArrayList<>();
                for (long i = 0; i < column.length(); i++) {
                    values.add(column.value(i));
                }
                batches.add(column.offsetWidth() * 8 + " " + values);
                block.close();
            }
        }
        bytes.release();
        return batches;
    }

    @Test
    void aFirstBlockWithWideOffsetsMakesTheFieldLargeAndLaterOnesAreWidened() {
        assertThat(written(TEXT, 100, wide("a", "bc"), narrow("def", null)))
                .containsExactly("64 [a, bc]", "64 [def, null]");
    }

    @Test
    void aLaterBlockWithWideOffsetsIsNarrowedWhereItFits() {
        assertThat(written(TEXT, 100, narrow("a"), wide("bc", "def"))).containsExactly("32 [a]", "32 [bc, def]");
    }

    @Test
    void aLaterBlockThatDoesNotFitIsWrittenAsSeveralBatches() {
        assertThat(written(TEXT, 5, narrow("a"), wide("aaa", "bbb", "cc", "dd", "e", "f")))
                .containsExactly("32 [a]", "32 [aaa]", "32 [bbb, cc]", "32 [dd, e, f]");
    }

    @Test
    void elementsOfListsCountToo() {
        Schema schema = Schema.of("lists", DataType.list(DataType.UTF8));
        Column column = Columns.of(
                allocator, schema.type("lists"), List.of(List.of("aaa", "b"), List.of("cc", "d"), List.of("ee")));
        Block block = Block.of(schema, List.of(column), 3);
        assertThat(written(schema, 5, block)).containsExactly("32 [[aaa, b]]", "32 [[cc, d], [ee]]");
        assertThat(column).isInstanceOf(ListColumn.class);
    }

    @Test
    void oneValueThatIsTooLongIsAnError() {
        assertThatThrownBy(() -> written(TEXT, 5, narrow("a"), wide("b", "123456")))
                .isInstanceOf(MillraceException.class)
                .hasMessage("One value of column 'text' has more than 5 bytes or elements, beyond the 32-bit offsets"
                        + " that this Arrow data began with.");
    }

    @Test
    void aBlockOfAnotherSchemaIsRefused() {
        Block numbers = Block.of(Schema.of("n", DataType.INT64), List.of(Columns.ofLongs(allocator, 1)), 1);
        assertThatThrownBy(() -> written(TEXT, 5, numbers))
                .isInstanceOf(MillraceException.class)
                .hasMessage("A block of (n: int64) cannot be written to Arrow data of (text: utf8).");
    }
}
