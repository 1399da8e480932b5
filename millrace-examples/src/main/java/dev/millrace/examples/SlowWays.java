package dev.millrace.examples;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.column.TensorColumn;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Costs;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.images.options.ReadImages;
import dev.millrace.models.LoadedModel;
import dev.millrace.models.OnnxModel;
import dev.millrace.models.OnnxTensors;
import dev.millrace.source.FileReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// How not to write the job of [Classification]: each method makes one mistake, the last one all of them. All of them
/// give the same labels.
final class SlowWays {
    private static final int BATCH = 8;

    private final Session session;
    private final Classification job;
    private final List<String> images;

    SlowWays(Session session, Classification job, List<String> images) {
        this.session = session;
        this.job = job;
        this.images = images;
    }

    /// The right way: decoding on all cores, a pool of models that are loaded once, batches, no copies.
    Dataset right() {
        return prepared()
                .mapBatches(model(), Compute.actors(cores()).batchSize(BATCH))
                .select("path", "label");
    }

    /// A model per batch: its file is read, its graph optimised and its memory allocated every time.
    Dataset modelPerBatch() {
        OnnxModel model = model();
        return prepared()
                .mapBatches(
                        batch -> {
                            try (LoadedModel loaded = model.create()) {
                                return loaded.apply(batch);
                            }
                        },
                        Compute.tasks().batchSize(BATCH))
                .select("path", "label");
    }

    /// One image per call: the overhead of a call is paid for each image, and matrix products degrade to vector
    /// products.
    Dataset batchesOfOne() {
        return prepared()
                .mapBatches(model(), Compute.actors(cores()).batchSize(1))
                .select("path", "label");
    }

    /// One copy of the model on one core, regardless of the machine.
    Dataset noPool() {
        return prepared()
                .mapBatches(model(), Compute.actors(1).batchSize(BATCH))
                .select("path", "label");
    }

    /// One function for everything: the model waits while an image is decoded, and decoding waits while the model runs.
    Dataset decodingWithTheModel() {
        OnnxModel model = model();
        ImageNetPreprocess preprocess = job.preprocess();
        return session.readBinaryFiles(images, FileReads.defaults().includePaths())
                .mapBatches(
                        () -> new DecodeAndClassify(preprocess, model.create()),
                        Compute.actors(1).batchSize(BATCH))
                .select("path", "label");
    }

    /// Pixels as arrays of arrays: each number is copied to the heap, and from there into the model.
    Dataset arraysOfArrays() {
        Classification files = job;
        return prepared()
                .mapBatches(
                        () -> new OnArrays(files.model(), labels(files.labels())),
                        Compute.actors(cores()).batchSize(BATCH))
                .select("path", "label");
    }

    /// All mistakes at once, as in many a first draft.
    Dataset allAtOnce() {
        Classification files = job;
        ImageNetPreprocess preprocess = job.preprocess();
        return session.readBinaryFiles(images, FileReads.defaults().includePaths())
                .mapBatches(
                        batch -> {
                            try (OnArrays model = new OnArrays(files.model(), labels(files.labels()))) {
                                return model.apply(preprocess
                                        .column("bytes")
                                        .output("image")
                                        .apply(batch));
                            }
                        },
                        Compute.tasks(1).batchSize(1))
                .select("path", "label");
    }

    private Dataset prepared() {
        return session.readImages(images, ReadImages.rgb().includePaths()).mapBatches(job.preprocess());
    }

    /// One thread per copy: the pool provides the parallelism.
    private OnnxModel model() {
        return OnnxModel.of(job.model()).threads(1).softmax().topK(1).labels(job.labels());
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static List<String> labels(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class DecodeAndClassify implements BatchFunction, AutoCloseable {
        private static final long serialVersionUID = 1L;
        private final transient ImageNetPreprocess preprocess;
        private final transient LoadedModel model;

        DecodeAndClassify(ImageNetPreprocess preprocess, LoadedModel model) {
            this.preprocess = preprocess.column("bytes").output("image");
            this.model = model;
        }

        @Override
        public Batch apply(Batch batch) {
            return model.apply(preprocess.apply(batch).select("path", "image"));
        }

        @Override
        public void close() {
            model.close();
        }
    }

    /// A model called as on the first page of a tutorial.
    private static final class OnArrays implements BatchFunction, AutoCloseable {
        private static final long serialVersionUID = 1L;
        private final transient OrtSession model;
        private final transient List<String> labels;

        OnArrays(String file, List<String> labels) throws OrtException {
            this.labels = labels;
            long began = System.nanoTime();
            try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
                options.setIntraOpNumThreads(1);
                this.model = OnnxTensors.environment().createSession(file, options);
            }
            Costs.loaded("The model", System.nanoTime() - began);
        }

        @Override
        public Batch apply(Batch batch) throws OrtException {
            TensorColumn images = batch.tensors("image");
            int side = images.type().shape().get(1);
            float[][][][] pixels = new float[Math.toIntExact(batch.rows())][3][side][side];
            float[] flat = images.toFloats();
            int at = 0;
            for (float[][][] image : pixels) {
                for (float[][] channel : image) {
                    for (float[] line : channel) {
                        System.arraycopy(flat, at, line, 0, side);
                        at += side;
                    }
                }
            }
            String input = model.getInputNames().iterator().next();
            try (OnnxTensor tensor = OnnxTensor.createTensor(OnnxTensors.environment(), pixels);
                    OrtSession.Result result = model.run(Map.of(input, tensor))) {
                float[][] scores = (float[][]) result.get(0).getValue();
                String[] best = new String[scores.length];
                for (int row = 0; row < best.length; row++) {
                    best[row] = labels.get(largest(scores[row]));
                }
                return batch.with("label", best);
            }
        }

        private static int largest(float[] scores) {
            int best = 0;
            for (int i = 1; i < scores.length; i++) {
                best = scores[i] > scores[best] ? i : best;
            }
            return best;
        }

        @Override
        public void close() throws OrtException {
            model.close();
        }
    }
}
