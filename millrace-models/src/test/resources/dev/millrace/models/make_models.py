"""Small ONNX models in the folder of the first argument, with inputs and what Python's onnxruntime makes of them."""
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto as T
from onnx import helper, numpy_helper

FOLDER = sys.argv[1]
RANDOM = np.random.default_rng(7)


def save(name, nodes, inputs, outputs, weights=()):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(*v) for v in inputs],
        [helper.make_tensor_value_info(*v) for v in outputs],
        [numpy_helper.from_array(w, n) for n, w in weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(FOLDER, name + ".onnx"))


def run(name, **inputs):
    """Writes each input and output as raw bytes beside the model."""
    session = onnxruntime.InferenceSession(os.path.join(FOLDER, name + ".onnx"))
    for key, value in inputs.items():
        value.tofile(os.path.join(FOLDER, f"{name}.{key}.bin"))
    for info, value in zip(session.get_outputs(), session.run(None, inputs)):
        value.tofile(os.path.join(FOLDER, f"{name}.{info.name}.bin"))


def dense(name, batch):
    """The same weights for every batch."""
    random = np.random.default_rng(11)
    save(
        name,
        [
            helper.make_node("Gemm", ["x", "w", "b"], ["h"]),
            helper.make_node("Relu", ["h"], ["r"]),
            helper.make_node("Gemm", ["r", "v", "c"], ["logits"]),
        ],
        [("x", T.FLOAT, [batch, 6])],
        [("logits", T.FLOAT, [batch, 5])],
        [
            ("w", random.standard_normal((6, 16), np.float32)),
            ("b", random.standard_normal(16, np.float32)),
            ("v", random.standard_normal((16, 5), np.float32)),
            ("c", random.standard_normal(5, np.float32)),
        ],
    )


dense("dense", "batch")
run("dense", x=RANDOM.standard_normal((10, 6), np.float32))
dense("fixed", 4)

# Pixels, channels first, through a convolution: two outputs.
save(
    "image",
    [
        helper.make_node("Conv", ["pixels", "k"], ["map"], pads=[1, 1, 1, 1]),
        helper.make_node("ReduceMean", ["map", "axes"], ["mean"], keepdims=0),
    ],
    [("pixels", T.FLOAT, ["n", 3, 8, 8])],
    [("map", T.FLOAT, ["n", 4, 8, 8]), ("mean", T.FLOAT, ["n", 4])],
    [("k", RANDOM.standard_normal((4, 3, 3, 3), np.float32)), ("axes", np.array([2, 3]))],
)
run("image", pixels=RANDOM.standard_normal((7, 3, 8, 8), np.float32))

# The same values in every element type; one value for each row, and rows of two.
for name, kind in dict(
    float16=T.FLOAT16, float32=T.FLOAT, float64=T.DOUBLE, int8=T.INT8, int16=T.INT16, int32=T.INT32, int64=T.INT64,
    uint8=T.UINT8, uint16=T.UINT16, uint32=T.UINT32, uint64=T.UINT64, bool=T.BOOL, string=T.STRING,
).items():
    for rows, shape in dict(value=["batch"], pair=["batch", 2]).items():
        save(
            f"{rows}-{name}",
            [helper.make_node("Identity", ["in"], ["out"])],
            [("in", kind, shape)],
            [("out", kind, shape)],
        )

# From floats to wide unsigned integers, which Java can be given but cannot give.
for name, kind in dict(uint16=T.UINT16, uint32=T.UINT32, uint64=T.UINT64).items():
    save(
        f"to-{name}",
        [helper.make_node("Cast", ["in"], ["out"], to=kind)],
        [("in", T.FLOAT, ["batch"])],
        [("out", kind, ["batch"])],
    )

save(
    "two",
    [helper.make_node("Add", ["a", "b"], ["sum"]), helper.make_node("Sub", ["a", "b"], ["difference"])],
    [("a", T.FLOAT, ["batch", 3]), ("b", T.FLOAT, ["batch", 3])],
    [("sum", T.FLOAT, ["batch", 3]), ("difference", T.FLOAT, ["batch", 3])],
)

# A length of its own in each batch: by name, without one, and under a name that lies.
save(
    "tokens",
    [helper.make_node("Cast", ["ids"], ["out"], to=T.FLOAT), helper.make_node("Concat", ["ids", "ids"], ["twice"], axis=1)],
    [("ids", T.INT64, ["batch", "length"])],
    [("out", T.FLOAT, ["batch", "length"]), ("twice", T.INT64, ["batch", None])],
)
save(
    "liar",
    [helper.make_node("Concat", ["ids", "ids"], ["twice"], axis=1)],
    [("ids", T.INT64, ["batch", "length"])],
    [("twice", T.INT64, ["batch", "length"])],
)

# More memory for each row than any machine has.
save(
    "huge",
    [
        helper.make_node("Expand", ["x", "size"], ["wide"]),
        helper.make_node("ReduceSum", ["wide", "axes"], ["sum"], keepdims=0),
    ],
    [("x", T.FLOAT, ["batch", 1])],
    [("sum", T.FLOAT, ["batch"])],
    [("size", np.array([1, 2**58])), ("axes", np.array([1]))],
)

# Fewer rows than went in: one value for all of them, and the positions of non-zeros.
save(
    "total",
    [helper.make_node("ReduceSum", ["x"], ["total"], keepdims=1)],
    [("x", T.FLOAT, ["batch", 2])],
    [("total", T.FLOAT, [1, 1])],
)

# An output of a type that no column has.
save(
    "bfloat",
    [helper.make_node("Cast", ["x"], ["y"], to=T.BFLOAT16)],
    [("x", T.FLOAT, ["batch", 2])],
    [("y", T.BFLOAT16, ["batch", 2])],
)
