package dev.millrace.internal.s3;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/// One client per profile, for the life of the process. Configured like all AWS tools: environment, system properties,
/// configuration files, the machine's role; endpoints by `AWS_ENDPOINT_URL` or a profile's `endpoint_url`.
///
/// If an endpoint is configured, the store is assumed not to be AWS: path-style addressing is used (unless the
/// profile's `s3` section says `addressing_style = virtual`), and checksums that only AWS supports are left out.
final class S3Clients {
    private static final int CONNECTIONS = 128;
    private static final int ATTEMPTS = 6;

    private static final Map<String, Client> BY_PROFILE = new ConcurrentHashMap<>();

    /// @param credentials explain, when access is denied, why there are none
    /// @param endpoint for error messages; null for AWS
    record Client(
            S3Client s3,
            S3Credentials credentials,
            @Nullable String endpoint) {}

    private S3Clients() {}

    static Client of(S3Path path) {
        return BY_PROFILE.computeIfAbsent(path.profile() == null ? "" : path.profile(), S3Clients::connect);
    }

    private static Client connect(String profile) {
        AwsCredentialsProvider chain = profile.isEmpty()
                ? DefaultCredentialsProvider.builder().build()
                : ProfileCredentialsProvider.create(profile);
        S3Credentials credentials = new S3Credentials(chain);
        S3Client client =
                builder(profile, credentials).crossRegionAccessEnabled(true).build();
        var endpoint = client.serviceClientConfiguration().endpointOverride();
        if (endpoint.isEmpty()) {
            return new Client(client, credentials, null);
        }
        client.close();
        S3Client other = builder(profile, credentials)
                .forcePathStyle(!isVirtual(profile))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .build();
        return new Client(other, credentials, endpoint.get().toString());
    }

    private static S3ClientBuilder builder(String profile, AwsCredentialsProvider credentials) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(http())
                .credentialsProvider(credentials)
                .region(region(profile))
                .overrideConfiguration(settings -> {
                    settings.retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(ATTEMPTS)
                            // Retries responses that break off, too.
                            .retryOnRootCauseInstanceOf(IOException.class)
                            .build());
                    if (!profile.isEmpty()) {
                        settings.defaultProfileName(profile);
                    }
                });
        property(profile, "endpoint_url").map(URI::create).ifPresent(builder::endpointOverride);
        return builder;
    }

    private static SdkHttpClient http() {
        return Apache5HttpClient.builder()
                .maxConnections(CONNECTIONS)
                // Many readers may wait for a connection: that is not an error.
                .connectionAcquisitionTimeout(Duration.ofMinutes(5))
                .connectionTimeout(Duration.ofSeconds(5))
                .socketTimeout(Duration.ofSeconds(30))
                .build();
    }

    /// Without a configured region, AWS tells where a bucket is, and other stores ignore it.
    private static Region region(String profile) {
        Optional<String> named = property(profile, "region");
        if (named.isPresent()) {
            return Region.of(named.get());
        }
        try {
            return DefaultAwsRegionProviderChain.builder().build().getRegion();
        } catch (SdkClientException _) {
            return Region.US_EAST_1;
        }
    }

    /// A property of a profile named in the path: it takes precedence over the environment.
    private static Optional<String> property(String profile, String name) {
        return profile.isEmpty()
                ? Optional.empty()
                : ProfileFile.defaultProfileFile().profile(profile).flatMap(found -> found.property(name));
    }

    private static boolean isVirtual(String profile) {
        return property(
                        profile.isEmpty() ? ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow() : profile,
                        "s3")
                .map(lines -> lines.replace(" ", "").contains("addressing_style=virtual"))
                .orElse(false);
    }
}
