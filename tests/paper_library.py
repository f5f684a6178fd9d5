"""paper_library.py LIBRARY: the library, called as peers.py calls it.

Runs on the paper GPU, with neither NumPy nor PyTorch: the formula is written
again here, in Python's doubles, and 16-bit numbers are made by hand.
"""
import array
import ctypes
import random
import struct
import sys

import peers

library = peers.Library(sys.argv[1])
paper = ctypes.CDLL(sys.argv[1])
paper.cudaMalloc.argtypes = ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t
paper.cudaMemcpy.argtypes = (ctypes.c_void_p, ctypes.c_void_p,
                             ctypes.c_size_t, ctypes.c_int)
paper.cudaFree.argtypes = (ctypes.c_void_p,)
MARGIN = {"fp32": (1e-5, 1e-4), "fp16": (3e-3, 3e-3), "bf16": (2e-2, 2e-2)}
BITS = {"fp32": "f", "fp16": "e"}


def pack(kind, values):
    if kind != "bf16":
        return struct.pack(f"{len(values)}{BITS[kind]}", *values)
    words = struct.unpack(f"{len(values)}I",
                          struct.pack(f"{len(values)}f", *values))
    rounded = ((w + 0x7fff + (w // 65536 & 1)) // 65536 for w in words)
    return array.array("H", rounded).tobytes()


def unpack(kind, data):
    if kind != "bf16":
        size = struct.calcsize(BITS[kind])
        return list(struct.unpack(f"{len(data) // size}{BITS[kind]}", data))
    words = (w * 65536 for w in array.array("H", data))
    return [struct.unpack("f", struct.pack("I", w))[0] for w in words]


class Memory:
    """What lies on the paper GPU, full of NaN unless it is told, some bytes
    behind where a reservation begins"""

    def __init__(self, size, data=None, behind=0):
        self.size, self.place = size, ctypes.c_void_p()
        assert paper.cudaMalloc(self.place, max(size, 16) + behind) == 0
        self.start = self.place.value + behind
        full = data if data is not None else b"\xff" * size
        assert paper.cudaMemcpy(self.start, full, size, 1) == 0

    def bytes(self):
        data = ctypes.create_string_buffer(self.size)
        assert paper.cudaMemcpy(data, self.start, self.size, 2) == 0
        return data.raw

    def __int__(self):
        return self.start


def close(what, kind, values, wanted, extra=0.0):
    absolute, relative = MARGIN[kind]
    for i, (value, right) in enumerate(zip(values, wanted, strict=True)):
        if not abs(value - right) <= absolute + extra + relative * abs(right):
            sys.exit(f"{what}[{i}] vale {value} y debe valer {right}")


def one_case(kind, rows, columns, chance, behind=(0, 0, 0)):
    count = rows * columns
    x, gamma = (unpack(kind, pack(kind, [
        chance.gauss(0.25, 1) for _ in range(n)])) for n in (count, columns))
    dy = unpack(kind, pack(kind, [          # like x, or a lost term hides
        0.5 * chance.gauss(0, 1) + x[i] * gamma[i % columns]
        for i in range(count)]))
    shape = peers.Shape(rows, columns, kind)
    size = struct.calcsize("f" if kind == "fp32" else "e")
    at = [size * elements for elements in behind]
    inputs = [Memory(len(v) * size, pack(kind, v), a)
              for v, a in ((x, at[0]), (gamma, at[1]), (dy, at[2]))]
    y, r = Memory(count * size, None, at[2]), Memory(rows * 4)
    dx = Memory(count * size, None, at[0])
    dgamma = Memory(columns * size, None, at[1])
    scratch = Memory(library.scratch(shape))
    library.forward(shape, int(inputs[0]), int(inputs[1]), int(y), int(r),
                    None)
    library.backward(shape, *map(int, inputs), int(r), int(dx), int(dgamma),
                     int(scratch), scratch.size, None)
    got = [unpack(kind, m.bytes()) for m in (y, dx, dgamma)]
    wanted, sums = [[], []], [0.0] * columns
    for row in range(rows):
        a = x[row * columns:(row + 1) * columns]
        up = dy[row * columns:(row + 1) * columns]
        inverse = (sum(v * v for v in a) / columns + peers.EPSILON) ** -0.5
        mean = sum(v * u * g for v, u, g in zip(a, up, gamma)) / columns
        for j in range(columns):
            wanted[0].append(a[j] * inverse * gamma[j])
            wanted[1].append(inverse * up[j] * gamma[j]
                             - a[j] * inverse ** 3 * mean)
            sums[j] += up[j] * a[j] * inverse
    what = f"{kind} de {rows}×{columns}, {behind} elementos detrás"
    close("y, " + what, kind, got[0], wanted[0])
    close("dx, " + what, kind, got[1], wanted[1])
    close("dgamma, " + what, kind, got[2], sums, 1e-5 * rows)
    for memory in (*inputs, y, r, dx, dgamma, scratch):
        paper.cudaFree(memory.place)


SHAPES = ((1, 1), (3, 4), (17, 33), (5, 257), (130, 8), (7, 1024), (4, 1025),
          (2, 4097), (2, 8192), (1, 16389))
# x, gamma and dy (with dx, dgamma and y) so many elements behind: of one phase,
# of several, and of one modulo 16 bytes that is not one modulo 128
BEHIND = ((1, 1, 1), (3, 0, 5), (16, 0, 8))
source = random.Random(11)
cases = [(kind, *shape) for kind in peers.TYPES for shape in SHAPES]
for case in cases:
    one_case(*case, source)
for kind in peers.TYPES:
    for shape in (5, 257), (3, 1024), (2, 4097):
        for behind in BEHIND:
            one_case(kind, *shape, source, behind)
print(len(cases), "formas y", 9 * len(BEHIND), "fuera de su sitio")
