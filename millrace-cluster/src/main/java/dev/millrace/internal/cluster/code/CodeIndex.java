package dev.millrace.internal.cluster.code;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What a driver's class path holds, without its content: sent to each worker once, when it is connected to. A worker
/// learns from it which entries may have a class, and fetches only those.
///
/// @param version of Millrace in the driver
/// @param findsMore its class loader may find classes that are not on the class path: [CodeSupply#find]
/// @param entries in the order of the class path
public record CodeIndex(String version, boolean findsMore, List<Entry> entries) {
    /// One jar or folder.
    ///
    /// @param path on the driver's machine: the worker may have the same
    /// @param folder a folder with class files; otherwise a jar
    /// @param bytes of the jar; 0 for folders
    /// @param stamp of sizes and times of its files ([CodeHash#stamp]): with the same path and stamp it is the same
    /// @param places its folders, which are the packages of its classes, and the names of its files under `META-INF`
    public record Entry(String path, boolean folder, long bytes, long stamp, Set<String> places) {
        /// The name of the file.
        String name() {
            return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        }

        /// Whether it may have a file with this path.
        boolean mayHave(String path) {
            int slash = path.lastIndexOf('/');
            return path.startsWith(META)
                    ? places.contains(path)
                    : places.contains(slash < 0 ? "" : path.substring(0, slash));
        }
    }

    /// Files that many jars have: these are listed one by one, so that looking for a service does not fetch all jars.
    static final String META = "META-INF/";

    public CodeIndex {
        entries = List.copyOf(entries);
    }

    /// As bytes for the wire.
    public byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(version);
            out.writeBoolean(findsMore);
            out.writeInt(entries.size());
            for (Entry entry : entries) {
                out.writeUTF(entry.path);
                out.writeBoolean(entry.folder);
                out.writeLong(entry.bytes);
                out.writeLong(entry.stamp);
                out.writeInt(entry.places.size());
                for (String place : entry.places) {
                    out.writeUTF(place);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("names could not be written to memory", e);
        }
        return bytes.toByteArray();
    }

    /// @throws IOException when the bytes are not an index
    public static CodeIndex fromBytes(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        String version = in.readUTF();
        boolean findsMore = in.readBoolean();
        int size = in.readInt();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String path = in.readUTF();
            boolean folder = in.readBoolean();
            long length = in.readLong();
            long stamp = in.readLong();
            int count = in.readInt();
            Set<String> places = new LinkedHashSet<>();
            for (int k = 0; k < count; k++) {
                places.add(in.readUTF());
            }
            entries.add(new Entry(path, folder, length, stamp, places));
        }
        return new CodeIndex(version, findsMore, entries);
    }
}
