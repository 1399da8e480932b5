"""What a node does with parts of a class path that it does not see: prints what it finds, for StarterScriptTest.

Arguments: the starter's file, an empty folder."""
import hashlib
import importlib.util
import os
import sys
import tempfile
import types
import zipfile

script, folder = sys.argv[1:]
tempfile.tempdir = os.path.join(folder, "tmp")
os.mkdir(tempfile.tempdir)
# The reference to an object is the object.
sys.modules["ray"] = types.SimpleNamespace(get=lambda reference: reference)
spec = importlib.util.spec_from_file_location("ray_starter", script)
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)


def content(path):
    data = starter.bytes_of(path)
    return hashlib.sha256(data).hexdigest(), [data]


jar = os.path.join(folder, "a.jar")
with open(jar, "wb") as file:
    file.write(b"jar")
classes = os.path.join(folder, "classes")
os.makedirs(os.path.join(classes, "x"))
with open(os.path.join(classes, "x", "Y.class"), "wb") as file:
    file.write(b"class")

node = starter.NodeWorker()
print("same file:", node.path(jar, starter.stamp_of(jar), None) == jar)
print("unseen file:", node.path(jar, "other", None))
copy = node.path(jar, "other", content(jar))
print("copy:", os.path.basename(copy), open(copy, "rb").read() == b"jar")
again = node.path(jar, "other", (content(jar)[0], [None]))
print("kept:", again == copy)
packed = node.path(classes, "other", content(classes))
print("folder:", os.path.basename(packed), zipfile.ZipFile(packed).namelist())
os.chmod(os.path.dirname(os.path.dirname(copy)), 0o777)
try:
    node.path(jar, "other", content(jar))
except RuntimeError as error:
    print("open folder:", str(error).replace(folder, ""))
