"""What PythonTorchTest does with feeds: torch_training.py PACKAGE ADDRESS"""

import os
import sys

sys.path.insert(0, sys.argv[1])
import torch  # noqa: E402
import torch.distributed as distributed  # noqa: E402
import torch.multiprocessing as processes  # noqa: E402
import torch.utils.data  # noqa: E402

import millrace  # noqa: E402
from millrace.torch import IterableDataset  # noqa: E402


def train(rank, address, port, results):
    """A linear model learns y = 3 x + 1, with the gradients of both ranks: a rank with fewer steps would hang."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", rank=rank, world_size=2)
    dataset = IterableDataset(address, 50, shuffle=200, seed=3)
    assert (dataset.rank, dataset.world_size) == (rank, 2)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    steps = 0
    for _ in range(6):
        for batch in torch.utils.data.DataLoader(dataset, batch_size=None):
            assert batch["x"].shape == batch["y"].shape == (50,)
            x, y = batch["x"].float().unsqueeze(1), batch["y"].float().unsqueeze(1)
            loss = ((model(x) - y) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps += 1
    weight, bias = (each.item() for each in model.module.parameters())
    results.put((steps, dataset.epoch, round(weight, 1), round(bias, 1)))
    distributed.destroy_process_group()


def main(address):
    results = processes.get_context("spawn").Queue()
    port = 20000 + os.getpid() % 20000
    processes.spawn(train, (address, port, results), nprocs=2)
    for _ in range(2):
        assert results.get(timeout=10) == (60, 6, 3.0, 1.0)

    dataset = IterableDataset(address, 100, rank=0, world_size=1, transform=lambda batch: {"z": batch["x"] * 2})
    assert all(batch["z"].shape == (100,) for batch in dataset)
    try:
        list(torch.utils.data.DataLoader(dataset, batch_size=None, num_workers=1))
        raise AssertionError("workers were accepted")
    except Exception as error:
        assert "give the DataLoader num_workers=0" in str(error), error
    tensors = [batch["image"] for batch in millrace.connect(address).batches(2, dataset="images", format="torch")]
    assert [tuple(each.shape) for each in tensors] == [(2, 3, 4)] * 2
    tensors[0] += 1
    assert tensors[0][1].flatten().tolist() == list(range(13, 25)) and tensors[1][0, 0, 0] == 24


if __name__ == "__main__":
    main(sys.argv[2])
