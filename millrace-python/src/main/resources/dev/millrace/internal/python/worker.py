"""The Python side of Millrace's Python workers: one process, one user's object, batches in shared memory.

Orders come through the pipe that was standard input, answers leave through the one that was standard output; both carry
small frames only. Rows lie in memory that this process makes (memfd) and the Java process maps. Everything ends with the
Java process: its end closes the pipe, and the kernel kills this process where it can (Linux).

Needs Python 3.10, pyarrow and NumPy; torch only for batches of tensors.
"""

import collections
import importlib
import inspect
import io
import json
import linecache
import mmap
import os
import select
import signal
import struct
import sys
import tempfile
import threading
import time
import traceback
import types

# Orders: kind, call, two numbers.
ORDER = struct.Struct("<BIQQ")
START, CALL, SEGMENTS, FREE, NEXT, END, DROP = 1, 2, 3, 4, 5, 6, 7
# Answers: kind, call, four numbers, length of the text that follows.
ANSWER = struct.Struct("<BIQQQQI")
READY, SEGMENT, RESULT, DONE, ERROR, DROPPED = 1, 2, 3, 4, 5, 6

SMALLEST_SEGMENT = 1 << 20
IDLE_SEGMENTS = 3
# Space for the schema and the messages' heads of a result.
HEADS = 1 << 16


class BadResult(Exception):
    """What the user's code returned cannot be rows; the text says why."""


class Refused(Exception):
    """The user's code cannot be started; the text says why."""


# ---- the process


def follow_parent(parent):
    """Ends this process, and those that it started, with the Java process, even while user code holds the GIL."""
    try:
        os.setpgid(0, 0)
    except OSError:
        pass
    if sys.platform.startswith("linux"):
        try:
            import ctypes

            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        except (OSError, AttributeError):
            pass

    watch(parent)
    os.register_at_fork(after_in_child=lambda: forked(os.getppid()))


def forked(parent):
    """In a child that user code forked: it has no part in the conversation, and ends with the worker."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in Frames.open_files:
        os.dup2(null, number)
    os.close(null)
    watch(parent)


def watch(parent):
    def run():
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=run, daemon=True, name="millrace-parent").start()


def end_group():
    """Ends this process and all that it started."""
    try:
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
    finally:
        os._exit(0)


# ---- frames


class Frames:
    """Orders in, answers out. One thread."""

    open_files = []

    def __init__(self, orders, answers):
        self.orders = orders
        self.answers = answers
        self.waiting = collections.deque()
        Frames.open_files = [orders, answers]

    def read(self, size):
        parts = b""
        while len(parts) < size:
            part = os.read(self.orders, size - len(parts))
            if not part:
                end_group()
            parts = parts + part if parts else part
        return parts

    def receive(self):
        kind, call, a, b = ORDER.unpack(self.read(ORDER.size))
        return kind, call, a, b, self.read(a) if kind == START else b""

    def take(self):
        """The next order."""
        return self.waiting.popleft() if self.waiting else self.receive()

    def gather(self):
        """Reads the orders that have arrived, without waiting."""
        while select.select([self.orders], [], [], 0)[0]:
            self.waiting.append(self.receive())

    def send(self, kind, call=0, a=0, b=0, c=0, d=0, text=b""):
        data = memoryview(ANSWER.pack(kind, call, a, b, c, d, len(text)) + text)
        while data:
            data = data[os.write(self.answers, data) :]


# ---- shared memory


class Segment:
    def __init__(self, number, size):
        self.number = number
        self.size = size
        self.path = b""
        if hasattr(os, "memfd_create"):
            self.file = os.memfd_create("millrace")
        else:
            self.file, path = tempfile.mkstemp(prefix="millrace-")
            # The Java process removes it as soon as it has opened it.
            self.path = path.encode()
        os.ftruncate(self.file, size)
        self.memory = mmap.mmap(self.file, size)
        self.fresh = True

    def drop(self):
        os.close(self.file)
        self.memory = None


class Segments:
    """All shared memory of this worker. A segment of results is free when the Java process says so."""

    def __init__(self, frames):
        self.frames = frames
        self.all = {}
        self.free = []
        self.last = 0

    def make(self, size):
        whole = SMALLEST_SEGMENT
        while whole < size:
            whole *= 2
        self.last += 1
        segment = Segment(self.last, whole)
        self.all[segment.number] = segment
        return segment

    def announce(self, size):
        """Two at once: the second is filled while the first is read."""
        for _ in range(2):
            segment = self.make(size)
            self.frames.send(SEGMENT, 0, segment.number, segment.file, segment.size, 0, segment.path)

    def for_result(self, size):
        fitting = [segment for segment in self.free if segment.size >= size]
        if not fitting:
            return self.make(size)
        segment = min(fitting, key=lambda each: each.size)
        self.free.remove(segment)
        return segment

    def give_back(self, number):
        segment = self.all.get(number)
        if segment is None:
            return
        self.free.append(segment)
        if len(self.free) > IDLE_SEGMENTS:
            small = min(self.free, key=lambda each: each.size)
            self.free.remove(small)
            self.drop(small.number)
            self.frames.send(DROPPED, 0, small.number)

    def drop(self, number):
        segment = self.all.pop(number, None)
        if segment is not None:
            segment.drop()


# ---- batches to what user code gets


def arrow_batch(segment, length):
    buffer = pa.py_buffer(memoryview(segment.memory)[:length])
    with pa.ipc.open_stream(buffer) as reader:
        try:
            return reader.read_next_batch()
        except StopIteration:
            return pa.RecordBatch.from_pylist([], schema=reader.schema)


def is_tensor(type_):
    return isinstance(type_, pa.FixedShapeTensorType)


def variable_tensors(column):
    """Tensors whose shapes differ: a list of arrays, or None if the column has none."""
    type_ = column.type
    storage = column.storage if isinstance(column, pa.ExtensionArray) else column
    name = getattr(type_, "extension_name", None)
    if name != "arrow.variable_shape_tensor":
        return None
    shapes = storage.field("shape").to_pylist()
    data = storage.field("data")
    return [
        None if not storage[row].is_valid else data[row].values.to_numpy(zero_copy_only=False).reshape(shapes[row])
        for row in range(len(storage))
    ]


def numpy_column(column):
    """A view of the memory where there is one: numbers without nulls, and tensors of one shape."""
    type_ = column.type
    if is_tensor(type_):
        if column.null_count:
            return objects([None if not cell.is_valid else cell.to_numpy() for cell in column])
        return column.to_numpy_ndarray()
    tensors = variable_tensors(column)
    if tensors is not None:
        return objects(tensors)
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
        type_ = column.type
    if pa.types.is_fixed_size_list(type_) and not column.null_count and not column.values.null_count:
        if pa.types.is_primitive(type_.value_type) and not pa.types.is_boolean(type_.value_type):
            flat = column.flatten().to_numpy(zero_copy_only=False)
            return flat.reshape(len(column), type_.list_size)
    if pa.types.is_dictionary(type_):
        column = column.dictionary_decode()
    return column.to_numpy(zero_copy_only=False)


def objects(values):
    array = np.empty(len(values), dtype=object)
    for position, value in enumerate(values):
        array[position] = value
    return array


def numpy_batch(batch):
    return {name: numpy_column(batch.column(position)) for position, name in enumerate(batch.schema.names)}


def torch_batch(batch, memory):
    """Tensors over the shared memory, which is the worker's to change; columns without numbers stay NumPy arrays."""
    base = np.frombuffer(memory, dtype=np.uint8)
    first = base.__array_interface__["data"][0]
    tensors = {}
    for name, array in numpy_batch(batch).items():
        if array.dtype.kind not in "iufb" or array.dtype.newbyteorder("=") != array.dtype:
            tensors[name] = array
            continue
        at = array.__array_interface__["data"][0] - first
        if not array.flags.writeable and 0 <= at and at + array.nbytes <= base.nbytes:
            array = np.ndarray(array.shape, array.dtype, buffer=memory, offset=at)
        elif not array.flags.writeable:
            array = array.copy()
        tensors[name] = torch().from_numpy(array)
    return tensors


def torch():
    return importlib.import_module("torch")


def row_dicts(batch):
    names = batch.schema.names
    columns = []
    for position in range(len(names)):
        column = batch.column(position)
        if isinstance(column, pa.ExtensionArray):
            array = numpy_column(column)
            columns.append([array[row] for row in range(len(column))])
        else:
            columns.append(column.to_pylist())
    return [dict(zip(names, values)) for values in zip(*columns)] if names else [{} for _ in range(batch.num_rows)]


# ---- what user code returns to batches


def arrow_column(name, value):
    if isinstance(value, (pa.Array, pa.ChunkedArray)):
        return value.combine_chunks() if isinstance(value, pa.ChunkedArray) else value
    if "torch" in sys.modules and isinstance(value, torch().Tensor):
        value = value.detach().cpu()
        value = (value.float() if value.dtype == torch().bfloat16 else value).numpy()
    if isinstance(value, (list, tuple)):
        value = list_column(name, value)
    if isinstance(value, np.ndarray):
        return numpy_result(name, value)
    if isinstance(value, pa.Array):
        return value
    raise BadResult(
        f"column '{name}' is a {type(value).__name__}. Return a NumPy array, a torch tensor, a pyarrow array or a list"
    )


def list_column(name, values):
    """A list of equal arrays is a tensor column; anything else is what pyarrow makes of it."""
    if "torch" in sys.modules:
        values = [each.detach().cpu().numpy() if isinstance(each, torch().Tensor) else each for each in values]
    arrays = [each for each in values if isinstance(each, np.ndarray)]
    if arrays and len(arrays) == len(values):
        if all(each.shape == arrays[0].shape and each.dtype == arrays[0].dtype for each in arrays):
            return np.stack(arrays)
        values = [each.tolist() for each in arrays]
    try:
        return pa.array([each.item() if isinstance(each, np.generic) else each for each in values])
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise BadResult(f"column '{name}' has values that are not of one type: {error}") from None


def numpy_result(name, array):
    if array.ndim == 0:
        raise BadResult(f"column '{name}' is a single value. Return one value for each row")
    if array.dtype == object and array.ndim == 1:
        return arrow_column(name, list(array))
    if array.dtype == object or array.dtype.kind in "cV":
        raise BadResult(f"column '{name}' has the type {array.dtype}, which is no type of a column")
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("="))
    if array.ndim == 1:
        return pa.array(array)
    if array.dtype.kind not in "iuf":
        return pa.array(array.tolist())
    if len(array) == 0:
        type_ = pa.fixed_shape_tensor(pa.from_numpy_dtype(array.dtype), array.shape[1:])
        return pa.ExtensionArray.from_storage(type_, pa.array([], type_.storage_type))
    if 0 in array.shape:
        return pa.array(array.tolist())
    return pa.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(array))


def record_batch(value):
    """A returned value as a RecordBatch."""
    if isinstance(value, pa.RecordBatch):
        return value
    if isinstance(value, pa.Table):
        batches = value.combine_chunks().to_batches()
        return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=value.schema)
    if isinstance(value, collections.abc.Mapping):
        names = [str(name) for name in value]
        columns = [arrow_column(name, column) for name, column in zip(names, value.values())]
        if not columns:
            raise BadResult("it returned a dict without columns")
        for name, column in zip(names, columns):
            if len(column) != len(columns[0]):
                raise BadResult(
                    f"column '{names[0]}' has {len(columns[0])} rows and '{name}' has {len(column)}."
                    " Return columns of equal length"
                )
        return pa.RecordBatch.from_arrays(columns, names=names)
    if hasattr(value, "to_dict") and type(value).__module__.startswith("pandas"):
        return record_batch(pa.Table.from_pandas(value, preserve_index=False))
    if value is None:
        raise BadResult("it returned None. Return a batch")
    raise BadResult(
        f"it returned a {type(value).__name__}. Return a dict of columns, a pyarrow RecordBatch or Table, or yield them"
    )


def rows_batch(rows):
    """Dicts, one for each row, as a RecordBatch."""
    names = {}
    for row in rows:
        if not isinstance(row, collections.abc.Mapping):
            raise BadResult(f"it returned a {type(row).__name__} as a row. A row is a dict")
        for name in row:
            names[str(name)] = True
    return record_batch({name: [row.get(name) for row in rows] for name in names})


def mask(value, rows):
    column = pa.array([], pa.bool_()) if rows == 0 else arrow_column("keep", value)
    if not pa.types.is_boolean(column.type) or len(column) != rows:
        raise BadResult(f"a filter of a batch of {rows} rows returned {len(column)} values of {column.type}."
                        " Return one bool for each row")
    return pa.RecordBatch.from_arrays([column], names=["keep"])


def is_same(column, given):
    """Whether a returned column is the given one itself: then its rows need not travel back."""
    if column is given:
        return True
    if column.type != given.type or len(column) != len(given) or column.offset != given.offset:
        return False
    mine, theirs = column.buffers(), given.buffers()
    return len(mine) == len(theirs) and any(mine) and all(
        (a is None and b is None) or (a is not None and b is not None and a.address == b.address and a.size == b.size)
        for a, b in zip(mine, theirs)
    )


# ---- the user's object


def load(order):
    """The function that is called with batches."""
    if order["source"] is None:
        module = importlib.import_module(order["file"])
        where = order["file"]
    else:
        where = os.path.basename(order["file"])
        folder = os.path.dirname(order["file"])
        if folder and os.path.isdir(folder):
            sys.path.insert(0, folder)
        name = os.path.splitext(where)[0]
        module = types.ModuleType(name)
        module.__file__ = order["file"]
        sys.modules[name] = module
        lines = order["source"].splitlines(keepends=True)
        linecache.cache[order["file"]] = (len(order["source"]), None, lines, order["file"])
        exec(compile(order["source"], order["file"], "exec"), module.__dict__)
    target = module
    for part in order["name"].split("."):
        if not hasattr(target, part):
            known = sorted(
                each for each, value in vars(target).items()
                if callable(value) and getattr(value, "__module__", None) == getattr(module, "__name__", None)
            )
            raise Refused(f"there is no '{order['name']}' in {where}. It has {', '.join(known) or 'no class or function'}")
        target = getattr(target, part)
    args, kwargs = order["args"], order["kwargs"]
    if inspect.isclass(target):
        made = target(*args, **kwargs)
        if not callable(made):
            raise Refused(f"the class '{order['name']}' of {where} has no method __call__, which gets the batches")
        return made
    if not callable(target):
        raise Refused(f"'{order['name']}' of {where} is a {type(target).__name__}, and no class or function")
    if args or kwargs:
        return lambda *batch: target(*batch, *args, **kwargs)
    return target


def limit_memory(bytes_):
    if bytes_:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (bytes_, bytes_))


def is_gpu_memory(error):
    kind = type(error)
    return (kind.__name__ == "OutOfMemoryError" and kind.__module__.startswith("torch")) or (
        isinstance(error, RuntimeError) and "CUDA out of memory" in str(error)
    )


def describe(error, file):
    """The sentence of a failure with the user's own line, and its traceback without the frames of this file."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    own = [frame for frame in frames if frame.filename == file] or frames[-1:]
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ModuleNotFoundError) and error.name:
        text += (f". The package '{error.name.split('.')[0]}' is not installed for {sys.executable}; install it there,"
                 " or name it in requirements(...)")
    if isinstance(error, SyntaxError) and error.filename:
        text += f", at {os.path.basename(error.filename)}:{error.lineno}"
    if own:
        frame = own[-1]
        text += f", at {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}"
        text += f": {frame.line}" if frame.line else ""
    listing = "".join(traceback.format_list(frames)).rstrip()
    return text + ("\n" + listing if listing else "")


class Worker:
    def __init__(self, frames):
        self.frames = frames
        self.segments = Segments(frames)
        self.order = {}
        self.function = None
        self.most_rows = None
        self.results = 0

    def start(self, order):
        self.order = order
        try:
            limit_memory(order["memory"])
            self.function = load(order)
        except Refused as error:
            self.frames.send(ERROR, 0, 1, text=str(error).encode())
            return False
        except BaseException as error:
            self.frames.send(ERROR, 0, 2, text=describe(error, order["file"]).encode("utf-8", "replace"))
            return False
        self.frames.send(READY)
        return True

    def serve(self):
        while True:
            kind, call, a, b, text = self.frames.take()
            if kind == CALL:
                self.answer(call, a, b)
            elif kind == SEGMENTS:
                self.segments.announce(a)
            elif kind == FREE:
                self.segments.give_back(a)
            elif kind == DROP:
                self.segments.drop(a)
            elif kind == END:
                self.end()

    def end(self):
        close = getattr(self.function, "close", None)
        if callable(close) and not inspect.isfunction(self.function):
            try:
                close()
            except BaseException:
                traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        end_group()

    def answer(self, call, number, length):
        try:
            if self.order["use"] == "SOURCE":
                self.emit_source(call, length)
            else:
                segment = self.segments.all[number]
                batch = arrow_batch(segment, length)
                self.run(call, batch, segment)
            kind = None
        except BadResult as error:
            kind, text = 3, str(error) + "."
        except MemoryError as error:
            kind, text = 4, describe(error, self.order["file"])
        except (KeyboardInterrupt, SystemExit) as error:
            kind, text = 2, describe(error, self.order["file"])
        except Exception as error:
            kind, text = 2, describe(error, self.order["file"])
        sys.stdout.flush()
        if kind is None:
            self.frames.send(DONE, call)
        else:
            self.frames.send(ERROR, call, kind, text=text.encode("utf-8", "replace"))

    def run(self, call, batch, segment):
        """Calls the function with the batch, in parts if a GPU was too small for as many rows before."""
        at = 0
        while at < batch.num_rows or batch.num_rows == 0:
            rows = batch.num_rows - at if self.most_rows is None else min(self.most_rows, batch.num_rows - at)
            part = batch if rows == batch.num_rows else batch.slice(at, rows)
            results = self.results
            try:
                self.emit(call, part, segment, rows == batch.num_rows)
            except Exception as error:
                # Rows that were sent cannot be taken back.
                if not is_gpu_memory(error) or rows <= 1 or self.results > results:
                    raise
                self.most_rows = rows // 2
                # The traceback's frames hold the tensors of the failed call.
                error.__traceback__ = None
                self.empty_gpu(rows)
                continue
            at += rows
            if batch.num_rows == 0:
                return

    def empty_gpu(self, rows):
        print(f"The GPU's memory is too small for {rows} rows; batches have {self.most_rows} rows from now on.",
              file=sys.stderr, flush=True)
        cuda = getattr(sys.modules.get("torch"), "cuda", None)
        if cuda is not None and cuda.is_available():
            cuda.empty_cache()

    def given(self, batch, segment):
        form = self.order["format"]
        if form == "ARROW":
            return batch
        if form == "TORCH":
            return torch_batch(batch, segment.memory)
        return numpy_batch(batch)

    def emit(self, call, batch, segment, whole):
        use = self.order["use"]
        if self.order["format"] == "ROWS":
            self.emit_rows(call, batch, use)
            return
        given = self.given(batch, segment)
        made = self.function(given)
        if use == "FILTER":
            self.result(call, mask(made, batch.num_rows), None)
            return
        if inspect.isgenerator(made) or (isinstance(made, collections.abc.Iterator)):
            for each in made:
                # Of several results only those of a stream are taken one by one, beside their input.
                if not self.result(call, record_batch(each), batch if self.order["waits"] else None, given, each):
                    made.close()
                    return
            return
        self.result(call, record_batch(made), batch if whole else None, given, made)

    def emit_rows(self, call, batch, use):
        rows = row_dicts(batch)
        if use == "FILTER":
            self.result(call, mask([bool(self.function(row)) for row in rows], batch.num_rows), None)
            return
        made = []
        for row in rows:
            value = self.function(row)
            if use == "FLAT_MAP":
                if isinstance(value, collections.abc.Mapping) or not isinstance(value, collections.abc.Iterable):
                    raise BadResult(f"it returned a {type(value).__name__} for a row. Return a list of dicts, or yield them")
                made.extend(value)
            else:
                made.append(value)
        if made:
            self.result(call, rows_batch(made), None)

    def emit_source(self, call, split):
        made = self.function(split, self.order["splits"])
        made = made if inspect.isgenerator(made) or isinstance(made, (collections.abc.Iterator, list)) else [made]
        for each in made:
            if not self.result(call, record_batch(each), None):
                return

    def result(self, call, batch, input_batch, given=None, made=None):
        """Sends rows; columns that are those of the input itself only by name. False: no more are wanted."""
        self.results += 1
        same = []
        if input_batch is not None and batch.num_rows == input_batch.num_rows:
            same = self.same_columns(batch, input_batch, given, made)
        travelling = [i for i in range(batch.num_columns) if batch.schema.names[i] not in dict(same)]
        sent = batch.select(travelling) if same else batch
        text = "\0".join(batch.schema.names).encode() + b"\1" + "\0".join(f"{a}\0{b}" for a, b in same).encode()
        self.frames.gather()
        self.free_waiting()
        if sent.num_columns == 0 and same:
            self.frames.send(RESULT, call, 0, 0, 0, 0, text)
        else:
            segment = self.segments.for_result(pa.ipc.get_record_batch_size(sent) + sent.schema.serialize().size + HEADS)
            sink = pa.FixedSizeBufferWriter(pa.py_buffer(segment.memory))
            sink.set_memcopy_threads(1)
            with pa.ipc.new_stream(sink, sent.schema) as writer:
                writer.write_batch(sent)
            length = sink.tell()
            sink.close()
            path = segment.path if segment.fresh else b""
            segment.fresh = False
            self.frames.send(RESULT, call, segment.number, segment.file, segment.size, length, text + b"\1" + path)
        return not self.order["waits"] or self.wants_more(call)

    def same_columns(self, batch, input_batch, given, made):
        same = []
        for name, column in zip(batch.schema.names, batch.columns):
            if isinstance(given, dict) and isinstance(made, collections.abc.Mapping):
                if not isinstance(made[name], np.ndarray):
                    continue
                found = next((key for key, value in given.items() if value is made[name]), None)
                # An array that was made for the call, and is no view, may have been changed.
                if found is not None and not made[name].flags.writeable:
                    same.append((name, found))
            elif given is input_batch:
                found = next((other for other in input_batch.schema.names if is_same(column, input_batch.column(other))), None)
                if found is not None:
                    same.append((name, found))
        return same

    def free_waiting(self):
        left = collections.deque()
        for order in self.frames.waiting:
            if order[0] == FREE:
                self.segments.give_back(order[2])
            elif order[0] == DROP:
                self.segments.drop(order[2])
            elif order[0] == SEGMENTS:
                self.segments.announce(order[2])
            else:
                left.append(order)
        self.frames.waiting = left

    def wants_more(self, call):
        """After each result of a stream: waits until the Java process has taken it."""
        while True:
            self.free_waiting()
            for order in self.frames.waiting:
                if order[0] == NEXT and order[1] == call:
                    self.frames.waiting.remove(order)
                    return order[2] == 0
                if order[0] == END:
                    return False
            self.frames.waiting.append(self.frames.receive())


def main():
    frames = Frames(os.dup(0), os.dup(1))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    # What user code prints goes to standard error, so that it never gets between the frames.
    os.dup2(2, 1)
    # A full pipe must not cut a line of the user: lines are written as they come.
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), "utf-8", "replace", line_buffering=True)
    follow_parent(os.getppid())
    kind, _, _, _, text = frames.receive()
    order = json.loads(text)
    try:
        global np, pa
        np = importlib.import_module("numpy")
        pa = importlib.import_module("pyarrow")
        importlib.import_module("pyarrow.ipc")
    except ImportError as error:
        frames.send(ERROR, 0, 1, text=f"{sys.executable} has no {error.name or error}. A Python worker needs pyarrow and"
                                      " numpy: install both there, or name them in requirements(...)".encode())
        return
    if order["format"] == "TORCH":
        try:
            torch()
        except ImportError:
            frames.send(ERROR, 0, 1, text=f"{sys.executable} has no torch, but the function is to get torch tensors:"
                                          " install it there, or name it in requirements(...)".encode())
            return
    worker = Worker(frames)
    if worker.start(order):
        worker.serve()


main()
