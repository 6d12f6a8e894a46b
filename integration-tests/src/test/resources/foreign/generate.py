"""Writes the files of this directory: tables by other writers than Presto, which Presto and Eyrie must read alike.

    python3 -m venv venv && venv/bin/pip install pyarrow==26.0.1 fastavro==1.13.1 && venv/bin/python generate.py

The names say what a file is about; the first part is the table's shape in ForeignFiles. The content is the same at each run.

The files spark-* are by Spark 4.1 as testing/spark runs it (local[1], time zone UTC), each of one partition, of

    spark.range(0, 60, 1, 1).selectExpr("id", "if(id % 7 = 3, null, concat('row ', id)) as words",
        "timestamp'1971-02-03 04:05:06.789' + make_dt_interval(id * 40) as moment", "cast(id * 1.5 as decimal(20, 3)) as price",
        "if(id % 5 = 2, null, transform(sequence(0, id % 4), x -> x * id)) as items",
        "map('k', id, 'other', id * 2) as pairs", "named_struct('a', id, 'b', concat('b', id)) as fields")

with the option compression of the name, or: unindexed: orc.create.index=false, orc.row.index.stride=0; bloom: orc.bloom.filter.columns=id,words;
legacy: spark.sql.parquet.writeLegacyFormat=true; v2: parquet.writer.version=v2, spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS.
"""
import datetime
import decimal
import json
import os

import fastavro
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.orc as orc
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 60
DAY = datetime.date(1969, 12, 1)
# later than 1970: at earlier fractions of a second readers differ
MOMENT = datetime.datetime(1971, 2, 3, 4, 5, 6, 789000)


def some(i, value):
    """Every seventh value is missing."""
    return None if i % 7 == 3 else value


def primitives(rows, time="ms"):
    n = range(rows)
    return pa.table({
        "id": pa.array(n, pa.int64()),
        "flag": pa.array([some(i, i % 2 == 0) for i in n], pa.bool_()),
        "tiny": pa.array([some(i + 1, i % 100 - 50) for i in n], pa.int8()),
        "small": pa.array([some(i + 2, i % 300 * 100 - 500) for i in n], pa.int16()),
        "whole": pa.array([some(i + 3, i * 100_000 - 500_000) for i in n], pa.int32()),
        "single": pa.array([some(i + 4, i / 4) for i in n], pa.float32()),
        "twice": pa.array([some(i + 5, float("nan") if i == 11 else i * 1.1) for i in n], pa.float64()),
        "words": pa.array([some(i, "word %d \u00e4\u4e16" % (i % 9)) for i in n], pa.string()),
        "bytes": pa.array([some(i, bytes([i % 256, 0, 255])) for i in n], pa.binary()),
        "day": pa.array([some(i, DAY + datetime.timedelta(days=i)) for i in n], pa.date32()),
        "moment": pa.array([some(i, MOMENT + datetime.timedelta(hours=i * 977)) for i in n], pa.timestamp(time)),
        "short_decimal": pa.array([some(i, decimal.Decimal(i * 101 - 999).scaleb(-2)) for i in n], pa.decimal128(9, 2)),
        "long_decimal": pa.array([some(i, decimal.Decimal(i * 10 ** 20 - 5).scaleb(-4)) for i in n], pa.decimal128(30, 4)),
    })


def nested(rows):
    n = range(rows)
    struct = pa.struct([("a", pa.int64()), ("b", pa.list_(pa.string())), ("c", pa.struct([("d", pa.float64())]))])

    def one(i):
        return {"a": some(i, i), "b": some(i + 1, ["s%d" % j for j in range(i % 4)]), "c": some(i + 2, {"d": i / 2})}

    return pa.table({
        "id": pa.array(n, pa.int64()),
        "items": pa.array([some(i, [some(j, j * i) for j in range(i % 5)]) for i in n], pa.list_(pa.int64())),
        "pairs": pa.array([some(i, [("k%d" % j, some(j, j + i)) for j in range(i % 4)]) for i in n], pa.map_(pa.string(), pa.int64())),
        "fields": pa.array([some(i, one(i)) for i in n], struct),
        "lists": pa.array([some(i, [some(i + j, list(range(j))) for j in range(i % 3)]) for i in n], pa.list_(pa.list_(pa.int32()))),
        "structs": pa.array([some(i, [one(i + j) for j in range(i % 3)]) for i in n], pa.list_(struct)),
        "maps": pa.array([some(i, [(j, ["v%d" % (i + j)] * j) for j in range(i % 3)]) for i in n], pa.map_(pa.int64(), pa.list_(pa.string()))),
        "words": pa.array(["w%d" % (i % 5) for i in n], pa.string()),
    })


def path(name):
    return os.path.join(HERE, name)


def write_orc():
    for codec in ("uncompressed", "zlib", "snappy", "lz4", "zstd"):
        orc.write_table(primitives(ROWS), path("primitives-%s.orc" % codec), compression=codec)
        orc.write_table(nested(ROWS), path("nested-%s.orc" % codec), compression=codec)
    orc.write_table(primitives(0), path("primitives-empty.orc"))
    orc.write_table(nested(0), path("nested-empty.orc"))
    # of a batch each
    orc.write_table(primitives(4000), path("primitives-stripes.orc"), compression="zstd", stripe_size=1, batch_size=400)
    orc.write_table(nested(2000), path("nested-stripes.orc"), compression="zstd", stripe_size=1, batch_size=200)
    orc.write_table(primitives(ROWS), path("primitives-bloom.orc"), bloom_filter_columns=[0, 7], bloom_filter_fpp=0.05)
    orc.write_table(primitives(ROWS), path("primitives-version11.orc"), file_version="0.11", dictionary_key_size_threshold=1.0)


def write_parquet():
    for codec in ("none", "snappy", "gzip", "lz4", "zstd"):
        pq.write_table(primitives(ROWS), path("primitives-%s.parquet" % codec), compression=codec)
        pq.write_table(nested(ROWS), path("nested-%s.parquet" % codec), compression=codec)
    for version in ("1.0", "2.0"):
        pq.write_table(primitives(ROWS), path("primitives-page%s.parquet" % version[0]), data_page_version=version)
        pq.write_table(nested(ROWS), path("nested-page%s.parquet" % version[0]), data_page_version=version)
    pq.write_table(primitives(ROWS), path("primitives-nostatistics.parquet"), write_statistics=False)
    pq.write_table(primitives(ROWS), path("primitives-indexed.parquet"), write_page_index=True, data_page_size=64, write_batch_size=8)
    pq.write_table(nested(ROWS), path("nested-indexed.parquet"), write_page_index=True, data_page_size=64, write_batch_size=8)
    pq.write_table(primitives(ROWS), path("primitives-int96.parquet"), use_deprecated_int96_timestamps=True)
    pq.write_table(primitives(ROWS, "us"), path("primitives-micros.parquet"))
    pq.write_table(primitives(ROWS), path("primitives-integerdecimal.parquet"), store_decimal_as_integer=True)
    pq.write_table(primitives(ROWS), path("primitives-nodictionary.parquet"), use_dictionary=False)
    pq.write_table(primitives(3000), path("primitives-overflow.parquet"), dictionary_pagesize_limit=128, row_group_size=1000, compression="zstd")
    pq.write_table(primitives(0), path("primitives-empty.parquet"))
    pq.write_table(nested(0), path("nested-empty.parquet"))
    pq.write_table(primitives(ROWS), path("primitives-noschema.parquet"), store_schema=False, write_page_checksum=True)
    twins = pa.table([pa.array([10, 20, 30], pa.int64()), pa.array([1, 2, 3], pa.int64()), pa.array(["x", "y", "z"], pa.string())], ["A", "a", "b"])
    pq.write_table(twins, path("twins.parquet"))


def write_texts():
    texts = pa.table({"id": pa.array(["%d" % i for i in range(ROWS)]), "words": pa.array(["w,\"%d\" \u00e4" % i for i in range(ROWS)])})
    csv.write_csv(texts, path("texts.csv"), csv.WriteOptions(include_header=False, quoting_style="all_valid"))
    table = nested(ROWS).to_pylist()
    with open(path("documents.json"), "w", encoding="utf-8") as out:
        for i, row in enumerate(table):
            out.write(json.dumps({"id": row["id"], "items": row["items"], "words": row["words"], "unknown": {"deep": [1]}}, ensure_ascii=i % 2 == 0) + "\n")
    schema = fastavro.parse_schema({"type": "record", "name": "row", "fields": [
        {"name": "id", "type": "long"},
        {"name": "words", "type": ["null", "string"], "default": None},
        {"name": "items", "type": ["null", {"type": "array", "items": ["null", "long"]}]},
        {"name": "pairs", "type": {"type": "map", "values": "double"}}]})
    rows = [{"id": i, "words": some(i, "w%d" % i), "items": some(i + 1, [some(j, j) for j in range(i % 4)]), "pairs": {"k": i / 2}} for i in range(ROWS)]
    for codec in ("null", "deflate"):
        with open(path("records-%s.avro" % codec), "wb") as out:
            fastavro.writer(out, schema, rows, codec=codec, sync_marker=b"0123456789abcdef")


write_orc()
write_parquet()
write_texts()
