/// Files of JSON to columns and back. A file's bytes pass through [dev.millrace.internal.textfile.TextInput] into an
/// array that [dev.millrace.internal.json.JsonCursor] walks over once, values going straight into column builders;
/// types come from a sample ([dev.millrace.internal.jsonfile.JsonTypeInference]). Nothing here knows where files lie.
package dev.millrace.internal.jsonfile;
