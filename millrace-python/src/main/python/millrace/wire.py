"""Frames and shared memory between a Java process and this one.

The Java process sends orders, this one answers; both are small. Rows lie in memory that this process makes (memfd) and
the Java process maps, as Arrow streams.
"""

import collections
import errno
import mmap
import os
import resource
import select
import struct
import tempfile
import threading

# Orders: kind, call, two numbers. START has a text, of as many bytes as its first number says.
ORDER = struct.Struct("<BIQQ")
START, CALL, SEGMENTS, FREE, NEXT, END, DROP = 1, 2, 3, 4, 5, 6, 7
# Answers: kind, call, four numbers, length of the text that follows.
ANSWER = struct.Struct("<BIQQQQI")
READY, SEGMENT, RESULT, DONE, ERROR, DROPPED = 1, 2, 3, 4, 5, 6

SMALLEST_SEGMENT = 1 << 20
IDLE_SEGMENTS = 3


class Ended(Exception):
    """The other side has closed the connection."""


class Frames:
    """Orders in, answers out. One thread receives; any may send, also a finalizer in the middle of another's send."""

    def __init__(self, orders, answers, on_end=None):
        self.orders = orders
        self.answers = answers
        self.on_end = on_end
        self.process = os.getpid()
        self.waiting = collections.deque()
        self.outgoing = collections.deque()
        self.sending = threading.Lock()

    def read(self, size):
        parts = b""
        while len(parts) < size:
            try:
                part = os.read(self.orders, size - len(parts))
            except OSError:
                part = b""
            if not part:
                if self.on_end is not None:
                    self.on_end()
                raise Ended()
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
        self.outgoing.append(ANSWER.pack(kind, call, a, b, c, d, len(text)) + text)
        # Whoever has the lock sends for those who come meanwhile, and looks again when it has let go.
        while self.outgoing and self.sending.acquire(blocking=False):
            try:
                while self.outgoing:
                    data = memoryview(self.outgoing.popleft())
                    while data:
                        data = data[os.write(self.answers, data) :]
            finally:
                self.sending.release()


def more_files():
    """Lets this process open as many files as it may; false if it could already."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == hard:
        return False
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):
        # Some systems call a limit unlimited and do not take it.
        return False
    return True


class Segment:
    def __init__(self, number, size):
        self.number = number
        self.size = size
        self.path = b""
        try:
            self.open()
        except OSError as error:
            # Python keeps a file open for each mapping, so a program that keeps many batches needs many.
            if error.errno != errno.EMFILE or not more_files():
                raise
            self.open()
        self.fresh = True

    def open(self):
        if hasattr(os, "memfd_create"):
            self.file = os.memfd_create("millrace")
        else:
            self.file, path = tempfile.mkstemp(prefix="millrace-")
            # The Java process removes it as soon as it has opened it.
            self.path = path.encode()
        try:
            os.ftruncate(self.file, self.size)
            self.memory = mmap.mmap(self.file, self.size)
        except OSError:
            os.close(self.file)
            raise

    def drop(self):
        """Arrays over its memory stay valid."""
        os.close(self.file)
        self.memory = None


class Segments:
    """All shared memory of this side. A segment of results is free when the Java process says so."""

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

    def close(self):
        for number in list(self.all):
            self.drop(number)
