"""Writes encrypted Parquet files with pyarrow.

  encrypted_files.py OUT    OUT/footer.parquet is encrypted whole, OUT/columns.parquet in one column
"""
import base64
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe


class Keys(pe.KmsClient):
    def __init__(self, _):
        super().__init__()

    def wrap_key(self, key, _):
        return base64.b64encode(key)

    def unwrap_key(self, key, _):
        return base64.b64decode(key)


table = pa.table({"open": [1, 2, 3], "secret": ["a", "b", "c"]})
factory = pe.CryptoFactory(Keys)
for name, plain in (("footer", False), ("columns", True)):
    config = pe.EncryptionConfiguration(footer_key="f", column_keys={"s": ["secret"]}, plaintext_footer=plain)
    properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), config)
    pq.write_table(table, f"{sys.argv[1]}/{name}.parquet", encryption_properties=properties)
