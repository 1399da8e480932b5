/// TFRecord files: records framed by lengths and checksums, each a `tf.train.Example` whose features become columns.
/// Its protocol buffers are read and written here; TensorFlow is not needed.
@NullMarked
package dev.millrace.internal.tfrecord;

import org.jspecify.annotations.NullMarked;
