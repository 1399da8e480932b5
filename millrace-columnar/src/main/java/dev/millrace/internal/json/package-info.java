/// JSON texts in memory: [dev.millrace.internal.json.JsonCursor] iterates over tokens,
/// [dev.millrace.internal.json.JsonPath] finds a value, [dev.millrace.internal.json.JsonWriter] writes texts. Does not
/// depend on files.
@NullMarked
package dev.millrace.internal.json;

import org.jspecify.annotations.NullMarked;
