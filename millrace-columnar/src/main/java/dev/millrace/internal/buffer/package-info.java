/// Counted memory in the making: [GrowingBuffer] is what every builder, encoder and decoder writes into that does not
/// know its size before, [ResourceScope] owns what was opened until somebody else does. Knows `dev.millrace.memory` and
/// nothing else.
package dev.millrace.internal.buffer;
