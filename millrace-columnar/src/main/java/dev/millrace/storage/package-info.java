/// Storage of files: a [dev.millrace.storage.Storage] lists and opens the files of one URI scheme (local disks,
/// `s3://`, `https://`). Implementations are found by `ServiceLoader`.
@NullMarked
package dev.millrace.storage;

import org.jspecify.annotations.NullMarked;
