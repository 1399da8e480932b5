"""What PythonFeedTest does in Python: reading.py PACKAGE CASE ADDRESS ..."""

import multiprocessing
import os
import resource
import sys
import time

sys.path.insert(0, sys.argv[1])
import millrace  # noqa: E402


def ids(dataset):
    return [batch["id"].tolist() for batch in dataset]


def fails(call, *words):
    try:
        call()
    except millrace.MillraceError as error:
        missing = [each for each in words if each not in str(error)]
        assert not missing, f"{error} has no {missing}"
        return
    raise AssertionError("it did not fail")


def epochs(address):
    """1,000 rows; one rank."""
    plain = millrace.EpochDataset(address, 64)
    first = ids(plain)
    assert sum(first, []) == list(range(1000)) and [len(each) for each in first] == [64] * 15 + [40]
    assert plain.state_dict()["epoch"] == 1 and ids(plain) == first

    mixed = millrace.EpochDataset(address, 64, shuffle=200, seed=7)
    one, two = ids(mixed), ids(mixed)
    assert sorted(sum(one, [])) == sorted(sum(two, [])) == list(range(1000)) and one != two
    again = millrace.EpochDataset(address, 64, shuffle=200, seed=7)
    again.set_epoch(1)
    assert ids(again) == two

    # A checkpoint in the middle of epoch 1, and another program that goes on there.
    state = None
    mixed.set_epoch(1)
    for batch in mixed:
        if batch["id"].tolist() == two[4]:
            state = mixed.state_dict()
            break
    assert (state["epoch"], state["step"]) == (1, 5)
    resumed = millrace.EpochDataset(address, 64, shuffle=200, seed=7)
    resumed.load_state_dict(state)
    assert ids(resumed) == two[5:]
    assert resumed.state_dict()["epoch"] == 2
    fails(lambda: millrace.EpochDataset(address, 32).load_state_dict(state),
          "The saved state cannot be resumed with another batch_size, shuffle, seed: the steps of an epoch would have")
    dropped = millrace.EpochDataset(address, 64, drop_last=True)
    assert len(ids(dropped)) == 15


def kept(address):
    """Batches stay valid as long as somebody has them, also more of them than files may be open at first."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (48, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    feed = millrace.connect(address)
    all_ = list(feed.batches(10))
    assert sum((batch["id"].tolist() for batch in all_), []) == list(range(1000))
    for _ in range(10):
        for batch in feed.batches(10, format="arrow"):
            all_.append(batch)
            break
    assert all(each.column("id").to_pylist() == list(range(10)) for each in all_[100:])
    double = feed.batches(100, prepare=lambda batch: {"id": batch["id"] * 2})
    assert sum((batch["id"].tolist() for batch in double), []) == list(range(0, 2000, 2))


def crowded(address):
    """A process that keeps more batches than it may ever have files open is told what is wrong."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))
    fails(lambda: list(millrace.connect(address).batches(10)),
          "The pipeline has ended: this process could not go on reading: [Errno 24] Too many open files.")


def one_rank(address, rank, results):
    dataset = millrace.EpochDataset(address, 32, rank=rank, world_size=2, shuffle=64)
    seen = [ids(dataset), ids(dataset)]
    dataset.load_state_dict({**dataset.state_dict(), "epoch": 1, "step": 3})
    seen.append(ids(dataset))
    results.put((rank, seen))


def ranks(address):
    """1,001 rows in 7 blocks; two ranks in processes of their own, which begin at different times."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    processes = [context.Process(target=one_rank, args=(address, rank, results)) for rank in range(2)]
    for process in processes:
        process.start()
    seen = dict(results.get(timeout=60) for _ in processes)
    for process in processes:
        process.join(60)
    for epoch in range(2):
        mine, other = seen[0][epoch], seen[1][epoch]
        assert len(mine) == len(other) == 16 and [len(each) for each in mine] == [len(each) for each in other]
        rows = sum(mine + other, [])
        assert len(rows) == len(set(rows)) == 1000
    for rank in range(2):
        assert seen[rank][0] != seen[rank][1]
        assert seen[rank][2] == seen[rank][1][3:]


def slow(address):
    """Reads a batch of 100 and no more for a while."""
    feed = millrace.connect(address)
    for batch in feed.batches(100):
        time.sleep(0.5)
        break


def lost(address):
    """A rank that is killed does not hold up the others for ever."""
    child = os.fork()
    if child == 0:
        reading = millrace.connect(address, 1, 2).batches(10)
        next(reading)
        os.kill(os.getpid(), 9)
    reading = millrace.connect(address, 0, 2).batches(10)
    assert sum(len(batch["id"]) for batch in reading) > 0
    os.waitpid(child, 0)


def wrong(address):
    fails(lambda: millrace.connect(address + ".none"), "No feed can be reached at '", ".none': No such file or directory.")
    fails(lambda: next(millrace.connect(address).batches(dataset="test")), "The feed has no dataset 'test'. It has '', 'bad'.")
    fails(lambda: next(millrace.connect(address, 2, 2).batches()), "There is no rank 2 of 2")
    fails(lambda: millrace.connect(address).batches(format="tensor"), "There is no format 'tensor'. Choose one of numpy,")
    fails(lambda: millrace.connect(address).batches(0), "A batch has 1 or more rows, not 0.")
    fails(lambda: list(millrace.connect(address).batches(dataset="bad")), "this row is bad")
    waiting = millrace.connect(address, 0, 2)
    waiting.batches(epoch=3)
    assert waiting.events.get(timeout=60)[2] == {"epoch": 3}
    fails(lambda: next(millrace.connect(address, 1, 2).batches(epoch=4)),
          "Rank 1 asks for epoch 4, and 1 of 2 ranks wait for epoch 3. All ranks read the same epochs")
    fails(lambda: next(millrace.connect(address, 1, 3).batches(epoch=3)), "there are 3 ranks, and another one said 2")
    waiting.close()
    feed = millrace.connect(address)
    one = feed.batches(10)
    next(one)
    two = feed.batches(10)
    fails(lambda: next(one), "Another iteration of this feed has begun")
    assert len(list(two)) == 100
    if os.fork() == 0:
        fails(lambda: feed.batches(), "The feed was opened by another process")
        os._exit(0)
    assert os.wait()[1] == 0


def started(classpath, folder, java):
    """Pipelines that Python starts."""
    os.environ["MILLRACE_CLASSPATH"] = classpath
    source = os.path.join(folder, "Pipeline.java")
    options = {"java": java, "java_options": ["-XX:TieredStopAtLevel=1", "-Xmx200m"]}
    with millrace.run(source, 500, **options) as pipeline:
        assert sum(len(batch["id"]) for batch in pipeline) == 500
        assert pipeline.take(3)["id"].to_pylist() == [0, 1, 2]
        assert pipeline.to_arrow("few")["id"].to_pylist() == [0, 1]
        socket = pipeline.address
        assert "process" in repr(pipeline)
        reading = pipeline.batches(10)
        next(reading)
        os.kill(pipeline._process.pid, 9)
        fails(lambda: list(reading), "The pipeline has ended: its process is gone, or it has closed the feed.")
    assert not os.path.exists(os.path.dirname(socket)) and "closed" in repr(pipeline)
    with millrace.run(os.path.join(folder, "saved.plan"), **options) as pipeline:
        assert pipeline.to_arrow()["twice"].to_pylist() == [0, 2, 4]
    fails(lambda: millrace.run(os.path.join(folder, "none.java")), "none.java' is no file. Give a Java source file, a jar")
    fails(lambda: millrace.run(source, java="/no/such/java"), "No Java was found at /no/such/java. Install a JDK 25")
    open(os.path.join(folder, "Broken.java"), "w").write("void main() { throw new IllegalStateException(\"no data\"); }")
    fails(lambda: millrace.run(os.path.join(folder, "Broken.java"), **options),
          "The pipeline 'Broken.java' ended with exit code 1 before it served a dataset. Its program calls", "no data")
    # The pipeline ends with a Python process that is killed.
    pipeline = millrace.run(source, 500, **options)
    print(pipeline._process.pid, flush=True)
    os.kill(os.getpid(), 9)


if __name__ == "__main__":
    globals()[sys.argv[2]](*sys.argv[3:])
