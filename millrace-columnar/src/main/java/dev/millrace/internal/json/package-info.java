/// JSON texts in memory: [dev.millrace.internal.json.JsonCursor] walks over tokens,
/// [dev.millrace.internal.json.JsonPath]
/// finds a value, [dev.millrace.internal.json.JsonWriter] makes texts. Nothing here knows files.
@NullMarked
package dev.millrace.internal.json;

import org.jspecify.annotations.NullMarked;
