/// What a user's function sees: [dev.millrace.batch.Batch]es of columns and [dev.millrace.batch.Row]s. Knows columns
/// and blocks only.
package dev.millrace.batch;
