"""Batches in shared memory as NumPy arrays and torch tensors, and what user code returns as batches."""

import collections
import collections.abc
import importlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.ipc

class BadResult(Exception):
    """What the user's code returned cannot be rows; the text says why."""


# ---- batches to what user code gets


def bytes_of(segment, length):
    """The memory of a batch as an array. Everything that is made of it refers to it: while it lives, the batch is used."""
    return np.frombuffer(segment.memory, dtype=np.uint8, count=length)


def arrow_batch(base):
    with pa.ipc.open_stream(pa.py_buffer(base)) as reader:
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


def torch_batch(batch, base):
    """Tensors over the shared memory, which is this side's to change; columns without numbers stay NumPy arrays."""
    first = base.__array_interface__["data"][0]
    tensors = {}
    for name, array in numpy_batch(batch).items():
        if array.dtype.kind not in "iufb" or array.dtype.newbyteorder("=") != array.dtype:
            tensors[name] = array
            continue
        at = array.__array_interface__["data"][0] - first
        if not array.flags.writeable and 0 <= at and at + array.nbytes <= base.nbytes:
            array = base[at : at + array.nbytes].view(array.dtype).reshape(array.shape)
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
