"""LAMBERT's tagger as an ONNX graph, which ONNX Runtime runs without PyTorch.

    x      = norm(words + order + winding + word shapes)
    b_ij   = W(i - j) + H(floor(xi_i - xi_j)) + V(floor(eta_i - eta_j))
    x      = norm(x + out(softmax(Q K^T / sqrt(d) + b) V))      in each block, and then
    x      = norm(x + narrow(gelu(widen(x))))
    result = log softmax(head(x))

It computes what `models.tagger.Tagger` does, of one window without padding; the sources are named
in `models.position.winding` and `models.attention.relative_bias`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.config import TaggerConfig

Weights = Mapping[str, NDArray[Any]]

OUTPUT = "log_probabilities"

_OPSET, _IR = 20, 9  # the first that has Gelu, and the version of the format that goes with it
_LARGE = 1024  # bytes of a constant from which on it stands outside the graph


def has_graph(config: TaggerConfig) -> bool:
    """Return whether a tagger of this config can be a graph: LAMBERT and what is simpler."""
    return (
        config.attention == "softmax"
        and config.order == "learned"
        and config.layout in ("winding", "none")
        and not (config.skim_top or config.pages or config.order_rows or config.order_dropout)
    )


def build_graph(
    config: TaggerConfig, labels: int, weights: Weights
) -> tuple[bytes, dict[str, NDArray[Any]]]:
    """Return a tagger as a graph, and the large weights, which it names and does not hold.

    The inputs are parts of a window (`models.encoding.Window`), its boxes in page units: ``ids``,
    ``boxes``, ``page``, ``word_shape``. The output, `OUTPUT`, is (pieces, labels).

    Args:
        config: one that `has_graph`.
        labels: how many the head has.
        weights: of the tagger, by the names in its state.

    Raises:
        ValueError: a weight is missing, has another shape than the config says, or no place in it.
    """
    graph = _Graph(weights)
    order = _order(graph)
    x = graph.norm("encoder.norm", _input(graph, config, order), config)
    bias = _bias(graph, config, order)
    for number in range(config.layers):
        x = _block(graph, config, f"encoder.blocks.{number}.", x, bias)
    logits = graph.linear("head", x, labels, config.hidden_size)
    graph.add("LogSoftmax", logits, output=OUTPUT)
    return graph.model()


def _order(graph: _Graph) -> str:
    """Return the places of the pieces, 0, 1, ..."""
    length = graph.add("Size", "ids")
    return graph.add("Range", graph.constant(0), length, graph.constant(1))


def _input(graph: _Graph, config: TaggerConfig, order: str) -> str:
    """Return the sum of slot 1, (L, D); see `models.build` for the order of its terms."""
    width = config.hidden_size
    terms = [
        # The largest table by far stays as it is stored: rows are widened when they are looked up.
        graph.add(
            "Cast",
            graph.rows(graph.stored("encoder.words.weight", config.vocab_size, width), "ids"),
            to=TensorProto.FLOAT,
        ),
        graph.rows(graph.weight("encoder.positions.0.table.weight", config.window, width), order),
    ]
    if config.layout == "winding":
        low, high = config.layout_frequencies
        size = config.layout_dim
        factors = np.geomspace(low, high, size // 8, dtype=np.float32)
        corners = graph.add("Unsqueeze", "boxes", graph.constant([2]))  # (L, 4, 1)
        angles = graph.add("Mul", corners, graph.constant(factors))  # (L, 4, size / 8)
        winding = graph.add("Concat", graph.add("Cos", angles), graph.add("Sin", angles), axis=2)
        flat = graph.add("Reshape", winding, graph.constant([-1, size]))
        terms.append(graph.product(flat, "encoder.positions.1.adapter.weight", width, size))
    if config.word_shapes:
        name = f"encoder.positions.{len(terms) - 1}.weight"
        terms.append(graph.rows(graph.weight(name, config.word_shapes, width), "word_shape"))
    return graph.add("Sum", *terms)


def _bias(graph: _Graph, config: TaggerConfig, order: str) -> str | None:
    """Return the sum of the biases that the config has, (H, L, L)."""
    span, terms = config.bias_range, []

    def table(name: str) -> NDArray[np.float32]:
        """Return a table heads first, so that a look-up gives (H, ...)."""
        return graph.weight(f"encoder.prior.{name}", 2 * span, config.heads).T

    def buckets(apart: str, kind: type[np.number[Any]]) -> str:
        """Return the rows of distances in a table."""
        low, high = (graph.constant(kind(bound)) for bound in (-span, span - 1))
        bounded = graph.add("Min", graph.add("Max", apart, low), high)
        whole = graph.add("Cast", bounded, to=TensorProto.INT64)
        return graph.add("Add", whole, graph.constant(span))

    if config.sequence_bias:
        apart = graph.between("Sub", order)
        terms.append(graph.rows(table("sequence"), buckets(apart, np.int64), axis=1))
    if config.layout_bias:
        left, top, _, bottom = (
            graph.add("Gather", "boxes", graph.constant(n), axis=1) for n in range(4)
        )
        middle = graph.add("Mul", graph.add("Add", top, bottom), graph.constant(np.float32(0.5)))
        same_page = graph.between("Equal", "page")
        for name, place in (("horizontal", left), ("vertical", middle)):
            scaled = graph.add("Mul", place, graph.constant(np.float32(span)))
            apart = graph.add("Floor", graph.between("Sub", scaled))
            # A row more than the table has is 0, for pieces of two pages.
            row = graph.add(
                "Where", same_page, buckets(apart, np.float32), graph.constant(2 * span)
            )
            terms.append(graph.rows(np.pad(table(name), ((0, 0), (0, 1))), row, axis=1))
    return graph.add("Sum", *terms) if terms else None


def _block(graph: _Graph, config: TaggerConfig, name: str, x: str, bias: str | None) -> str:
    """Return the output of a block, (L, D)."""
    heads, width = config.heads, config.hidden_size
    projected = graph.linear(f"{name}query_key_value", x, 3 * width, width)
    # (L, 3 D) -> (L, 3, H, d)
    parts = graph.add("Reshape", projected, graph.constant([-1, 3, heads, width // heads]))
    query, key, value = (
        graph.add("Transpose", graph.add("Gather", parts, graph.constant(n), axis=1), perm=turn)
        for n, turn in enumerate(([1, 0, 2], [1, 2, 0], [1, 0, 2]))
    )
    scale = graph.constant(np.float32((width // heads) ** -0.5))
    scores = graph.add("MatMul", graph.add("Mul", query, scale), key)  # (H, L, L)
    weights = graph.add("Softmax", graph.add("Add", scores, bias) if bias else scores)
    mixed = graph.add("Transpose", graph.add("MatMul", weights, value), perm=[1, 0, 2])
    flat = graph.add("Reshape", mixed, graph.constant([-1, width]))
    out = graph.linear(f"{name}attention_out", flat, width, width)
    x = graph.norm(f"{name}attention_norm", graph.add("Add", x, out), config)
    wide = graph.linear(f"{name}widen", x, config.intermediate_size, width)
    out = graph.linear(f"{name}narrow", graph.add("Gelu", wide), width, config.intermediate_size)
    return graph.norm(f"{name}norm", graph.add("Add", x, out), config)


class _Graph:
    """Nodes and constants, in the order in which they are added; each is known by its name."""

    def __init__(self, weights: Weights) -> None:
        self._weights = dict(weights)
        self._nodes: list[Any] = []
        self._constants: dict[str, NDArray[Any]] = {}

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Add a node; return its output."""
        output = output or f"{kind} {len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, value: NDArray[Any] | np.number[Any] | int | Sequence[int]) -> str:
        """Add a constant, int64 where it is no NumPy value; return it."""
        name = f"constant {len(self._constants)}"
        self._constants[name] = np.asarray(value)
        return name

    def stored(self, name: str, *shape: int) -> NDArray[Any]:
        """Return a weight as it is stored, once.

        Raises:
            ValueError: there is none, or it has another shape.
        """
        found = self._weights.pop(name, None)
        if found is None:
            raise ValueError(f"there is no {name}")
        if found.shape != shape:
            raise ValueError(f"{name} is {found.shape}, and not {shape}")
        return found

    def weight(self, name: str, *shape: int) -> NDArray[np.float32]:
        """Return a weight in float32; raises as `stored`."""
        return self.stored(name, *shape).astype(np.float32)

    def rows(self, table: NDArray[Any], places: str, axis: int = 0) -> str:
        """Add a look-up in a table."""
        return self.add("Gather", self.constant(table), places, axis=axis)

    def product(self, x: str, name: str, *shape: int) -> str:
        """Add the product of x (L, in) with a weight of (out, in)."""
        return self.add("MatMul", x, self.constant(self.weight(name, *shape).T))

    def linear(self, name: str, x: str, *shape: int) -> str:
        """Add a linear map with its bias."""
        product = self.product(x, f"{name}.weight", *shape)
        return self.add("Add", product, self.constant(self.weight(f"{name}.bias", shape[0])))

    def norm(self, name: str, x: str, config: TaggerConfig) -> str:
        """Add a layer norm."""
        scale, shift = (
            self.constant(self.weight(f"{name}.{part}", config.hidden_size))
            for part in ("weight", "bias")
        )
        return self.add("LayerNormalization", x, scale, shift, epsilon=config.layer_norm_eps)

    def between(self, kind: str, x: str) -> str:
        """Add an operation on all pairs i, j of (L,), which gives (L, L)."""
        first, second = (self.add("Unsqueeze", x, self.constant([axis])) for axis in (1, 0))
        return self.add(kind, first, second)

    def model(self) -> tuple[bytes, dict[str, NDArray[Any]]]:
        """Return the model, and its large constants.

        Raises:
            ValueError: a weight was not used.
        """
        if self._weights:
            raise ValueError(f"there is no place for {min(self._weights)}")
        info = helper.make_tensor_value_info
        large = {
            name: np.ascontiguousarray(value)
            for name, value in self._constants.items()
            if value.nbytes >= _LARGE
        }
        graph = helper.make_graph(
            self._nodes,
            "tagger",
            [
                info("ids", TensorProto.INT64, ["pieces"]),
                info("boxes", TensorProto.FLOAT, ["pieces", 4]),
                info("page", TensorProto.INT64, ["pieces"]),
                info("word_shape", TensorProto.INT64, ["pieces"]),
            ],
            [info(OUTPUT, TensorProto.FLOAT, ["pieces", "labels"])],
            [
                _outside(name, value) if name in large else numpy_helper.from_array(value, name)
                for name, value in self._constants.items()
            ],
        )
        opset = helper.make_opsetid("", _OPSET)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=_IR)
        return model.SerializeToString(), large


def _outside(name: str, value: NDArray[Any]) -> TensorProto:
    """Return what stands in the graph for a constant that is given to the session."""
    tensor = TensorProto(
        name=name,
        dims=value.shape,
        data_type=helper.np_dtype_to_tensor_dtype(value.dtype),
        data_location=TensorProto.EXTERNAL,
    )
    tensor.external_data.add(key="location", value="memory")
    return tensor
