package dev.millrace.internal.s3;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/// The credentials of a provider chain, or anonymous ones if the chain finds none: public data is readable without.
/// Thread-safe.
final class S3Credentials implements AwsCredentialsProvider {
    private static final long ASKED_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AwsCredentialsProvider chain;
    /// Why the last lookup found no credentials; null if it found some.
    private volatile @Nullable Missing missing;

    private record Missing(@Nullable String why, long when) {}

    S3Credentials(AwsCredentialsProvider chain) {
        this.chain = chain;
    }

    @Override
    public AwsCredentials resolveCredentials() {
        Missing known = missing;
        if (known == null || System.nanoTime() - known.when > ASKED_AGAIN_NANOS) {
            try {
                AwsCredentials found = chain.resolveCredentials();
                missing = null;
                return found;
            } catch (SdkClientException e) {
                missing = new Missing(e.getMessage(), System.nanoTime());
            }
        }
        return AnonymousCredentialsProvider.create().resolveCredentials();
    }

    /// Why requests are not signed; null if they are.
    @Nullable
    String missing() {
        Missing known = missing;
        return known == null ? null : known.why;
    }
}
