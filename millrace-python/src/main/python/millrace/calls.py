"""The user's object of a worker, and its calls."""

import collections
import collections.abc
import importlib
import inspect
import linecache
import os
import sys
import traceback
import types
import weakref

import numpy as np
import pyarrow as pa

from millrace.columns import (BadResult, arrow_batch, bytes_of, is_same, mask, numpy_batch, record_batch, row_dicts,
                              rows_batch, torch_batch)
from millrace.wire import CALL, DONE, DROP, END, ERROR, FREE, NEXT, READY, RESULT, SEGMENTS, Segments

# Space for the schema and the messages' heads of a result.
HEADS = 1 << 16

class Refused(Exception):
    """The user's code cannot be started; the text says why."""


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
    """The sentence of a failure with the user's own line, and its traceback without the frames of this package."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<millrace ")]
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
    def __init__(self, frames, end_group):
        self.frames = frames
        self.end_group = end_group
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
        self.end_group()

    def answer(self, call, number, length):
        used = None
        try:
            if self.order["use"] == "SOURCE":
                self.emit_source(call, length)
            else:
                base = bytes_of(self.segments.all[number], length)
                used = weakref.ref(base)
                self.run(call, arrow_batch(base), base)
                del base
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
        if kind is not None:
            self.frames.send(ERROR, call, kind, text=text.encode("utf-8", "replace"))
        elif used is not None and used() is not None:
            # User code keeps a view of the batch: the memory is its own from now on.
            self.frames.send(DONE, call, 1)
            self.segments.drop(number)
        else:
            self.frames.send(DONE, call)

    def run(self, call, batch, base):
        """Calls the function with the batch, in parts if a GPU was too small for as many rows before."""
        at = 0
        while at < batch.num_rows or batch.num_rows == 0:
            rows = batch.num_rows - at if self.most_rows is None else min(self.most_rows, batch.num_rows - at)
            part = batch if rows == batch.num_rows else batch.slice(at, rows)
            results = self.results
            try:
                self.emit(call, part, base, rows == batch.num_rows)
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

    def given(self, batch, base):
        form = self.order["format"]
        if form == "ARROW":
            return batch
        if form == "TORCH":
            return torch_batch(batch, base)
        return numpy_batch(batch)

    def emit(self, call, batch, base, whole):
        use = self.order["use"]
        if self.order["format"] == "ROWS":
            self.emit_rows(call, batch, use)
            return
        given = self.given(batch, base)
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
