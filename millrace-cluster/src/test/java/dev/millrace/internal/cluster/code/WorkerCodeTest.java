package dev.millrace.internal.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Driver and worker over bytes.
class WorkerCodeTest {
    @TempDir
    Path folder;

    private final LinkedBlockingQueue<byte[]> toWorker = new LinkedBlockingQueue<>();
    private final Thread receiver = Thread.ofPlatform().daemon().unstarted(this::receive);
    private WorkerCode worker;

    private void connect(CodeServer server) {
        worker = new WorkerCode("worker-2", new CodeCache(folder.resolve("cache"), 1 << 30), server::handle);
        server.start();
        receiver.start();
    }

    private void receive() {
        try {
            while (true) {
                worker.handle(toWorker.take());
            }
        } catch (InterruptedException e) {
            // The test has ended.
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        receiver.interrupt();
        receiver.join(10_000);
        worker.close();
    }

    private ClassLoader loader() throws InterruptedException {
        for (int i = 0; i < 1000 && !(worker.loader() instanceof DriverLoader); i++) {
            Thread.sleep(10);
        }
        return worker.loader();
    }

    @Test
    void classesOfManyPartsArrive() throws Exception {
        Path classes = CompiledCode.folder(
                folder.resolve("classes"), Map.of("com/acme/Job.java", "package com.acme; public class Job {}"));
        byte[] noise = new byte[5 << 20];
        new Random(1).nextBytes(noise);
        Files.write(classes.resolve("noise.bin"), noise);
        try (DriverCode code = new DriverCode(List.of(classes), ClassLoader.getSystemClassLoader())) {
            connect(new CodeServer(code, toWorker::add));
            assertThat(loader().loadClass("com.acme.Job").getClassLoader()).isSameAs(worker.loader());
            try (var in = loader().getResourceAsStream("noise.bin")) {
                assertThat(in.readAllBytes()).isEqualTo(noise);
            }
        }
    }

    @Test
    void anInterruptDoesNotMakeAClassUnusable() throws Exception {
        Path classes = CompiledCode.folder(
                folder.resolve("classes"), Map.of("com/acme/Job.java", "package com.acme; public class Job {}"));
        try (DriverCode code = new DriverCode(List.of(classes), ClassLoader.getSystemClassLoader())) {
            connect(new CodeServer(code, toWorker::add));
            ClassLoader loader = loader();
            Thread.currentThread().interrupt();
            try {
                assertThat(loader.loadClass("com.acme.Job")).isNotNull();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void aQuestionEndsWhenTheDriverLeaves() throws Exception {
        worker = new WorkerCode("worker-2", new CodeCache(folder.resolve("cache"), 1 << 30), _ -> {});
        receiver.start();
        CodeIndex index = new CodeIndex("development", true, List.of());
        toWorker.add(new CodeMessage.Index(index).toBytes());
        ClassLoader loader = loader();
        CompletableFuture<Class<?>> asked = CompletableFuture.supplyAsync(() -> {
            try {
                return loader.loadClass("com.acme.Job");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        });
        worker.close();
        assertThatThrownBy(() -> asked.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .rootCause()
                .satisfiesAnyOf(
                        cause -> assertThat(cause).hasMessage("its driver has left"),
                        // It was closed before it was asked.
                        cause -> assertThat(cause).hasMessage("com.acme.Job"));
    }
}
