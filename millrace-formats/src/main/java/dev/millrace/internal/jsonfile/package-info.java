/// Reads and writes JSON files. A file's bytes are loaded by [dev.millrace.internal.textfile.TextInput] into an array,
/// which [dev.millrace.internal.json.JsonCursor] traverses once, appending values directly to column builders; types
/// are inferred from a sample ([dev.millrace.internal.jsonfile.JsonTypeInference]). Independent of storages.
@NullMarked
package dev.millrace.internal.jsonfile;

import org.jspecify.annotations.NullMarked;
