"""Runs a notebook without a browser and prints the outputs of its cells as JSON: run_notebook.py NOTEBOOK JAVA_HOME CLASSPATH"""
import json
import os
import sys

import nbformat
from nbclient import NotebookClient

file, home, class_path = sys.argv[1:4]
os.environ["PATH"] = os.path.join(home, "bin") + os.pathsep + os.environ["PATH"]
os.environ["JJAVA_CLASSPATH"] = class_path
os.environ["JJAVA_JVM_OPTS"] = "--enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# The kernels of this environment, not those of the user.
os.environ["JUPYTER_PATH"] = os.path.join(sys.prefix, "share", "jupyter")
notebook = nbformat.read(file, as_version=4)
NotebookClient(notebook, timeout=120, startup_timeout=120, kernel_name="java").execute()
print(json.dumps([
    {key: "".join(value) for output in cell.outputs for key, value in output.get("data", {}).items()}
    for cell in notebook.cells if cell.cell_type == "code"
]))
