package dev.millrace.s3;

import dev.millrace.testing.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/// A real S3 server (moto) on loopback, one for all tests of a JVM, and the configuration under which this process
/// reaches it: as the default, and through a [FaultyProxy] as the profiles "flaky" and "anonymous".
final class S3Server {
    static final String BUCKET = "tests";

    private static S3Server shared;

    final URI address;
    final FaultyProxy proxy;
    final S3Client client;

    static synchronized S3Server get() {
        if (shared == null) {
            try {
                shared = new S3Server();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return shared;
    }

    private S3Server() throws IOException {
        address = URI.create("http://127.0.0.1:" + start());
        proxy = new FaultyProxy(address);
        configure();
        client = S3Client.builder()
                .endpointOverride(address)
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("testing", "testing")))
                .build();
        client.createBucket(bucket -> bucket.bucket(BUCKET));
    }

    /// Its port. Somebody else may take a free one before the server does.
    private static int start() throws IOException {
        IOException failure = null;
        for (int i = 0; i < 3; i++) {
            int port = freePort();
            try {
                start(port);
                return port;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void start(int port) throws IOException {
        Path log = Files.createTempFile("millrace-moto-", ".log");
        Process process = new ProcessBuilder(
                        Python.environment("s3").interpreter().toString(),
                        "-m",
                        "moto.server",
                        "-H",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            process.destroyForcibly();
            log.toFile().delete();
        }));
        await(process, port, log);
    }

    private static void await(Process process, int port, Path log) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < end && process.isAlive()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return;
            } catch (IOException _) {
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
        }
        throw new IOException("moto did not start:\n" + Files.readString(log));
    }

    private void configure() throws IOException {
        Path configuration = Files.createTempFile("millrace-aws-", ".config");
        configuration.toFile().deleteOnExit();
        Files.writeString(configuration, """
                [profile flaky]
                region = us-east-1
                endpoint_url = %s
                aws_access_key_id = testing
                aws_secret_access_key = testing

                [profile anonymous]
                endpoint_url = %s

                [profile nowhere]
                region = us-east-1
                endpoint_url = http://127.0.0.1:1
                aws_access_key_id = testing
                aws_secret_access_key = testing
                """.formatted(proxy.address(), proxy.address()));
        System.setProperty("aws.configFile", configuration.toString());
        System.setProperty("aws.sharedCredentialsFile", configuration + ".none");
        System.setProperty("aws.endpointUrl", address.toString());
        System.setProperty("aws.region", "us-east-1");
        System.setProperty("aws.accessKeyId", "testing");
        System.setProperty("aws.secretAccessKey", "testing");
        System.setProperty("aws.disableEc2Metadata", "true");
    }

    void put(String key, byte[] bytes) {
        client.putObject(object -> object.bucket(BUCKET).key(key), RequestBody.fromBytes(bytes));
    }

    void put(String key, Path file) {
        client.putObject(object -> object.bucket(BUCKET).key(key), file);
    }

    /// Keys below a prefix, in order.
    List<String> keys(String prefix) {
        return client.listObjectsV2Paginator(all -> all.bucket(BUCKET).prefix(prefix)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    /// Keys of uploads that were begun and not ended.
    List<String> uploads() {
        return client.listMultipartUploads(all -> all.bucket(BUCKET)).uploads().stream()
                .map(MultipartUpload::key)
                .toList();
    }
}
