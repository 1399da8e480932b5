package dev.millrace.sql;

import dev.millrace.Dataset;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// A dataset that a query may name.
///
/// @param rows how many it has, where that is known without running it; asked only when it matters
public record SqlTable(Dataset dataset, Supplier<OptionalLong> rows) {}
