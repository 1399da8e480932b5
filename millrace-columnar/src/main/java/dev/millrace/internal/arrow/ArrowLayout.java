package dev.millrace.internal.arrow;

/// The nodes and buffers of a field in a record batch. Has more cases than [dev.millrace.type.DataType]: several
/// layouts are read as the same type. Every layout but [Nothing] and [Indexed] begins with a validity buffer (Indexed
/// has that of its indices).
sealed interface ArrowLayout {
    /// Nulls: no buffers.
    record Nothing() implements ArrowLayout {}

    /// Booleans, a bit each.
    record Bit() implements ArrowLayout {}

    /// Values of `width` bytes in the format of our columns.
    record Fixed(int width) implements ArrowLayout {}

    /// Milliseconds since the epoch, read as days.
    record Date64() implements ArrowLayout {}

    /// Decimals of 4 or 8 bytes, read as 16.
    record NarrowDecimal(int width) implements ArrowLayout {}

    /// Offsets of 4 or 8 bytes, then bytes.
    record Variable(int offsetWidth) implements ArrowLayout {}

    /// 16-byte views, then any number of data buffers; read as [Variable].
    record View() implements ArrowLayout {}

    /// Byte strings of one width, read as [Variable].
    record FixedBinary(int width) implements ArrowLayout {}

    /// Offsets of 4 or 8 bytes into the child.
    record Lists(int offsetWidth) implements ArrowLayout {}

    /// `size` elements of the child per value.
    record FixedLists(int size) implements ArrowLayout {}

    record Structs() implements ArrowLayout {}

    /// 32-bit offsets into one child, a struct of key and value.
    record Maps() implements ArrowLayout {}

    /// Indices of `width` bytes into the dictionary `id`; the single child describes the values of the dictionary and
    /// has no node in the batch.
    record Indexed(int width, long id) implements ArrowLayout {}

    /// A fixed list of `elements` numbers of the child, contiguous and without nulls.
    record Tensors(int elements) implements ArrowLayout {}

    /// A struct of two children: a list of numbers and a fixed list of int32 dimensions.
    record VariableTensors() implements ArrowLayout {}
}
