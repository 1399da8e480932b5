package dev.millrace.internal.cluster.code;

import dev.millrace.internal.fault.MissingClass;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The classes of one driver on a worker. Classes of the JDK and of Millrace are the worker's; then what the driver's
/// class path has counts, in its order, then what the worker has, and last what the driver's class loader finds. An
/// entry of the class path is fetched when it may have something that is asked for, and is not if the worker's own
/// class path has the same.
///
/// A class that could not be loaded stays unusable for the class that asked for it, so a fetch is not interrupted when
/// the task that began it is cancelled: [CodeSupply] waits for its answer, or for the end of the connection.
///
/// Thread-safe. Closed when the driver leaves; classes that are loaded stay usable, others are not found any more.
public final class DriverLoader extends ClassLoader implements MissingClass.SentCode, AutoCloseable {
    private static final String OURS = "dev/millrace/";
    private static final Set<String> JDK_PACKAGES = ModuleLayer.boot().modules().stream()
            .flatMap(module -> module.getPackages().stream())
            .collect(Collectors.toUnmodifiableSet());

    static {
        registerAsParallelCapable();
    }

    private final String worker;
    private final CodeIndex index;
    private final CodeSupply supply;
    private final CodeCache cache;
    private final Place[] places;
    /// The class path of this worker.
    private final List<Path> classPath;
    /// The same by file name.
    private final Map<String, Path> own;
    /// What the driver's class loader does not find either.
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// Where an entry's classes come from: guarded by itself.
    private static final class Place {
        boolean looked;
        /// Null after `looked`: it is also on the worker's own class path.
        @Nullable
        JarFile jar;

        @Nullable
        Manifest manifest;

        @Nullable
        ProtectionDomain domain;
    }

    /// @param worker its name in errors
    /// @param supply asks the driver
    /// @throws dev.millrace.error.MillraceException culprit USER, if the driver has another version of Millrace
    public DriverLoader(String worker, CodeIndex index, CodeSupply supply, CodeCache cache, ClassLoader parent) {
        this(worker, index, supply, cache, parent, ClassPathFiles.ofThisProcess());
    }

    /// @param classPath of this worker
    DriverLoader(
            String worker,
            CodeIndex index,
            CodeSupply supply,
            CodeCache cache,
            ClassLoader parent,
            List<Path> classPath) {
        super("driver on " + worker, parent);
        MillraceVersion.requireSame(index.version(), worker);
        this.worker = worker;
        this.index = index;
        this.supply = supply;
        this.cache = cache;
        this.places = new Place[index.entries().size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = new Place();
        }
        this.classPath = classPath;
        this.own = classPath.stream()
                .collect(Collectors.toUnmodifiableMap(
                        path -> path.getFileName().toString(), path -> path, (first, _) -> first));
    }

    @Override
    public String worker() {
        return worker;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : find(name);
        }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        boolean workersFirst = isWorkers(path);
        if (workersFirst) {
            try {
                return getParent().loadClass(name);
            } catch (ClassNotFoundException e) {
                // A module or a test of Millrace that only the driver has.
            }
        }
        try {
            Class<?> sent = fromEntries(name, path);
            if (sent != null) {
                return sent;
            }
            if (!workersFirst) {
                try {
                    return getParent().loadClass(name);
                } catch (ClassNotFoundException e) {
                    // Asked for below.
                }
            }
            byte[] bytes = more(path);
            if (bytes != null) {
                return defineClass(name, bytes, 0, bytes.length, (ProtectionDomain) null);
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
        throw new ClassNotFoundException(name);
    }

    private static boolean isWorkers(String path) {
        int slash = path.lastIndexOf('/');
        return path.startsWith(OURS)
                || slash > 0 && JDK_PACKAGES.contains(path.substring(0, slash).replace('/', '.'));
    }

    private @Nullable Class<?> fromEntries(String name, String path) throws IOException, ClassNotFoundException {
        for (int i = 0; i < places.length; i++) {
            if (!index.entries().get(i).mayHave(path)) {
                continue;
            }
            Place place = place(i);
            if (place.jar == null) {
                try {
                    return getParent().loadClass(name);
                } catch (ClassNotFoundException e) {
                    continue;
                }
            }
            JarEntry entry = place.jar.getJarEntry(path);
            if (entry != null) {
                byte[] bytes;
                try (InputStream in = place.jar.getInputStream(entry)) {
                    bytes = in.readAllBytes();
                }
                definePackageOf(name, place);
                return defineClass(name, bytes, 0, bytes.length, place.domain);
            }
        }
        return null;
    }

    private void definePackageOf(String name, Place place) {
        int dot = name.lastIndexOf('.');
        String of = dot < 0 ? "" : name.substring(0, dot);
        if (of.isEmpty() || getDefinedPackage(of) != null) {
            return;
        }
        Attributes all = place.manifest == null ? new Attributes() : place.manifest.getMainAttributes();
        try {
            definePackage(
                    of,
                    all.getValue(Attributes.Name.SPECIFICATION_TITLE),
                    all.getValue(Attributes.Name.SPECIFICATION_VERSION),
                    all.getValue(Attributes.Name.SPECIFICATION_VENDOR),
                    all.getValue(Attributes.Name.IMPLEMENTATION_TITLE),
                    all.getValue(Attributes.Name.IMPLEMENTATION_VERSION),
                    all.getValue(Attributes.Name.IMPLEMENTATION_VENDOR),
                    null);
        } catch (IllegalArgumentException e) {
            // Another thread defined it just now.
        }
    }

    /// The entry, fetched if that is necessary.
    private Place place(int number) throws IOException {
        Place place = places[number];
        synchronized (place) {
            if (!place.looked) {
                if (closed) {
                    throw new IOException("its driver has left");
                }
                CodeIndex.Entry entry = index.entries().get(number);
                if (!isOwn(entry, number)) {
                    JarFile jar = cache.open(entry, number, supply);
                    place.jar = jar;
                    place.manifest = jar.getManifest();
                    place.domain = new ProtectionDomain(
                            new CodeSource(Path.of(jar.getName()).toUri().toURL(), (Certificate[]) null),
                            null,
                            this,
                            null);
                }
                place.looked = true;
            }
            return place;
        }
    }

    /// Whether this worker's class path has the same: the very files of the driver, if it is on the same machine or on
    /// a file system that both have, or a jar of the same name and content. Millrace's jars have their version in the
    /// name.
    private boolean isOwn(CodeIndex.Entry entry, int number) throws IOException {
        Path here = own.get(entry.name());
        if (here == null) {
            return false;
        }
        Path same = samePath(entry);
        if (same != null
                && CodeHash.stamp(same, entry.folder() ? FolderFiles.list(same) : List.of()) == entry.stamp()) {
            return true;
        }
        return !entry.folder()
                && (entry.name().startsWith("millrace-")
                        || here.toFile().length() == entry.bytes()
                                && CodeHash.ofFile(here)
                                        .equals(supply.content(number).hash()));
    }

    private @Nullable Path samePath(CodeIndex.Entry entry) {
        return classPath.stream()
                .filter(path -> path.toString().equals(entry.path()))
                .findFirst()
                .orElse(null);
    }

    /// What the driver's class loader finds beside its class path; null if it finds nothing.
    private byte @Nullable [] more(String path) throws IOException {
        if (!index.findsMore() || closed || isWorkers(path) && !path.startsWith(OURS) || unknown.contains(path)) {
            return null;
        }
        byte[] bytes = supply.find(path);
        if (bytes == null) {
            unknown.add(path);
        }
        return bytes;
    }

    @Override
    public @Nullable URL getResource(String path) {
        if (isWorkers(path)) {
            URL workers = getParent().getResource(path);
            return workers != null ? workers : findResource(path);
        }
        URL drivers = findResource(path);
        return drivers != null ? drivers : getParent().getResource(path);
    }

    @Override
    public Enumeration<URL> getResources(String path) throws IOException {
        // By their text: addresses themselves are compared by asking the network for their hosts.
        Map<String, URL> all = new LinkedHashMap<>();
        for (URL address : fromEntries(path)) {
            all.put(address.toString(), address);
        }
        for (URL address : Collections.list(getParent().getResources(path))) {
            all.putIfAbsent(address.toString(), address);
        }
        return Collections.enumeration(all.values());
    }

    @Override
    protected @Nullable URL findResource(String path) {
        try {
            List<URL> found = fromEntries(path);
            if (!found.isEmpty()) {
                return found.getFirst();
            }
            byte[] bytes = getParent().getResource(path) == null ? more(path) : null;
            return bytes == null ? null : SentResource.ofBytes(path, bytes);
        } catch (IOException e) {
            // Who looks for a resource is told only whether it is there.
            System.getLogger(DriverLoader.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "The resource " + path + " could not be fetched from the driver",
                            e);
            return null;
        }
    }

    private List<URL> fromEntries(String path) throws IOException {
        List<URL> found = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            if (!index.entries().get(i).mayHave(path)) {
                continue;
            }
            Place place = place(i);
            if (place.jar == null) {
                found.addAll(Collections.list(getParent().getResources(path)));
            } else if (place.jar.getJarEntry(path) != null) {
                found.add(SentResource.inJar(Objects.requireNonNull(place.jar), path));
            }
        }
        return found;
    }

    @Override
    public void close() {
        closed = true;
        for (Place place : places) {
            synchronized (place) {
                try {
                    if (place.jar != null) {
                        place.jar.close();
                    }
                } catch (IOException e) {
                    // Nothing was written to it.
                }
            }
        }
    }
}
