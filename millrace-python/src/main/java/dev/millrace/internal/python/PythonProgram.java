package dev.millrace.internal.python;

import dev.millrace.function.ExternalFunction;
import dev.millrace.internal.transform.RowJson;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a Python worker runs, and how.
///
/// @param file the path of the user's file, or the name of an installed module
/// @param source the file's text; null for a module
/// @param name of the class or function
/// @param format null for that of the verb
/// @param output the declared columns of the results, or null
/// @param timeout of a call; null for none
/// @param memoryLimit bytes; 0 for none
public record PythonProgram(
        String file,
        @Nullable String source,
        String name,
        PythonArguments arguments,
        @Nullable BatchFormat format,
        @Nullable Schema output,
        PythonInterpreter interpreter,
        @Nullable Duration timeout,
        long memoryLimit)
        implements Serializable {

    public static PythonProgram of(String file, @Nullable String source, String name) {
        return new PythonProgram(
                file, source, name, PythonArguments.NONE, null, null, PythonInterpreter.DEFAULT, null, 0);
    }

    public PythonProgram with(PythonArguments other) {
        return new PythonProgram(file, source, name, other, format, output, interpreter, timeout, memoryLimit);
    }

    public PythonProgram with(BatchFormat other) {
        return new PythonProgram(file, source, name, arguments, other, output, interpreter, timeout, memoryLimit);
    }

    public PythonProgram with(Schema other) {
        return new PythonProgram(file, source, name, arguments, format, other, interpreter, timeout, memoryLimit);
    }

    public PythonProgram with(PythonInterpreter other) {
        return new PythonProgram(file, source, name, arguments, format, output, other, timeout, memoryLimit);
    }

    public PythonProgram withTimeout(Duration other) {
        return new PythonProgram(file, source, name, arguments, format, output, interpreter, other, memoryLimit);
    }

    public PythonProgram withMemoryLimit(long other) {
        return new PythonProgram(file, source, name, arguments, format, output, interpreter, timeout, other);
    }

    /// "model.py"
    public String fileName() {
        Path last = Path.of(file).getFileName();
        return source == null || last == null ? file : last.toString();
    }

    /// The first order to a worker, as JSON.
    ///
    /// @param use null for a source
    /// @param splits of a source
    String startOrder(ExternalFunction.@Nullable Use use, int splits) {
        boolean rows = use == ExternalFunction.Use.MAP
                || use == ExternalFunction.Use.FILTER
                || use == ExternalFunction.Use.FLAT_MAP;
        BatchFormat chosen = format != null ? format : rows ? BatchFormat.ROWS : BatchFormat.NUMPY;
        Map<String, @Nullable Object> order = new LinkedHashMap<>();
        order.put("file", file);
        order.put("source", source);
        order.put("name", name);
        order.put("format", chosen.name());
        order.put("use", use == null ? "SOURCE" : use.name());
        order.put("waits", use == null || use == ExternalFunction.Use.FLAT_MAP_BATCHES);
        order.put("splits", splits);
        order.put("memory", memoryLimit);
        String head = RowJson.of(order);
        return head.substring(0, head.length() - 1) + ",\"args\":" + arguments.positions() + ",\"kwargs\":"
                + arguments.byName() + "}";
    }
}
