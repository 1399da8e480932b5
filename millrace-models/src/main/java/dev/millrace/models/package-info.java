/// Models as functions over batches, created once per actor. The input is columns, the output is columns with the
/// model's results.
@NullMarked
package dev.millrace.models;

import org.jspecify.annotations.NullMarked;
