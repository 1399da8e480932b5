package dev.millrace.internal.iceberg;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.JsonUtil;

/// A data file with its metrics as text, on its way from a task to the commit.
public final class DataFileJson {
    private DataFileJson() {}

    static String of(DataFile file, PartitionSpec spec) {
        return ContentFileParser.toJson(file, spec);
    }

    public static DataFile read(String json, Table table) {
        try {
            return (DataFile) ContentFileParser.fromJson(JsonUtil.mapper().readTree(json), table.specs());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a data file that was written cannot be read back: " + e.getMessage(), e);
        }
    }
}
