"""Batches of a running pipeline: the reader's side of `PythonFeed`."""

import json
import os
import queue
import socket
import threading
import weakref

from millrace.columns import arrow_batch, bytes_of, numpy_batch, row_dicts, torch_batch
from millrace.wire import CALL, DONE, DROP, NEXT, READY, SEGMENTS, START, Ended, Frames, Segments

FORMATS = ("numpy", "arrow", "torch", "rows")
PREFETCH = 2


class MillraceError(RuntimeError):
    """What went wrong in the pipeline, or with the connection to it, as a sentence."""


def connect(address, rank=0, world_size=1):
    """The feed at an address, for one of `world_size` readers."""
    return Feed(address, rank, world_size)


class Feed:
    """A connection to a feed, for one rank.

    Batches are views of shared memory. One that is kept beyond the next is the keeper's own: its memory is not used
    again. One thread at a time reads.
    """

    def __init__(self, address, rank=0, world_size=1):
        self.address = str(address)
        self.rank = rank
        self.world_size = world_size
        self.process = os.getpid()
        self.events = queue.SimpleQueue()
        self.current = None
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.connect(self.address)
        except OSError as error:
            self.socket.close()
            raise MillraceError(f"No feed can be reached at '{self.address}': {error.strerror}. The pipeline must run on"
                                " this machine, by the same user, and have opened it.") from None
        self.frames = Frames(self.socket.fileno(), self.socket.fileno())
        self.segments = Segments(self.frames)
        self.requests = 0
        self.prepare = None
        me = weakref.ref(self)
        # Orders are answered while the program computes.
        threading.Thread(target=receive, daemon=True, name="millrace-feed",
                         args=(self.frames, self.segments, self.events, self.socket,
                               lambda: getattr(me(), "prepare", None))).start()

    def batches(self, batch_size=None, *, format="numpy", dataset="", epoch=0, skip=0, shuffle=0, seed=0,
                drop_last=False, prefetch=PREFETCH, prepare=None):
        """This rank's batches of an epoch.

        :param format: "numpy" and "torch" give dicts of columns, "arrow" RecordBatches, "rows" lists of dicts
        :param skip: batches at the beginning that were read before
        :param shuffle: rows of a buffer from which batches are drawn at random; 0 for none
        :param prefetch: batches that are here before they are asked for
        :param prepare: called with each batch on another thread, ahead of its use
        """
        if format not in FORMATS:
            raise MillraceError(f"There is no format '{format}'. Choose one of {', '.join(FORMATS)}.")
        if batch_size is not None and batch_size < 1:
            raise MillraceError(f"A batch has 1 or more rows, not {batch_size}.")
        if prefetch < 0 or skip < 0 or shuffle < 0:
            raise MillraceError("prefetch, skip and shuffle are 0 or more.")
        if os.getpid() != self.process:
            raise MillraceError("The feed was opened by another process, of which this one is a fork. Open it in the"
                                " process that reads it; a DataLoader needs num_workers=0.")
        if self.frames is None:
            raise MillraceError("The feed was closed.")
        # One is with the reader, and another until the reader's variable has the next.
        wants = {"dataset": dataset, "rank": self.rank, "ranks": self.world_size, "epoch": epoch, "skip": skip,
                 "batch": batch_size or 0, "shuffle": shuffle, "seed": seed, "dropLast": int(drop_last),
                 "ahead": prefetch + 2}
        if self.current is not None:
            self.current.abandon()
        self.prepare = None if prepare is None else lambda base: prepare(convert(base, format))
        self.requests += 1
        self.current = reading = Reading(self, format, self.requests)
        text = "\0".join(f"{name}\0{value}" for name, value in wants.items())
        self._send(READY, self.requests, os.getpid(), text=text.encode())
        return reading

    def close(self):
        """Ends the connection: other ranks do not wait for this one any more."""
        if self.frames is not None and os.getpid() == self.process:
            self.frames = None
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.current = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "frames", None) is not None:
            self.close()

    def _send(self, kind, call=0, a=0, text=b""):
        frames = self.frames
        try:
            if frames is not None:
                frames.send(kind, call, a, text=text)
        except OSError:
            # The receiving thread finds the end.
            pass


def receive(frames, segments, events, connection, prepare):
    why = "reading failed"
    try:
        while True:
            kind, call, a, b, text = frames.receive()
            if kind == SEGMENTS:
                segments.announce(a)
            elif kind == DROP:
                segments.drop(a)
            elif kind == CALL:
                events.put((kind, 0, prepared(Lent(frames, segments, call, a, b), prepare())))
            elif kind in (START, NEXT):
                events.put((kind, call, json.loads(text) if kind == START else None))
    except (Ended, ConnectionError):
        why = "its process is gone, or it has closed the feed"
    except OSError as error:
        why = f"this process could not go on reading: {error}"
    finally:
        segments.close()
        connection.close()
        events.put((None, 0, why))


def prepared(lent, prepare):
    if prepare is None:
        return lent
    try:
        return Ready(prepare(lent.take()), None)
    except BaseException as error:
        return Ready(None, error)


class Ready:
    """A batch that was made of a lent one ahead of its use, or why it was not."""

    def __init__(self, batch, error):
        self.batch = batch
        self.error = error

    def keep(self):
        pass


class Lent:
    """A batch in shared memory that is given back when nothing refers to it any more."""

    def __init__(self, frames, segments, call, number, length):
        self.frames = frames
        self.segments = segments
        self.call = call
        self.number = number
        self.base = bytes_of(segments.all[number], length)
        self.end = weakref.finalize(self.base, give_back, frames, call)
        self.end.atexit = False

    def take(self):
        base, self.base = self.base, None
        return base

    def keep(self):
        """Whoever has it keeps it: the memory is theirs."""
        if self.end.detach() is not None:
            give_back(self.frames, self.call, 1)
            self.segments.drop(self.number)


def give_back(frames, call, kept=0):
    if os.getpid() != frames.process:
        # A fork has copies of the objects, and no part in the conversation.
        return
    try:
        frames.send(DONE, call, kept)
    except OSError:
        # The pipeline has ended.
        pass


class Reading:
    """An iterator over one epoch."""

    def __init__(self, feed, format, number):
        self.feed = feed
        self.format = format
        self.number = number
        self.lent = []
        self.begun = False
        self.ended = False

    def __iter__(self):
        return self

    def __next__(self):
        if self.ended:
            raise StopIteration
        if self.feed.current is not self:
            raise MillraceError("Another iteration of this feed has begun, or it was closed; this one has ended.")
        # The last one may still be in the reader's variable; those before it are kept.
        while len(self.lent) > 1:
            self.lent.pop(0).keep()
        while True:
            kind, number, what = self.feed.events.get()
            if kind is None:
                self.feed.close()
                raise MillraceError(f"The pipeline has ended: {what}.")
            if kind == CALL and self.begun:
                self.lent.append(what)
                if isinstance(what, Lent):
                    return convert(what.take(), self.format)
                if what.error is not None:
                    raise what.error
                return what.batch
            # What an iteration before this one left is dropped, and so given back.
            if kind != CALL and number == self.number:
                if kind == NEXT:
                    self.ended = True
                    raise StopIteration
                if "error" in what:
                    self.ended = True
                    raise MillraceError(what["error"])
                self.begun = True
            what = None

    def close(self):
        """Ends the run: no more batches are made."""
        if not self.ended and self.feed.current is self:
            self.ended = True
            self.abandon()
            self.feed.requests += 1
            self.feed._send(READY, self.feed.requests, os.getpid())

    def abandon(self):
        """Another iteration begins: batches that are still in use are their users' own."""
        while self.lent:
            self.lent.pop().keep()


def convert(base, format):
    batch = arrow_batch(base)
    if format == "numpy":
        return numpy_batch(batch)
    if format == "torch":
        return torch_batch(batch, base)
    return row_dicts(batch) if format == "rows" else batch
