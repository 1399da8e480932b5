package dev.millrace.parquet;

import dev.millrace.error.MillraceException;
import dev.millrace.sink.WriteFormatOptions;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options for writing Parquet files: `WriteParquet.defaults().compression(ParquetCompression.ZSTD)`.
///
/// @param compression of all columns without one of their own
/// @param rowGroups when a row group ends
/// @param pages when a page ends, and its layout
/// @param dictionaryBytes a column whose dictionary in one row group would be larger than this continues without one; 0
///     for no dictionaries
/// @param columns options of single columns, by name; a nested column is named with dots (`list.element`), and a name
///     includes everything below it
/// @param properties key-value pairs for the file's footer
public record WriteParquet(
        Compressed compression,
        RowGroups rowGroups,
        Pages pages,
        long dictionaryBytes,
        Map<String, Column> columns,
        Map<String, String> properties)
        implements WriteFormatOptions {
    private static final WriteParquet DEFAULTS = new WriteParquet(
            Compressed.by(ParquetCompression.SNAPPY),
            new RowGroups(1 << 20, 64 << 20),
            new Pages(1 << 20, 20_000, false, false),
            1 << 20,
            Map.of(),
            Map.of());

    /// A compression codec with its level, 0 if it has none.
    public record Compressed(ParquetCompression kind, int level) implements Serializable {
        public Compressed {
            if (!kind.hasLevel(level)) {
                throw MillraceException.user("The compression " + kind + " has no level " + level + ".");
            }
        }

        static Compressed by(ParquetCompression kind) {
            return new Compressed(kind, kind.defaultLevel());
        }
    }

    /// A row group ends at this number of rows, or when its pages, encoded and compressed, reach this number of bytes,
    /// which a task holds in memory until then.
    public record RowGroups(long rows, long bytes) implements Serializable {
        public RowGroups {
            if (rows < 1 || bytes < 1) {
                throw MillraceException.user(
                        "A row group has 1 or more rows and bytes, not " + rows + " and " + bytes + ".");
            }
        }
    }

    /// A page ends at this number of rows, or when its values reach this number of bytes before compression.
    ///
    /// @param v2 data page version 2, whose levels are not compressed
    /// @param checksums whether each page gets a CRC-32
    public record Pages(long bytes, int rows, boolean v2, boolean checksums) implements Serializable {
        public Pages {
            if (rows < 1 || bytes < 1 || bytes > 1 << 30) {
                throw MillraceException.user("A page has 1 or more rows and 1 byte to 1 GiB, not " + rows + " rows and "
                        + bytes + " bytes.");
            }
        }
    }

    /// Options of one column.
    ///
    /// @param compression null for that of the file
    /// @param encoding null for a dictionary as long as it pays
    /// @param bloomFilter whether each row group gets a bloom filter, which excludes most values that are not in it
    public record Column(
            @Nullable Compressed compression, @Nullable ParquetEncoding encoding, boolean bloomFilter)
            implements Serializable {
        static final Column UNSAID = new Column(null, null, false);
    }

    public WriteParquet {
        if (dictionaryBytes < 0 || dictionaryBytes > 1 << 30) {
            throw MillraceException.user("A dictionary has 0 bytes to 1 GiB, not " + dictionaryBytes + ".");
        }
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /// Snappy; row groups of 1,048,576 rows or 64 MiB; pages of 20,000 rows or 1 MiB; dictionaries up to 1 MiB.
    public static WriteParquet defaults() {
        return DEFAULTS;
    }

    private WriteParquet compression(Compressed other) {
        return new WriteParquet(other, rowGroups, pages, dictionaryBytes, columns, properties);
    }

    /// The compression of all columns, at the codec's default level.
    public WriteParquet compression(ParquetCompression kind) {
        return compression(Compressed.by(kind));
    }

    /// The compression of all columns, at this level of the codec.
    public WriteParquet compression(ParquetCompression kind, int level) {
        return compression(new Compressed(kind, level));
    }

    /// The maximum number of rows of a row group.
    public WriteParquet rowGroupRows(long rows) {
        return rowGroups(new RowGroups(rows, rowGroups.bytes));
    }

    /// A row group ends when its compressed pages reach this number of bytes.
    public WriteParquet rowGroupBytes(long bytes) {
        return rowGroups(new RowGroups(rowGroups.rows, bytes));
    }

    private WriteParquet rowGroups(RowGroups other) {
        return new WriteParquet(compression, other, pages, dictionaryBytes, columns, properties);
    }

    /// The maximum number of rows of a page.
    public WriteParquet pageRows(int rows) {
        return pages(new Pages(pages.bytes, rows, pages.v2, pages.checksums));
    }

    /// A page ends at about this number of bytes.
    public WriteParquet pageBytes(long bytes) {
        return pages(new Pages(bytes, pages.rows, pages.v2, pages.checksums));
    }

    /// Writes data pages of version 2.
    public WriteParquet dataPagesV2() {
        return pages(new Pages(pages.bytes, pages.rows, true, pages.checksums));
    }

    /// Writes a CRC-32 for each page.
    public WriteParquet checksums() {
        return pages(new Pages(pages.bytes, pages.rows, pages.v2, true));
    }

    private WriteParquet pages(Pages other) {
        return new WriteParquet(compression, rowGroups, other, dictionaryBytes, columns, properties);
    }

    /// The maximum size of a column's dictionary; a column that would exceed it continues without one.
    public WriteParquet dictionaryBytes(long bytes) {
        return new WriteParquet(compression, rowGroups, pages, bytes, columns, properties);
    }

    /// Writes all columns in plain encoding.
    public WriteParquet withoutDictionaries() {
        return dictionaryBytes(0);
    }

    /// The encoding of one column's values, instead of a dictionary.
    public WriteParquet encoding(String column, ParquetEncoding encoding) {
        Column said = said(column);
        return column(column, new Column(said.compression, encoding, said.bloomFilter));
    }

    /// The compression of one column, at the codec's default level.
    public WriteParquet compression(String column, ParquetCompression kind) {
        Column said = said(column);
        return column(column, new Column(Compressed.by(kind), said.encoding, said.bloomFilter));
    }

    /// The compression of one column, at this level of the codec.
    public WriteParquet compression(String column, ParquetCompression kind, int level) {
        Column said = said(column);
        return column(column, new Column(new Compressed(kind, level), said.encoding, said.bloomFilter));
    }

    /// Writes a bloom filter of one column, which lets readers skip row groups that do not contain a value.
    public WriteParquet bloomFilter(String column) {
        Column said = said(column);
        return column(column, new Column(said.compression, said.encoding, true));
    }

    private Column said(String column) {
        return columns.getOrDefault(column, Column.UNSAID);
    }

    private WriteParquet column(String name, Column column) {
        Map<String, Column> all = new LinkedHashMap<>(columns);
        all.put(name, column);
        return new WriteParquet(compression, rowGroups, pages, dictionaryBytes, all, properties);
    }

    /// Adds a key-value pair to the footer.
    public WriteParquet property(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put(key, value);
        return new WriteParquet(compression, rowGroups, pages, dictionaryBytes, columns, all);
    }
}
