package dev.millrace.iteration;

import dev.millrace.batch.Batch;
import dev.millrace.type.DataType;

/// Creates the tensors of a batch by user code: `(batch, out) -> { out.add("label"); ... }`. Called by one thread at a
/// time, which may be a prefetch thread.
@FunctionalInterface
public interface Collate {
    /// Makes tensors of a batch.
    ///
    /// @param batch the rows; valid until the function returns
    void collate(Batch batch, Tensors out) throws Exception;

    /// What the batch will have.
    interface Tensors {
        /// The column as it would be without a collate function: stacked or padded by the options.
        void add(String column);

        /// A new tensor of zeros, to be filled; its memory lives as long as the batch that the consumer gets.
        DirectTensor add(String name, DataType type, long... shape);

        /// Strings beside the tensors.
        void addStrings(String name, String... values);
    }
}
