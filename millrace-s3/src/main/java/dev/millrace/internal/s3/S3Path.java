package dev.millrace.internal.s3;

import dev.millrace.error.MillraceException;
import org.jspecify.annotations.Nullable;

/// `s3://bucket/key`, or `s3://profile@bucket/key` for a store that a profile of the AWS configuration files describes.
///
/// @param start everything before the key, as the user wrote it, with the slash: "s3://bucket/"
/// @param profile null for the default profile
/// @param key without a leading slash; empty for the bucket itself
record S3Path(String start, @Nullable String profile, String bucket, String key) {
    static S3Path of(String path) {
        int authority = path.indexOf("://") + 3;
        int slash = path.indexOf('/', authority);
        String place = slash < 0 ? path.substring(authority) : path.substring(authority, slash);
        int at = place.lastIndexOf('@');
        String bucket = place.substring(at + 1);
        if (bucket.isEmpty() || at == 0) {
            throw MillraceException.user("'" + path + "' names no " + (at == 0 ? "profile" : "bucket")
                    + ". S3 paths are s3://bucket/key or s3://profile@bucket/key.");
        }
        return new S3Path(
                path.substring(0, authority) + place + "/",
                at < 0 ? null : place.substring(0, at),
                bucket,
                slash < 0 ? "" : path.substring(slash + 1));
    }

    /// The prefix of keys below this folder; empty for the bucket itself.
    String prefix() {
        return key.isEmpty() || key.endsWith("/") ? key : key + "/";
    }

    /// The path of another key of the same bucket.
    String sibling(String other) {
        return start + other;
    }

    @Override
    public String toString() {
        return start + key;
    }
}
