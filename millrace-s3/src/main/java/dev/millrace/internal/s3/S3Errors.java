package dev.millrace.internal.s3;

import dev.millrace.internal.storage.ChangedFile;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.net.UnknownHostException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Maps exceptions of the SDK to IO errors with a message: transient errors may be retried, the others are permanent.
final class S3Errors {
    private S3Errors() {}

    static boolean isNotFound(SdkException e) {
        return e instanceof S3Exception answer && answer.statusCode() == 404;
    }

    static boolean isMissingBucket(SdkException e) {
        return isNotFound(e) && code((S3Exception) e).equals("NoSuchBucket");
    }

    static boolean isNotImplemented(SdkException e) {
        return e instanceof S3Exception answer && (answer.statusCode() == 501 || answer.statusCode() == 405);
    }

    static boolean isDenied(SdkException e) {
        return e instanceof S3Exception answer && (answer.statusCode() == 403 || answer.statusCode() == 401);
    }

    static IOException of(S3Path path, S3Clients.Client client, SdkException e) {
        if (e instanceof S3Exception answer) {
            return answered(path, client, answer);
        }
        String at = client.endpoint() == null ? "S3" : "S3 at " + client.endpoint();
        if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
            return new IOException("a request to " + at + " was interrupted", e);
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return new LastingIOException(
                        at + " could not be reached: there is no host '" + cause.getMessage() + "'.", e);
            }
        }
        return new IOException(at + " could not be reached: " + e.getMessage(), e);
    }

    private static IOException answered(S3Path path, S3Clients.Client client, S3Exception e) {
        String code = code(e);
        int status = e.statusCode();
        String where = client.endpoint() == null ? "" : " at " + client.endpoint();
        if (code.equals("NoSuchBucket")) {
            return new LastingIOException("there is no bucket '" + path.bucket() + "'" + where + ".", e);
        }
        if (status == 404) {
            return new LastingIOException(
                    "there is no object '" + path.key() + "' in bucket '" + path.bucket() + "'" + where + ".", e);
        }
        if (isDenied(e)) {
            String missing = client.credentials().missing();
            String why = missing == null
                    ? told(e) + ". Check what the credentials in use may do."
                    : "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile ("
                            + missing + ")";
            return new LastingIOException("access to '" + path + "'" + where + " was denied: " + why, e);
        }
        if (status == 412) {
            return ChangedFile.replaced(path.toString(), e);
        }
        if (status == 416) {
            // Only ranges within the known size are requested, so the object must have become shorter.
            return ChangedFile.error(path.toString(), "was shortened");
        }
        String sentence = "S3" + where + " answered " + status + " for '" + path + "': " + told(e);
        boolean passing = status >= 500 || status == 429 || status == 408 || e.isThrottlingException();
        return passing ? new IOException(sentence, e) : new LastingIOException(sentence + ".", e);
    }

    private static String code(S3Exception e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    private static String told(S3Exception e) {
        AwsErrorDetails details = e.awsErrorDetails();
        String message = details == null ? null : details.errorMessage();
        String code = code(e);
        return message == null || message.isEmpty()
                ? (code.isEmpty() ? "without a reason" : code)
                : code + (code.isEmpty() ? "" : ", ") + message;
    }
}
