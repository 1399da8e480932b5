/// `s3://` paths: [dev.millrace.internal.s3.S3Storage] reads, [dev.millrace.internal.s3.S3Target] writes,
/// [dev.millrace.internal.s3.S3Clients] configures clients. The AWS SDK is used nowhere else.
@NullMarked
package dev.millrace.internal.s3;

import org.jspecify.annotations.NullMarked;
