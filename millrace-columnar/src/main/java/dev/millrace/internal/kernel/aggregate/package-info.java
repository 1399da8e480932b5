/// Rows into groups and groups into values. [GroupTable] gives each row the number of its group, [GroupAccumulator]
/// keep what an aggregate knows of each group, [GroupedBlocks] puts both together: blocks of rows in, blocks of states
/// out, blocks of states in, results out.
package dev.millrace.internal.kernel.aggregate;
