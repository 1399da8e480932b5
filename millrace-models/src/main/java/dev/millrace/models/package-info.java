/// Models as functions over batches, made once per actor. Columns enter, columns with the model's answers leave.
package dev.millrace.models;
