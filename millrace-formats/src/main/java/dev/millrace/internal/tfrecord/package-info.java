/// TFRecord files: records framed by lengths and checksums, in each a `tf.train.Example` whose features become columns.
/// Its protocol buffers are read and written here; nothing of TensorFlow is needed.
package dev.millrace.internal.tfrecord;
