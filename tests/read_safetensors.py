#!/usr/bin/env python3
"""read_safetensors.py [--package] FILE: what a safetensors file contains, as TSV.

Reads the file by the format's own rules, without this project's code. With
--package the reading is done by Python's safetensors (and numpy), and must give
the same lines.
"""
import json
import math
import struct
import sys


def by_hand(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length].decode("utf-8"))
    assert data[8:9] == b"{" and length % 8 == 0, "header: start or padding"
    metadata = header.pop("__metadata__")
    assert all(isinstance(v, str) for v in metadata.values()), "metadata"
    body, place, tensors = data[8 + length:], 0, {}
    for name, entry in sorted(header.items(),
                              key=lambda item: item[1]["data_offsets"]):
        start, end = entry["data_offsets"]
        count = math.prod(entry["shape"])
        assert set(entry) == {"dtype", "shape", "data_offsets"}, name
        assert entry["dtype"] == "F32" and end - start == 4 * count, name
        assert start == place, name + ": hole or overlap"
        place = end
        tensors[name] = (entry["shape"],
                         struct.unpack(f"<{count}f", body[start:end]))
    assert place == len(body), "bytes that belong to no tensor"
    return metadata, tensors


def by_package(path):
    from safetensors import safe_open
    tensors = {}
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
        for name in file.keys():
            tensor = file.get_tensor(name)
            assert str(tensor.dtype) == "float32", name
            tensors[name] = (list(tensor.shape),
                             tuple(float(v) for v in tensor.ravel()))
    return metadata, tensors


arguments = sys.argv[1:]
package = "--package" in arguments
path = [a for a in arguments if a != "--package"][0]
metadata, tensors = (by_package if package else by_hand)(path)
for key in sorted(metadata):
    print("metadata", key, metadata[key], sep="\t")
for name in sorted(tensors):
    shape, values = tensors[name]
    assert all(math.isfinite(v) for v in values), name
    print("tensor", name, "x".join(map(str, shape)), f"{values[0]:.9g}",
          f"{values[-1]:.9g}", f"{math.fsum(values):.9g}", sep="\t")
