package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads CSV files. Columns are matched by name in each file.
public record CsvFormat(ReadCsv options) implements ReadFormat {
    static final List<String> ENDINGS = List.of(".csv", ".tsv", ".tab", ".psv");

    @Override
    public String name() {
        return "CSV";
    }

    @Override
    public String verb() {
        return "readCsv";
    }

    @Override
    public List<String> endings() {
        return ENDINGS;
    }

    @Override
    public boolean isSplittable() {
        return !options.readsWholeFiles()
                && options.comment() < 0
                && !(options.skipsRaggedRows() && options.quote() >= 0);
    }

    CsvDialect dialect() {
        return new CsvDialect((byte) options.delimiter(), options.quote(), options.escape(), options.comment());
    }

    @Override
    public Schema schema(FileRange file, ReadContext context) throws IOException {
        CsvPreamble preamble = CsvPreamble.read(file, this, context);
        List<String> names = preamble.names();
        if (names.isEmpty()) {
            throw MillraceException.data("'" + file.path() + "' is empty: there is "
                    + (options.hasHeader() ? "no line with the names of the columns." : "no row to count columns by.")
                    + " Leave the file out, or give names by ReadCsv.names(...).");
        }
        requireUnique(file, names);
        Map<String, DataType> given = options.types();
        DataType[] guessed = names.stream().allMatch(given::containsKey)
                ? new DataType[names.size()]
                : new CsvSample(this, file, preamble, context).types();
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            fields.add(new Field(names.get(i), given.getOrDefault(names.get(i), guessed[i])));
        }
        return Schema.of(fields);
    }

    /// A column without values is inferred as text, which fits whatever comes later.
    @Override
    public Schema settle(Schema union) {
        for (String name : options.types().keySet()) {
            union.require(name, "ReadCsv.column");
        }
        return Schema.of(union.fields().stream()
                .map(field -> field.type().equals(DataType.NULL) ? new Field(field.name(), DataType.UTF8) : field)
                .toList());
    }

    static void requireUnique(FileRange range, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw MillraceException.data("'" + range.path() + "' has two columns named '" + name
                        + "', and names must be unique. Give others by ReadCsv.names(...).skipRows(1).");
            }
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        return CsvReader.open(this, range, wanted, context);
    }
}
