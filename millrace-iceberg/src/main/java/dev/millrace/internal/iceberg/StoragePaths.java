package dev.millrace.internal.iceberg;

import java.net.URI;

/// Converts locations as recorded in tables to paths of Millrace's storages.
public final class StoragePaths {
    private StoragePaths() {}

    /// Maps Hadoop's S3 schemes to `s3://`, and `file:/x` and `file:///x` to the path.
    public static String of(String location) {
        if (location.startsWith("s3a://") || location.startsWith("s3n://")) {
            return "s3://" + location.substring(6);
        }
        if (!location.startsWith("file:/")) {
            return location;
        }
        String rest = location.substring("file:".length());
        // Writers do not agree on whether such a location is percent-encoded; if it is no valid URI, it is not.
        if (rest.indexOf('%') < 0 || !isUri(location)) {
            return rest.startsWith("//") ? rest.substring(2) : rest;
        }
        return location;
    }

    private static boolean isUri(String text) {
        try {
            return URI.create(text).getPath() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
