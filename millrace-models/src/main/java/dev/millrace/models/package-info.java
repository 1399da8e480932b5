/// Models as functions over batches, made once per actor. Columns enter, columns with the model's answers leave.
@NullMarked
package dev.millrace.models;

import org.jspecify.annotations.NullMarked;
