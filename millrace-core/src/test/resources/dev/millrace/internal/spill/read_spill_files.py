# Prints rows, sums and hashes of the columns of each Arrow file given.
import sys
import zlib

import pyarrow as pa
import pyarrow.compute as pc

for path in sys.argv[1:]:
    table = pa.ipc.open_file(path).read_all()
    table.validate(full=True)
    text = "\n".join("" if v is None else v for v in table["text"].to_pylist())
    flags = "".join("-" if v is None else "1" if v else "0" for v in table["flag"].to_pylist())
    print(
        table.num_rows,
        pc.sum(table["count"]).as_py(),
        pc.bit_wise_xor(pc.sum(table["random"]), 0).as_py(),
        zlib.crc32(text.encode()),
        zlib.crc32(flags.encode()),
    )
