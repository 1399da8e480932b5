package dev.millrace.parquet;

import dev.millrace.error.MillraceException;
import dev.millrace.sink.WriteFormatOptions;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Options of writing Parquet files: `WriteParquet.defaults().compression(ParquetCompression.ZSTD)`.
///
/// @param compression of all columns that have none of their own
/// @param rowGroups when a row group ends
/// @param pages when a page ends and how it is laid out
/// @param dictionaryBytes a column whose distinct values, in one row group, take more than this goes on without a
///     dictionary; 0: no dictionaries
/// @param columns what is said about single columns, by name; a nested one is named with dots (`list.element`), and a
///     name stands for all that lies below it
/// @param properties pairs that the file's footer carries
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

    /// A compression with its level, 0 where it has none.
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

    /// A row group ends when it has so many rows, or when its pages, encoded and compressed, have so many bytes, which
    /// a task holds in memory until then.
    public record RowGroups(long rows, long bytes) implements Serializable {
        public RowGroups {
            if (rows < 1 || bytes < 1) {
                throw MillraceException.user(
                        "A row group has 1 or more rows and bytes, not " + rows + " and " + bytes + ".");
            }
        }
    }

    /// A page ends when it has so many rows, or when its values have so many bytes before compression.
    ///
    /// @param v2 the newer layout, with levels outside of the compression
    /// @param checksums each page gets a CRC-32
    public record Pages(long bytes, int rows, boolean v2, boolean checksums) implements Serializable {
        public Pages {
            if (rows < 1 || bytes < 1 || bytes > 1 << 30) {
                throw MillraceException.user("A page has 1 or more rows and 1 byte to 1 GiB, not " + rows + " rows and "
                        + bytes + " bytes.");
            }
        }
    }

    /// What is said about one column.
    ///
    /// @param compression null: that of the file
    /// @param encoding null: a dictionary as long as that pays
    /// @param bloomFilter whether each row group gets a filter that tells most values that are not in it
    public record Column(Compressed compression, ParquetEncoding encoding, boolean bloomFilter)
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

    /// How pages of all columns are compressed, at the usual level.
    public WriteParquet compression(ParquetCompression kind) {
        return compression(Compressed.by(kind));
    }

    /// The same at a level of the compression's own.
    public WriteParquet compression(ParquetCompression kind, int level) {
        return compression(new Compressed(kind, level));
    }

    /// A row group has at most so many rows.
    public WriteParquet rowGroupRows(long rows) {
        return rowGroups(new RowGroups(rows, rowGroups.bytes));
    }

    /// A row group ends when its compressed pages have so many bytes.
    public WriteParquet rowGroupBytes(long bytes) {
        return rowGroups(new RowGroups(rowGroups.rows, bytes));
    }

    private WriteParquet rowGroups(RowGroups other) {
        return new WriteParquet(compression, other, pages, dictionaryBytes, columns, properties);
    }

    /// A page has at most so many rows.
    public WriteParquet pageRows(int rows) {
        return pages(new Pages(pages.bytes, rows, pages.v2, pages.checksums));
    }

    /// A page ends at about so many bytes.
    public WriteParquet pageBytes(long bytes) {
        return pages(new Pages(bytes, pages.rows, pages.v2, pages.checksums));
    }

    /// Data pages of version 2.
    public WriteParquet dataPagesV2() {
        return pages(new Pages(pages.bytes, pages.rows, true, pages.checksums));
    }

    /// Each page gets a CRC-32.
    public WriteParquet checksums() {
        return pages(new Pages(pages.bytes, pages.rows, pages.v2, true));
    }

    private WriteParquet pages(Pages other) {
        return new WriteParquet(compression, rowGroups, other, dictionaryBytes, columns, properties);
    }

    /// A column whose dictionary would be larger goes on without one.
    public WriteParquet dictionaryBytes(long bytes) {
        return new WriteParquet(compression, rowGroups, pages, bytes, columns, properties);
    }

    /// All columns as plain values.
    public WriteParquet withoutDictionaries() {
        return dictionaryBytes(0);
    }

    /// The encoding of one column's values, in place of a dictionary.
    public WriteParquet encoding(String column, ParquetEncoding encoding) {
        Column said = said(column);
        return column(column, new Column(said.compression, encoding, said.bloomFilter));
    }

    /// The compression of one column, at the usual level.
    public WriteParquet compression(String column, ParquetCompression kind) {
        Column said = said(column);
        return column(column, new Column(Compressed.by(kind), said.encoding, said.bloomFilter));
    }

    /// The compression of one column, at a level of its own.
    public WriteParquet compression(String column, ParquetCompression kind, int level) {
        Column said = said(column);
        return column(column, new Column(new Compressed(kind, level), said.encoding, said.bloomFilter));
    }

    /// Writes a bloom filter of one column, by which readers leave row groups out that lack a value.
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

    /// Adds a pair to the footer.
    public WriteParquet property(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put(key, value);
        return new WriteParquet(compression, rowGroups, pages, dictionaryBytes, columns, all);
    }
}
