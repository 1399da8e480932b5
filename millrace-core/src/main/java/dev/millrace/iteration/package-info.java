/// How a consumer reads a dataset: iterators that hold resources until they are closed, the options of a batch
/// iteration, and the shards of a streaming split. Values and contracts only; a dataset hands them out.
package dev.millrace.iteration;
