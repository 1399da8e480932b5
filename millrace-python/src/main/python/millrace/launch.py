"""Starts pipelines of Millrace from Python and iterates their batches."""

import collections
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref

from millrace.feed import Feed, MillraceError

LEAST_JAVA = 25
START_SECONDS = 120
LAST_LINES = 40


def run(program, *arguments, classpath=None, main=None, java=None, java_options=(), env=None):
    """Starts a pipeline, and returns it when it can be read.

    :param program: a Java source file or a jar whose program calls `PythonFeed.of(dataset).serve()`, or a saved plan
        (`dataset.savePlan(...)`)
    :param arguments: of the program; of a plan, the classes that its functions may have
    :param classpath: jars and folders of jars; by default the environment variable MILLRACE_CLASSPATH, or the
        checkout that this package was installed from
    :param main: the main class of a jar, if its manifest names none
    :param java: a JDK's folder or its java; by default JAVA_HOME, or the one of the path
    """
    file = os.path.abspath(os.fspath(program))
    if not os.path.isfile(file):
        raise MillraceError(f"The pipeline '{program}' is no file. Give a Java source file, a jar or a saved plan.")
    path = class_path(classpath)
    if file.endswith(".java"):
        what = ["-cp", path, file]
    elif file.endswith(".jar") and main is None:
        # A jar's own class path is that of its manifest; ours would be ignored by -jar.
        what = ["-cp", os.pathsep.join([file, path]), main_class(file)]
    elif file.endswith(".jar"):
        what = ["-cp", os.pathsep.join([file, path]), main]
    else:
        what = ["-cp", path, "dev.millrace.internal.python.FeedStarter", file]
    command = [find_java(java), "--enable-native-access=ALL-UNNAMED", *java_options, *what, *map(str, arguments)]
    return Pipeline(command, {**os.environ, **(env or {})}, os.path.basename(file))


def class_path(given):
    parts = [given] if isinstance(given, (str, os.PathLike)) else list(given or [])
    if not parts and os.environ.get("MILLRACE_CLASSPATH"):
        parts = os.environ["MILLRACE_CLASSPATH"].split(os.pathsep)
    if not parts:
        folder = os.path.dirname(os.path.abspath(__file__))
        while os.path.dirname(folder) != folder and not os.path.isdir(os.path.join(folder, "build", "app", "lib")):
            folder = os.path.dirname(folder)
        parts = [os.path.join(folder, "build", "app", "lib")]
        if not os.path.isdir(parts[0]):
            raise MillraceError("The jars of Millrace were not found. Name them, or their folder, by classpath=... or in"
                                " the environment variable MILLRACE_CLASSPATH; './millrace build' puts them in"
                                " build/app/lib of a checkout.")
    jars = []
    for part in map(os.fspath, parts):
        if os.path.isdir(part) and any(name.endswith(".jar") for name in os.listdir(part)):
            jars.append(os.path.join(part, "*"))
        else:
            jars.append(part)
    return os.pathsep.join(jars)


def main_class(jar):
    import zipfile

    try:
        with zipfile.ZipFile(jar) as file:
            manifest = file.read("META-INF/MANIFEST.MF").decode("utf-8", "replace")
    except (OSError, KeyError, zipfile.BadZipFile):
        manifest = ""
    for line in manifest.splitlines():
        if line.startswith("Main-Class:"):
            return line.partition(":")[2].strip()
    raise MillraceError(f"The jar '{jar}' names no main class. Give it by main=...")


def find_java(given):
    home = os.fspath(given) if given else os.environ.get("JAVA_HOME")
    if home:
        java = os.path.join(home, "bin", "java") if os.path.isdir(home) else home
    else:
        java = shutil.which("java")
    if not java or not os.path.isfile(java):
        raise MillraceError(f"No Java was found{f' at {home}' if home else ''}. Install a JDK {LEAST_JAVA} or newer, and"
                            " give its folder by java=... or in JAVA_HOME.")
    return java


def follow(stream, lines):
    """Shows what the pipeline prints, also in a notebook."""
    for line in stream:
        lines.append(line)
        sys.stderr.write(line)


def end(process, folder, seconds=10):
    """The pipeline ends with its standard input."""
    if os.getpid() != process.millrace_parent:
        return
    try:
        process.stdin.close()
        process.wait(seconds)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)


class Pipeline:
    """A pipeline in a Java process of its own, which ends with this object, `close()`, or this process."""

    def __init__(self, command, environment, name):
        self.name = name
        folder = tempfile.mkdtemp(prefix="millrace-")
        self.address = os.path.join(folder, "feed")
        environment["MILLRACE_FEED"] = self.address
        self._lines = collections.deque(maxlen=LAST_LINES)
        try:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace")
        except OSError as error:
            os.rmdir(folder)
            raise MillraceError(f"Java cannot be started: {error}") from None
        process.millrace_parent = os.getpid()
        self._process = process
        self._end = weakref.finalize(self, end, process, folder)
        threading.Thread(target=follow, args=(process.stdout, self._lines), daemon=True, name="millrace-output").start()
        self._feed = None
        try:
            self._feed = self._first_feed()
        except BaseException:
            self._end()
            raise

    def _first_feed(self):
        until = time.monotonic() + START_SECONDS
        while True:
            if os.path.exists(self.address):
                try:
                    return Feed(self.address)
                except MillraceError:
                    # It is there, and not open yet.
                    pass
            if self._process.poll() is not None:
                time.sleep(0.1)
                raise MillraceError(f"The pipeline '{self.name}' ended with exit code {self._process.returncode} before"
                                    " it served a dataset. Its program calls PythonFeed.of(dataset).serve(). It printed"
                                    f" last:\n{''.join(self._lines)}")
            if time.monotonic() > until:
                raise MillraceError(f"The pipeline '{self.name}' has not served a dataset within {START_SECONDS} s. Its"
                                    " program calls PythonFeed.of(dataset).serve().")
            time.sleep(0.02)

    def batches(self, batch_size=None, **options):
        """The batches of one run, as `Feed.batches` has them."""
        if self._feed is None:
            raise MillraceError(f"The pipeline '{self.name}' was closed.")
        return self._feed.batches(batch_size, **options)

    def __iter__(self):
        return self.batches()

    def to_arrow(self, dataset=""):
        """All rows as a pyarrow Table."""
        import pyarrow as pa

        return pa.Table.from_batches(list(self.batches(format="arrow", dataset=dataset)))

    def to_pandas(self, dataset=""):
        """All rows as a DataFrame."""
        return self.to_arrow(dataset).to_pandas()

    def take(self, rows=10, dataset=""):
        """The first rows as a pyarrow Table; the run ends behind them."""
        import pyarrow as pa

        batches = self.batches(rows, format="arrow", dataset=dataset)
        try:
            return pa.Table.from_batches([next(batches)])
        except StopIteration:
            raise MillraceError(f"The pipeline '{self.name}' has no rows.") from None
        finally:
            batches.close()

    def close(self):
        """Ends the pipeline."""
        if self._feed is not None:
            self._feed.close()
            self._feed = None
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        state = "closed" if self._feed is None else f"process {self._process.pid}, at {self.address}"
        return f"<millrace pipeline {self.name}: {state}>"
