package dev.millrace.internal.observe;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Some dead letters of a run that has ended.
///
/// @param name of their policy
/// @param rows all of them
/// @param first the first few, by column
public record DeadLetterSample(String name, long rows, List<Map<String, @Nullable Object>> first) {}
