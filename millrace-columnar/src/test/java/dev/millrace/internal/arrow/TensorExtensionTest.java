package dev.millrace.internal.arrow;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.millrace.error.MillraceException;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.junit.jupiter.api.Test;

class TensorExtensionTest {
    @Test
    void metadataWithoutAValueIsATensorWithoutAShape() {
        FlatBufferBuilder out = new FlatBufferBuilder();
        int itemType = FloatingPoint.createFloatingPoint(out, Precision.SINGLE);
        int item = Field.createField(out, out.createString("item"), true, Type.FloatingPoint, itemType, 0, 0, 0);
        int children = Field.createChildrenVector(out, new int[] {item});
        int name = KeyValue.createKeyValue(
                out, out.createString(TensorExtension.NAME_KEY), out.createString("arrow.fixed_shape_tensor"));
        int noValue = KeyValue.createKeyValue(out, out.createString(TensorExtension.METADATA_KEY), 0);
        int metadata = Field.createCustomMetadataVector(out, new int[] {name, noValue});
        int listType = FixedSizeList.createFixedSizeList(out, 6);
        int field = Field.createField(
                out, out.createString("image"), true, Type.FixedSizeList, listType, 0, children, metadata);
        int fields = Schema.createFieldsVector(out, new int[] {field});
        out.finish(Schema.createSchema(out, Endianness.Little, fields, 0, 0));

        assertThatThrownBy(() -> SchemaReader.read(Schema.getRootAsSchema(out.dataBuffer()), "Arrow stream"))
                .isInstanceOf(MillraceException.class)
                .hasMessage("Arrow stream: field 'image': a tensor without a shape: .");
    }
}
