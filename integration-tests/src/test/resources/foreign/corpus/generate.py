"""Writes the corpus with writers that have Python packages, and the manifest. Run by ./generate; the rows are the same at each run."""
import base64
import csv
import datetime
import decimal
import gzip
import json
import os
import platform
import re
import shutil
import sys
import urllib.parse
import zoneinfo

import duckdb
import fastavro
import fastparquet
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe
import pyorc

HERE = os.path.dirname(os.path.abspath(__file__))
UTC = datetime.timezone.utc

SCALARS = ("id bigint, flag boolean, tiny tinyint, small smallint, whole integer, single real, twice double, words varchar, bytes varbinary, day date,"
           " moment timestamp, short_decimal decimal(9,2), middle_decimal decimal(18,3), long_decimal decimal(30,4)")
STRUCT = "row(a bigint, b varchar)"
NESTED = ("id bigint, l array(bigint), m map(varchar, bigint), s " + STRUCT
          + ", ll array(array(integer)), lm array(map(varchar, double)), ls array(" + STRUCT + ")"
          + ", ml map(varchar, array(varchar)), mm map(bigint, map(varchar, bigint)), ms map(varchar, " + STRUCT + ")"
          + ", sl row(x array(bigint), y varchar), sm row(x map(varchar, bigint), y boolean), ss row(x " + STRUCT + ", y double)"
          + ", deep array(map(varchar, row(x array(decimal(20,3)), y row(day date, moment timestamp))))")
# what formats without maps, and writers without tiny integers, have of them
FLAT = "id bigint, flag boolean, whole integer, single real, twice double, words varchar, bytes varbinary, moment timestamp"
LISTS = "id bigint, l array(bigint), s " + STRUCT + ", ll array(array(integer)), ls array(" + STRUCT + "), sl row(x array(bigint), y varchar), ss row(x " + STRUCT + ", y double)"
TEXTS = "id bigint, words varchar"
# what DWRF has of them
SIMPLE = SCALARS[:SCALARS.index(", short_decimal")].replace(", day date", "")
SIMPLE_NESTED = NESTED[:NESTED.index(", deep")]
ODD = "id bigint, words varchar, parts array(varchar), pairs map(varchar, varchar)"
STRINGS = "id varchar, words varchar, note varchar"
# what delimits fields, items or lines somewhere, and what stands for nothing
ODD_WORDS = ["plain", "", None, "a|b", "a,b;c", "k:v=w", "back\\slash", "ends with \\", "\\N", "none", "NULL", "new\nline", "carriage\rreturn", "tab\there", "\x01one\x02two\x03",
             'a "quote"', "'single'", "\u00e4 \u4e16 \U0001f600", " blanks ", "\u00a0", "a\x00b", "\\n\\t", "#", "[1]{2}"]
# a byte that no text has
NOT_UTF_8 = "\udcff"

manifest = []


def add(path, columns, writer, about, **of_serde):
    """Its format is its extension; of_serde are parameters of the table's serde, with underscores for dots."""
    fields = (path, re.sub(r"\.(gz|bz2|deflate)$", "", path).rsplit(".", 1)[1].upper(), columns, writer, about)
    serde = "&".join(name.replace("_", ".") + "=" + urllib.parse.quote(value, safe=" !\"#$'()*,-./:;<>?@[]^_`{|}~") for name, value in of_serde.items())
    manifest.append(fields + ((serde,) if serde else ()))
    full = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    return full


def some(i, value):
    """Every seventh value is missing."""
    return None if i % 7 == 3 else value


def scalars(numbers, unit="ms", zone=None, missing=some):
    n = list(numbers)
    start = datetime.datetime(1971, 2, 3, 4, 5, 6, 789000, UTC if zone else None)
    return pa.table({
        "id": pa.array(n, pa.int64()),
        "flag": pa.array([missing(i, i % 3 == 0) for i in n], pa.bool_()),
        "tiny": pa.array([missing(i + 1, i % 100 - 20) for i in n], pa.int8()),
        "small": pa.array([missing(i + 2, i % 300 * 100 - 500) for i in n], pa.int16()),
        "whole": pa.array([missing(i + 3, i * 10_000 - 50_000) for i in n], pa.int32()),
        "single": pa.array([missing(i + 4, i / 4 - 3) for i in n], pa.float32()),
        "twice": pa.array([missing(i + 5, float("nan") if i == 11 else i * 1.1) for i in n], pa.float64()),
        "words": pa.array([missing(i, "word %d \u00e4\u4e16" % (i % 9)) for i in n], pa.string()),
        "bytes": pa.array([missing(i, bytes([i % 256, 0, 255])) for i in n], pa.binary()),
        "day": pa.array([missing(i, datetime.date(1969, 12, 20) + datetime.timedelta(days=i)) for i in n], pa.date32()),
        "moment": pa.array([missing(i, start + datetime.timedelta(hours=i * 97)) for i in n], pa.timestamp(unit, zone)),
        "short_decimal": pa.array([missing(i, decimal.Decimal(i * 101 - 999).scaleb(-2)) for i in n], pa.decimal128(9, 2)),
        "middle_decimal": pa.array([missing(i, decimal.Decimal(i * 10 ** 12 - 7).scaleb(-3)) for i in n], pa.decimal128(18, 3)),
        "long_decimal": pa.array([missing(i, decimal.Decimal(i * 10 ** 20 - 5).scaleb(-4)) for i in n], pa.decimal128(30, 4)),
    })


def nested(numbers, missing=some):
    n = list(numbers)
    struct = pa.struct([("a", pa.int64()), ("b", pa.string())])
    deep = pa.struct([("x", pa.list_(pa.decimal128(20, 3))), ("y", pa.struct([("day", pa.date32()), ("moment", pa.timestamp("ms"))]))])

    def s(i):
        return missing(i, {"a": missing(i + 1, i), "b": missing(i + 2, "b%d" % i)})

    def l(i, value):
        return missing(i, [missing(i + j + 2, value(i + j)) for j in range(i % 4)])

    def m(i, value):
        return missing(i, [("k%d" % j, missing(i + j + 4, value(i + j))) for j in range(i % 3)])

    def d(i):
        moment = datetime.datetime(1999, 12, 31, 23, 59, 59, 999000) + datetime.timedelta(days=i)
        return {"x": l(i, lambda j: decimal.Decimal(j).scaleb(-3)), "y": missing(i + 3, {"day": missing(i + 5, moment.date()), "moment": missing(i, moment)})}

    word = lambda j: "w%d" % j
    number = lambda j: j * 3
    text = pa.string()
    return pa.table({
        "id": pa.array(n, pa.int64()),
        "l": pa.array([l(i, number) for i in n], pa.list_(pa.int64())),
        "m": pa.array([m(i, number) for i in n], pa.map_(text, pa.int64())),
        "s": pa.array([s(i) for i in n], struct),
        "ll": pa.array([l(i, lambda j: l(j, number)) for i in n], pa.list_(pa.list_(pa.int32()))),
        "lm": pa.array([l(i, lambda j: m(j, lambda k: k / 2)) for i in n], pa.list_(pa.map_(text, pa.float64()))),
        "ls": pa.array([l(i, s) for i in n], pa.list_(struct)),
        "ml": pa.array([m(i, lambda j: l(j, word)) for i in n], pa.map_(text, pa.list_(text))),
        "mm": pa.array([missing(i, [(j, m(i + j, number)) for j in range(i % 3)]) for i in n], pa.map_(pa.int64(), pa.map_(text, pa.int64()))),
        "ms": pa.array([m(i, s) for i in n], pa.map_(text, struct)),
        "sl": pa.array([missing(i, {"x": l(i + 1, number), "y": missing(i, word(i))}) for i in n], pa.struct([("x", pa.list_(pa.int64())), ("y", text)])),
        "sm": pa.array([missing(i, {"x": m(i + 1, number), "y": missing(i, i % 2 == 0)}) for i in n], pa.struct([("x", pa.map_(text, pa.int64())), ("y", pa.bool_())])),
        "ss": pa.array([missing(i, {"x": s(i + 1), "y": missing(i, i / 4)}) for i in n], pa.struct([("x", struct), ("y", pa.float64())])),
        "deep": pa.array([l(i, lambda j: m(j, d)) for i in n], pa.list_(pa.map_(text, deep))),
    })


def flat(numbers):
    table = scalars(numbers).select(["id", "flag", "whole", "single", "twice", "words", "bytes", "moment"])
    return table


def lists(numbers):
    return nested(numbers).select(["id", "l", "s", "ll", "ls", "sl", "ss"])


def odd():
    """Strings that a format has to escape, by themselves, in lists and in maps."""
    n = range(len(ODD_WORDS))
    return pa.table({
        "id": pa.array(n, pa.int64()),
        "words": pa.array(ODD_WORDS, pa.string()),
        "parts": pa.array([some(i, [ODD_WORDS[i], "x", None, ODD_WORDS[i]]) for i in n], pa.list_(pa.string())),
        "pairs": pa.array([some(i + 1, [("k1", ODD_WORDS[i]), (ODD_WORDS[i] or "empty", "v")]) for i in n], pa.map_(pa.string(), pa.string())),
    })


def extremes():
    """Least and greatest values, and those that compare oddly."""
    inf = float("inf")
    return pa.table({
        "id": pa.array([-2 ** 63, 2 ** 63 - 1, 0, 1], pa.int64()),
        "flag": pa.array([True, False, None, None], pa.bool_()),
        "tiny": pa.array([-128, 127, None, 0], pa.int8()),
        "small": pa.array([-2 ** 15, 2 ** 15 - 1, None, 0], pa.int16()),
        "whole": pa.array([-2 ** 31, 2 ** 31 - 1, None, 0], pa.int32()),
        "single": pa.array([-inf, inf, float("nan"), -0.0], pa.float32()),
        "twice": pa.array([-inf, inf, float("nan"), -0.0], pa.float64()),
        "words": pa.array(["", "\U0010ffff", "a\x00b", " a'b\"c\n "], pa.string()),
        "bytes": pa.array([b"", b"\xff" * 40, b"\x00", None], pa.binary()),
        "day": pa.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31), datetime.date(1582, 10, 15), datetime.date(1970, 1, 1)], pa.date32()),
        "moment": pa.array([datetime.datetime(1900, 1, 1, 0, 0, 0, 1000), datetime.datetime(2262, 1, 1), datetime.datetime(1969, 12, 31, 23, 59, 59, 999000),
                            datetime.datetime(1970, 1, 1)], pa.timestamp("ms")),
        "short_decimal": pa.array([decimal.Decimal("-9999999.99"), decimal.Decimal("9999999.99"), decimal.Decimal("0.00"), None], pa.decimal128(9, 2)),
        "middle_decimal": pa.array([decimal.Decimal("-999999999999999.999"), decimal.Decimal("999999999999999.999"), None, decimal.Decimal("-0.001")], pa.decimal128(18, 3)),
        "long_decimal": pa.array([decimal.Decimal("-" + "9" * 26 + ".9999"), decimal.Decimal("9" * 26 + ".9999"), None, decimal.Decimal("0.0001")], pa.decimal128(30, 4)),
    })


def required(table):
    return pa.table(table.columns, schema=pa.schema([pa.field(f.name, f.type, nullable=False) for f in table.schema]))


ALL_NULL = lambda i, value: None
NONE_NULL = lambda i, value: value


def sizes_and_nulls(scalar, nest):
    scalar("zero", "no rows", scalars([]))
    nest("zero", "no rows", nested([]))
    scalar("one", "one row", scalars([1]))
    nest("one", "one row", nested([2]))
    scalar("nulls", "only nulls", scalars(range(20), missing=ALL_NULL))
    nest("nulls", "only nulls", nested(range(10), missing=ALL_NULL))
    scalar("no-nulls", "no nulls", scalars(range(20), missing=NONE_NULL))
    nest("no-nulls", "no nulls", nested(range(10), missing=NONE_NULL))


def long_texts():
    return pa.table({"id": pa.array(range(6), pa.int64()), "words": ["x" * 100_000 + str(i % 3) for i in range(5)] + ["\u4e16" * 20_000]})


def names(write):
    twins = pa.table([pa.array([10, 20, 30], pa.int64()), pa.array([1, 2, 3], pa.int64()), pa.array(["x", "y", "z"])], ["A", "a", "b"])
    write("twins", twins, "a bigint, a2 bigint, b varchar", "columns whose names differ by case")
    odd = pa.table([pa.array([1, 2, None], pa.int64()), pa.array(["x", None, "z"]), pa.array([1, 2, 3], pa.int32()), pa.array([{"x.y": 1}, None, {"x.y": 3}])],
                   ["a.b", "\u00e4 \u4e16", "1", "s.t"])
    # without the last column: the JDBC driver reads no type of a row whose field has a dot
    write("odd-names", odd, '"a.b" bigint, "\u00e4 \u4e16" varchar, "1" integer', "names with dots, blanks and digits")


def schemas(write):
    """Tables of other columns than the file's."""
    n = range(30)
    write("mismatched", flat(n), "id integer, flag boolean, whole bigint, single double, twice real, words varchar, bytes varchar, moment bigint", "columns of other types than the file's")
    write("fewer", flat(n), FLAT + ", later bigint, later_list array(bigint), later_struct row(a bigint, b array(varchar))", "a table of more columns")
    write("more", scalars(n), "id bigint, flag boolean", "a table of fewer columns")
    write("struct-fewer", nested(range(20)).select(["id", "s", "ls"]), "id bigint, s row(a bigint, b varchar, c bigint), ls array(row(a bigint, b varchar, c array(bigint)))",
          "structs of more fields")
    write("wide", pa.table({"c%d" % i: pa.array([some(j + i, j * i) for j in range(4)], pa.int64()) for i in range(120)}), ", ".join("c%d bigint" % i for i in range(120)), "120 columns")


def pyarrow_parquet():
    writer = "pyarrow " + pa.__version__

    def write(name, table, columns, about, **options):
        pq.write_table(table, add("pyarrow/%s.parquet" % name, columns, writer, about), **options)

    def scalar(name, about, table=None, **options):
        write("scalars-" + name, scalars(range(40)) if table is None else table, SCALARS, about, **options)

    def nest(name, about, table=None, **options):
        write("nested-" + name, nested(range(30)) if table is None else table, NESTED, about, **options)

    for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        scalar(codec, "compression", compression=codec)
        nest(codec, "compression", compression=codec)
    encodings = {
        "plain": {},
        "delta": {**dict.fromkeys(["id", "whole", "day", "moment", "tiny", "small"], "DELTA_BINARY_PACKED"), "words": "DELTA_BYTE_ARRAY", "bytes": "DELTA_BYTE_ARRAY",
                  "flag": "RLE", "long_decimal": "DELTA_BYTE_ARRAY"},
        "delta-length": {"words": "DELTA_LENGTH_BYTE_ARRAY", "bytes": "DELTA_LENGTH_BYTE_ARRAY"},
        "split": dict.fromkeys(["single", "twice"], "BYTE_STREAM_SPLIT"),
        "split-integers": dict.fromkeys(["id", "whole", "day", "moment", "short_decimal", "long_decimal"], "BYTE_STREAM_SPLIT"),
        "rle": {"flag": "RLE"},
    }
    for page in ("1.0", "2.0"):
        for name, encoding in encodings.items():
            scalar("%s-page%s" % (name, page[0]), "encoding " + name, use_dictionary=False, column_encoding=encoding or None, data_page_version=page, compression="zstd")
        scalar("dictionary-page" + page[0], "dictionaries", data_page_version=page)
        nest("dictionary-page" + page[0], "dictionaries", data_page_version=page)
        nest("plain-page" + page[0], "no dictionaries", data_page_version=page, use_dictionary=False)
        nest("small-pages" + page[0], "rows over page ends", data_page_version=page, data_page_size=32, write_batch_size=4, write_page_index=True)
    for version in ("1.0", "2.4", "2.6"):
        scalar("version" + version, "format version", version=version)
    scalar("no-statistics", "no statistics", write_statistics=False)
    nest("no-statistics", "no statistics", write_statistics=False)
    scalar("some-statistics", "statistics of two columns", write_statistics=["id", "words"])
    scalar("page-index", "page index", write_page_index=True, data_page_size=64, write_batch_size=8)
    scalar("page-index-groups", "page index, 5 row groups", write_page_index=True, data_page_size=64, write_batch_size=4, row_group_size=8)
    scalar("overflow", "dictionaries that overflow", scalars(range(600)), dictionary_pagesize_limit=64, row_group_size=200, compression="zstd", write_batch_size=16, data_page_size=256)
    nest("overflow", "dictionaries that overflow", nested(range(90)), dictionary_pagesize_limit=32, row_group_size=30, compression="zstd", write_batch_size=8, data_page_size=128)
    scalar("groups", "row groups of 3 rows", row_group_size=3)
    nest("groups", "row groups of a row", nested(range(12)), row_group_size=1)
    for name in ("id", "words"):
        scalar("bloom-" + name, "bloom filter", bloom_filter_options={name: {"ndv": 64, "fpp": 0.05}})
    scalar("bloom-groups", "bloom filters of each row group, no dictionaries", row_group_size=10, use_dictionary=False,
           bloom_filter_options={c: {"ndv": 16, "fpp": 0.01} for c in ("id", "words", "bytes", "whole", "twice", "day", "long_decimal")})
    scalar("int96", "INT96", use_deprecated_int96_timestamps=True)
    scalar("int96-groups", "INT96, 8 row groups", row_group_size=5, use_deprecated_int96_timestamps=True)
    for unit in ("ms", "us", "ns"):
        for zone in (None, "UTC", "Asia/Tokyo"):
            scalar("moment-%s%s" % (unit, "-" + zone.replace("/", "-") if zone else ""), "unit and adjustment of timestamps", scalars(range(40), unit, zone))
    scalar("integer-decimals", "decimals as int32 and int64", store_decimal_as_integer=True)
    scalar("integer-decimals-plain", "decimals as int32 and int64", store_decimal_as_integer=True, use_dictionary=False, row_group_size=10, data_page_version="2.0")
    sizes_and_nulls(scalar, nest)
    scalar("required", "required columns", required(scalars(range(20), missing=NONE_NULL)))
    nest("required", "required columns", required(nested(range(10), missing=NONE_NULL)))
    scalar("extremes", "extremes", extremes())
    scalar("extremes-no-dictionary", "extremes", extremes(), use_dictionary=False, row_group_size=1)
    scalar("extremes-int96", "extremes", extremes(), use_deprecated_int96_timestamps=True)
    scalar("checksums", "checksums of pages, no Arrow schema", write_page_checksum=True, store_schema=False)
    nest("checksums", "checksums of pages, no Arrow schema, lists not as the format wants them", write_page_checksum=True, store_schema=False, use_compliant_nested_type=False)
    scalar("sorted", "sorting columns", sorting_columns=[pq.SortingColumn(0)])
    scalar("large-strings", "large strings and views in Arrow", scalars(range(40)).set_column(7, "words", scalars(range(40))["words"].cast(pa.large_string())))
    scalar("dictionary-arrays", "dictionaries in Arrow", scalars(range(40)).set_column(7, "words", scalars(range(40))["words"].dictionary_encode()))
    write("long", long_texts(), TEXTS, "strings of 100,000 characters", compression="zstd")
    write("long-plain", long_texts(), TEXTS, "strings of 100,000 characters", compression="zstd", use_dictionary=False, data_page_version="2.0", row_group_size=2)
    write("invalid", pa.table({"id": pa.array(range(5), pa.int64()), "words": pa.array([b"a", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", None], pa.binary())}), TEXTS,
          "strings that are not UTF-8")
    names(write)
    n = range(30)
    unsigned = pa.table({"u8": pa.array([some(i, i * 8) for i in n], pa.uint8()), "u16": pa.array([some(i, i * 2000) for i in n], pa.uint16()),
                         "u32": pa.array([some(i, i * 10 ** 8) for i in n], pa.uint32()), "u64": pa.array([some(i, i * 6 * 10 ** 17) for i in n], pa.uint64())})
    write("unsigned", unsigned, "u8 integer, u16 integer, u32 bigint, u64 bigint", "unsigned integers")
    write("unsigned-narrow", unsigned, "u8 tinyint, u16 smallint, u32 integer, u64 bigint", "unsigned integers in narrower columns")
    other = pa.table({"id": pa.array(n, pa.int64()), "t32": pa.array([some(i, i) for i in n], pa.time32("ms")), "t64": pa.array([some(i, i) for i in n], pa.time64("us")),
                      "fixed": pa.array([some(i, bytes([i] * 4)) for i in n], pa.binary(4)), "half": pa.array([some(i, i / 2) for i in n], pa.float16())})
    write("other-types", other, "id bigint, t32 integer, t64 bigint, fixed varbinary, half real", "times, fixed bytes, half floats")
    write("mismatched-more", flat(n), "id varchar, flag integer, whole double, single bigint, twice varchar, words bigint, bytes varchar, moment date", "columns of other types than the file's")
    schemas(write)
    parquet_encrypted(writer)


class Kms(pe.KmsClient):
    """Wraps nothing, as no one shall read the files."""

    def wrap_key(self, key_bytes, master_key_identifier):
        return base64.b64encode(key_bytes)

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return base64.b64decode(wrapped_key)


def parquet_encrypted(writer):
    for name, options, about in (
            ("footer", {"column_keys": {"k2": ["words", "twice"]}}, "encrypted, footer too"),
            ("plaintext-footer", {"column_keys": {"k2": ["words", "twice"]}, "plaintext_footer": True}, "encrypted columns, plaintext footer"),
            ("uniform", {"uniform_encryption": True}, "encrypted with one key")):
        config = pe.EncryptionConfiguration(footer_key="k1", double_wrapping=False, **options)
        properties = pe.CryptoFactory(lambda configuration: Kms()).file_encryption_properties(pe.KmsConnectionConfig(), config)
        with pq.ParquetWriter(add("pyarrow/encrypted-%s.parquet" % name, FLAT, writer, about), flat(range(20)).schema, encryption_properties=properties) as out:
            out.write_table(flat(range(20)))


def pyarrow_orc():
    writer = "pyarrow " + pa.__version__ + " (ORC C++)"

    def write(name, table, columns, about, **options):
        orc.write_table(table, add("pyarrow/%s.orc" % name, columns, writer, about), **options)

    def scalar(name, about, table=None, **options):
        write("scalars-" + name, scalars(range(40)) if table is None else table, SCALARS, about, **options)

    def nest(name, about, table=None, **options):
        write("nested-" + name, nested(range(30)) if table is None else table, NESTED, about, **options)

    for codec in ("uncompressed", "zlib", "snappy", "lz4", "zstd"):
        scalar(codec, "compression", compression=codec)
        nest(codec, "compression", compression=codec)
    for version in ("0.11", "0.12"):
        for threshold in (0.0, 1.0):
            scalar("version%s-%s" % (version[2:], "dictionary" if threshold else "direct"), "version and encoding of strings", file_version=version,
                   dictionary_key_size_threshold=threshold, compression="zstd")
        nest("version" + version[2:], "version", file_version=version, dictionary_key_size_threshold=1.0, compression="zstd")
    scalar("stripes", "stripes of 100 rows", scalars(range(400)), compression="zstd", stripe_size=1, batch_size=100)
    nest("stripes", "stripes of 20 rows", nested(range(60)), compression="zstd", stripe_size=1, batch_size=20)
    scalar("small-stripes", "stripes of 4 rows", stripe_size=1, batch_size=4, compression="zstd")
    for stride in (1, 7):
        scalar("stride%d" % stride, "rows of an index entry", row_index_stride=stride, compression="zlib")
        nest("stride%d" % stride, "rows of an index entry", row_index_stride=stride, compression="zlib")
    scalar("bloom", "bloom filters", bloom_filter_columns=[0, 1, 4, 6, 7, 9, 10, 11, 13], bloom_filter_fpp=0.05, row_index_stride=40)
    scalar("bloom-stride", "bloom filters of 5 rows each", bloom_filter_columns=[0, 7], bloom_filter_fpp=0.01, row_index_stride=5, compression="zlib")
    scalar("many", "300 rows, 6 index entries", scalars(range(300)), compression="zlib", row_index_stride=50)
    for zone in ("UTC", "Asia/Tokyo"):
        scalar("instant-" + zone.replace("/", "-"), "timestamps with local time zone", scalars(range(40), "us", zone))
    scalar("micros", "microseconds", scalars(range(40), "us"))
    scalar("nanos", "nanoseconds", scalars(range(40), "ns"))
    sizes_and_nulls(scalar, nest)
    scalar("extremes", "extremes", extremes())
    scalar("extremes-dictionary", "extremes", extremes(), dictionary_key_size_threshold=1.0, row_index_stride=1)
    write("long", long_texts(), TEXTS, "strings of 100,000 characters", compression="zstd")
    write("long-dictionary", long_texts(), TEXTS, "strings of 100,000 characters", compression="zstd", dictionary_key_size_threshold=1.0, row_index_stride=2)
    names(write)
    schemas(write)


def pyorc_orc():
    writer = "pyorc " + pyorc.__version__ + " (ORC C++)"
    rows = [(i, some(i, "char %d" % i), some(i + 1, "varchar %d" % i), some(i + 2, datetime.datetime(1971, 2, 3, 4, 5, 6, 789000, UTC) + datetime.timedelta(hours=i * 977)))
            for i in range(30)]
    for zone in ("UTC", "America/New_York", "Asia/Kolkata"):
        path = add("pyorc/characters-%s.orc" % zone.replace("/", "-"), "id bigint, c char(10), v varchar(12), moment timestamp", writer, "char, varchar, a writer's time zone")
        with open(path, "wb") as out, pyorc.Writer(out, "struct<id:bigint,c:char(10),v:varchar(12),moment:timestamp>", timezone=zoneinfo.ZoneInfo(zone),
                                                   row_index_stride=10 if zone != "UTC" else 10000) as orc_out:
            orc_out.set_user_metadata(key=b"a value")
            orc_out.writerows(rows)
    path = add("pyorc/union.orc", "id bigint, u bigint", writer, "a union, which Presto does not have")
    with open(path, "wb") as out, pyorc.Writer(out, "struct<id:bigint,u:uniontype<bigint,string>>") as orc_out:
        orc_out.writerows([(i, some(i, i if i % 2 else str(i))) for i in range(20)])
    path = add("pyorc/no-struct.orc", "id bigint", writer, "a root that is no struct")
    with open(path, "wb") as out, pyorc.Writer(out, "bigint") as orc_out:
        orc_out.writerows(range(10))


def duckdb_parquet():
    writer = "DuckDB " + duckdb.__version__
    connection = duckdb.connect()
    base = scalars(range(40))
    deep = nested(range(30))
    connection.register("scalars", base)
    connection.register("nested", deep)
    connection.register("many", scalars(range(5000)))
    connection.register("extremes", extremes())

    def write(name, columns, source, about, options):
        path = add("duckdb/%s.parquet" % name, columns, writer, about)
        connection.execute("COPY (SELECT * FROM %s) TO '%s' (FORMAT parquet%s)" % (source, path, ", " + options if options else ""))

    for codec in ("uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"):
        write("scalars-" + codec, SCALARS, "scalars", "compression", "COMPRESSION " + codec)
        write("nested-" + codec, NESTED, "nested", "compression", "COMPRESSION " + codec)
    for version in ("V1", "V2"):
        write("scalars-" + version, SCALARS, "scalars", "format version, no dictionaries", "PARQUET_VERSION %s, DICTIONARY_SIZE_LIMIT 1" % version)
        write("nested-" + version, NESTED, "nested", "format version", "PARQUET_VERSION " + version)
    write("many-V2", SCALARS, "many", "5,000 rows in row groups of 2,048, dictionaries and bloom filters", "PARQUET_VERSION V2, ROW_GROUP_SIZE 2048, COMPRESSION zstd")
    write("extremes", SCALARS, "extremes", "extremes", "")
    write("zero", SCALARS, "scalars WHERE id < 0", "no rows", "")
    write("nested-zero", NESTED, "nested WHERE id < 0", "no rows", "")
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    write("instants", "id bigint, moment timestamp, huge double, uuid varchar, text varchar",
          "(SELECT id, moment::timestamptz, id::hugeint AS huge, md5(id::varchar)::uuid AS uuid, (CASE WHEN id % 2 = 0 THEN 'even' ELSE 'odd' END)::enum('even', 'odd') AS text FROM scalars)",
          "timestamps with time zone, huge integers, uuids, enums", "")
    connection.execute("SET force_mbedtls_unsafe = 'true'")
    connection.execute("PRAGMA add_parquet_key('k', '0123456789112345')")
    write("encrypted", SCALARS, "scalars", "encrypted", "ENCRYPTION_CONFIG {footer_key: 'k'}")


def polars_parquet():
    writer = "polars " + polars.__version__
    for name, columns, table in (("flat", FLAT, flat(range(40))), ("lists", LISTS, lists(range(30)))):
        frame = polars.from_arrow(table)
        for codec in ("uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"):
            frame.write_parquet(add("polars/%s-%s.parquet" % (name, codec), columns, writer, "compression"), compression=codec)
        frame.write_parquet(add("polars/%s-no-statistics.parquet" % name, columns, writer, "no statistics"), statistics=False)
        frame.write_parquet(add("polars/%s-groups.parquet" % name, columns, writer, "row groups of 7 rows, small pages"), row_group_size=7, data_page_size=64, statistics="full")
        frame.head(0).write_parquet(add("polars/%s-zero.parquet" % name, columns, writer, "no rows"))
    polars.from_arrow(flat(range(20))).with_columns(words=polars.col("words").cast(polars.Categorical)).write_parquet(
        add("polars/categorical.parquet", FLAT, writer, "categories"))


def fastparquet_parquet():
    writer = "fastparquet " + fastparquet.__version__
    frame = flat(range(40)).select(["id", "flag", "whole", "twice", "words", "moment"]).to_pandas()
    frame["flag"] = frame["flag"].astype("boolean")
    frame["whole"] = frame["whole"].astype("Int32")
    columns = "id bigint, flag boolean, whole integer, twice double, words varchar, moment timestamp"
    for name, options, about in (
            ("uncompressed", {}, "the default"),
            ("snappy", {"compression": "SNAPPY"}, "compression"),
            ("gzip", {"compression": "GZIP"}, "compression"),
            ("zstd", {"compression": "ZSTD"}, "compression"),
            ("int96", {"times": "int96"}, "INT96"),
            ("groups", {"row_group_offsets": [0, 5, 6, 30]}, "uneven row groups"),
            ("no-statistics", {"stats": False}, "no statistics")):
        fastparquet.write(add("fastparquet/%s.parquet" % name, columns, writer, about), frame, write_index=False, **options)


def texts_and_records():
    n = range(60)
    texts = pa.table({"id": pa.array(["%d" % i for i in n]), "words": pa.array(["w,\"%d\" \u00e4" % i for i in n])})
    pa.csv.write_csv(texts, add("pyarrow/texts.csv", "id varchar, words varchar", "pyarrow " + pa.__version__, "quotes and commas in strings"),
                     pa.csv.WriteOptions(include_header=False, quoting_style="all_valid"))
    python = "Python " + platform.python_version().rsplit(".", 1)[0]
    with open(add("python/documents.json", "id bigint, items array(bigint), words varchar", python, "members that no column has"), "w", encoding="utf-8") as out:
        for i in n:
            row = {"id": i, "items": some(i, [some(j, j * i) for j in range(i % 5)]), "words": "w%d" % (i % 5), "unknown": {"deep": [1]}}
            out.write(json.dumps(row, ensure_ascii=i % 2 == 0) + "\n")


def avro(name, about, schema, rows, columns, literal=None, **options):
    path = add("fastavro/%s.avro" % name, columns, "fastavro " + fastavro.__version__, about, **({"avro_schema_literal": json.dumps(literal, separators=(",", ":"))} if literal else {}))
    with open(path, "wb") as out:
        fastavro.writer(out, fastavro.parse_schema(schema), rows, sync_marker=b"0123456789abcdef", **options)


def fastavro_records():
    n = range(60)
    schema = {"type": "record", "name": "row", "fields": [
        {"name": "id", "type": "long"},
        {"name": "words", "type": ["null", "string"], "default": None},
        {"name": "items", "type": ["null", {"type": "array", "items": ["null", "long"]}]},
        {"name": "pairs", "type": {"type": "map", "values": "double"}}]}
    rows = [{"id": i, "words": some(i, "w%d" % i), "items": some(i + 1, [some(j, j) for j in range(i % 4)]), "pairs": {"k": i / 2}} for i in n]
    columns = "id bigint, words varchar, items array(bigint), pairs map(varchar, double)"
    for codec in ("null", "deflate", "bzip2", "xz", "snappy"):
        avro("records-" + codec, "compression", schema, rows, columns, codec=codec)
    avro("records-blocks", "many blocks", schema, rows, columns, sync_interval=64)
    avro("records-zero", "no rows", schema, [], columns)
    record = {"type": "record", "name": "inner", "fields": [{"name": "a", "type": ["null", "long"]}, {"name": "b", "type": ["string", "null"], "default": ""}]}
    of_types = {"type": "record", "name": "types", "namespace": "of.fastavro", "doc": "What Avro has beyond Hive's types.", "fields": [
        {"name": "id", "type": "long"},
        {"name": "color", "type": ["null", {"type": "enum", "name": "color", "symbols": ["RED", "GREEN"]}]},
        {"name": "hash", "type": {"type": "fixed", "name": "hash", "size": 4}},
        {"name": "last", "type": ["string", "null"]},
        # a union of one, which Hive has no column for
        {"name": "only", "type": ["long"]},
        {"name": "day", "type": ["null", {"type": "int", "logicalType": "date"}]},
        {"name": "clock", "type": {"type": "int", "logicalType": "time-millis"}},
        {"name": "moment", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
        {"name": "micros", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "amount", "type": ["null", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}]},
        {"name": "fixed_amount", "type": {"type": "fixed", "name": "amount16", "size": 16, "logicalType": "decimal", "precision": 30, "scale": 4}},
        {"name": "uuid", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "r", "type": ["null", record]},
        {"name": "rs", "type": {"type": "array", "items": "inner"}},
        {"name": "m", "type": {"type": "map", "values": ["null", {"type": "array", "items": "long"}]}}]}
    start = datetime.datetime(1971, 2, 3, 4, 5, 6, 789000, UTC)
    inner = lambda i: {"a": some(i, i), "b": some(i + 1, "b%d" % i)}
    of_rows = [{"id": i, "color": some(i, ("RED", "GREEN")[i % 2]), "hash": bytes([i, 0, 255, i]), "last": some(i + 1, "l%d" % i), "only": i * 2,
                "day": some(i, datetime.date(1969, 12, 20) + datetime.timedelta(days=i)), "clock": datetime.time(i % 24, 1, 2), "moment": some(i, start + datetime.timedelta(hours=i * 97)),
                "micros": start + datetime.timedelta(microseconds=i), "amount": some(i, decimal.Decimal(i * 101 - 999).scaleb(-2)), "fixed_amount": decimal.Decimal(i * 10 ** 18 - 5).scaleb(-4),
                "uuid": "00000000-0000-0000-0000-0000000000%02d" % i, "r": some(i, inner(i)), "rs": [inner(i + j) for j in range(i % 3)],
                "m": {"k%d" % j: some(j + i, [j, i]) for j in range(i % 3)}} for i in range(40)]
    types = ("id bigint, color varchar, hash varbinary, last varchar, day date, clock integer, moment timestamp, micros bigint, amount decimal(9,2), fixed_amount varbinary,"
             " uuid varchar, r row(a bigint, b varchar), rs array(row(a bigint, b varchar)), m map(varchar, array(bigint))")
    for name, options in (("null", {}), ("blocks", {"codec": "deflate", "sync_interval": 100})):
        avro("types-" + name, "enums, fixed, unions, logical types; the table has the file's schema", of_types, of_rows, types, of_types, **options)
    avro("types-by-columns", "the same; the table's schema is of its columns", of_types, of_rows, "id bigint, last varchar, day date, moment timestamp, amount decimal(9,2), uuid varchar")
    avro("enum-as-string", "an enum where the table has a string", of_types, of_rows, "id bigint, color varchar")
    unions = {"type": "record", "name": "unions", "fields": [
        {"name": "id", "type": "long"}, {"name": "either", "type": ["null", "long", "string", {"type": "map", "values": "long"}]}, {"name": "words", "type": ["null", "string"]}]}
    mixed = [{"id": i, "either": (None, i, "s%d" % i, {"k": i})[i % 4], "words": some(i, "w%d" % i)} for i in range(40)]
    avro("unions", "a union of several types, which the table does not have", unions, mixed, TEXTS)
    avro("unions-read", "a union of several types where the table has an integer", unions, mixed, "id bigint, either bigint, words varchar")
    field = lambda name, of, **more: {"name": name, "type": of, **more}
    later = {"type": "record", "name": "v2", "aliases": ["v1"], "fields": [
        field("words", ["null", "string"], default=None, aliases=["text"]), field("id", "long"), field("twice", "double"), field("added", "string", default="new"),
        field("list", {"type": "array", "items": "double"}, default=[])]}
    evolved = "words varchar, id bigint, twice double, added varchar, list array(double)"
    avro("evolution-v1", "fewer fields, others' names, narrower types", {"type": "record", "name": "v1", "fields": [
        field("id", "int"), field("dropped", {"type": "map", "values": "bytes"}), field("text", ["null", "string"]), field("twice", "float"), field("list", {"type": "array", "items": "int"})]},
         [{"id": i, "dropped": {"x": b"y"}, "text": some(i, "t%d" % i), "twice": i / 4, "list": [i] * (i % 3)} for i in range(40)], evolved, later)
    avro("evolution-v2", "the table's schema", later, [{"words": some(i, "w%d" % i), "id": i, "twice": i / 8, "added": "a%d" % (i % 3), "list": [i / 2]} for i in range(40)], evolved, later)


def lines(path, content):
    """Of lines, compressed if the file's name says it; the bytes are the same at each run."""
    with open(path, "wb") as out:
        content = content.encode("utf-8", "surrogateescape")
        out.write(gzip.compress(content, mtime=0) if path.endswith(".gz") else content)


def more_texts():
    python = "Python " + platform.python_version().rsplit(".", 1)[0]
    bars = {"field_delim": "|", "collection_delim": ",", "colelction_delim": ",", "mapkey_delim": ":", "escape_delim": "\\"}
    # Hive's text, by writers that know nothing of Hive
    without_bytes = FLAT.replace(", bytes varbinary", "")
    frame = polars.from_arrow(flat(range(40)).drop_columns("bytes"))
    options = {"include_header": False, "separator": "\x01", "null_value": "\\N", "quote_style": "never", "datetime_format": "%Y-%m-%d %H:%M:%S%.3f"}
    writer = "polars " + polars.__version__
    frame.write_csv(add("polars/flat.textfile", without_bytes, writer, "delimiters of Hive's text"), **options)
    frame.head(0).write_csv(add("polars/flat-zero.textfile", without_bytes, writer, "an empty file"), **options)
    lines(add("polars/flat-gzip.textfile.gz", without_bytes, writer, "compression"), frame.write_csv(**options))
    lines(add("polars/header.textfile", without_bytes, writer, "a header and a footer", skip_header_line_count="1", skip_footer_line_count="2"),
          frame.write_csv(**{**options, "include_header": True}) + "the\nend\n")
    rough = ["1|2|3.5|true|text|2020-01-02|2020-01-02 03:04:05.678|1.25", "2", "", "3|x|y|z|too|many|fields|are|here|!", " 4 | 5 | 6.5 | true | text | 2020-01-02 | 2020-01-02 03:04:05 | 1.25 ",
             "9223372036854775808|2147483648|1e400|TRUE|" + "x" * 5000 + "|2020-13-45|2020-02-30 25:61:61|99999999999", "+5|-0|-.5|false|\\|0001-01-01|1600-01-01 00:00:00.123456789|-0.005",
             "6|7|NaN|1|\\N|\\N|\\N|\\N", "7|8|Infinity|0|null|null|null|null", "0x10|1_000|1d|t|" + NOT_UTF_8 + "|2020-1-2|2020-1-2 3:4:5|1e2", "8|9|1,5|FALSE|\u00e4 \u4e16|2020-01-02T00:00|2020-01-02T03:04:05Z|1.",
             "10|11|12|True|cr\r|2020-01-02|2020-01-02|.5\r", "||||||||", "11|12|13.0|false|no line end|2020-01-02|2020-01-02 03:04:05.6|0"]
    columns = "id bigint, whole integer, twice double, flag boolean, words varchar, day date, moment timestamp, short_decimal decimal(9,2)"
    for name in ("rough.textfile", "rough-gzip.textfile.gz"):
        lines(add("python/" + name, columns, python, "fields that are missing, too many or not of their type", **bars), "\n".join(rough))
    lines(add("python/rough-crlf.textfile", columns, python, "the same, other line ends", **bars), "\r\n".join(rough) + "\r\n")
    lines(add("python/rough-last.textfile", "id bigint, words varchar", python, "the last column takes what is left", field_delim="|", serialization_last_column_takes_rest="true"), "\n".join(rough))
    deep = ["1|a,b,c|k:v,l:w|5,text", "2|\\N,,x|k,l:,:m|6", "3|||", "4|\\N|\\N|\\N", "5|a\\,b,c\\|d|k\\:l:v|7,t\\,u,more", "6|x|k:v:w,k:again|y,z"]
    lines(add("python/rough-nested.textfile", "id bigint, parts array(varchar), pairs map(varchar, varchar), s row(a bigint, b varchar)", python,
              "lists, maps and rows that lack parts", **bars), "\n".join(deep) + "\n")
    # JSON
    rows = [i for i in scalars(range(40)).to_pylist() if i["id"] != 11]
    plain = lambda value: str(value)[:23] if isinstance(value, (datetime.date, datetime.datetime)) else value.decode("latin-1") if isinstance(value, bytes) else float(value) if isinstance(
        value, decimal.Decimal) else value
    lines(add("python/scalars.json", SCALARS, python, "dates as texts, decimals as doubles"), "".join(json.dumps({k: plain(v) for k, v in row.items()}) + "\n" for row in rows))
    cases = ['{"id": 1, "items": [1, null], "words": "upper"}', '{"ID": 2, "Items": [], "WORDS": "case"}', '{"words": "order", "items": null, "id": 3}', "{}", '{"id": null}',
             '{"id": 4, "id": 5, "words": "twice", "words": "again"}', ' {"id" : 6 , "words" : "blanks\\t\\u00e4\\ud83d\\ude00" , "other" : {"id": [{"words": 1}]} } ', '{"id": 7, "words": ""}',
             '{"id": 8, "items": [9223372036854775807, -9223372036854775808]}', '{"id": 9, "words": "last"}']
    for name in ("cases.json", "cases-gzip.json.gz"):
        lines(add("python/" + name, "id bigint, items array(bigint), words varchar", python, "cases and order of members, members twice or missing"), "\n".join(cases) + "\n")
    for name, line in (("array", "[1, 2]"), ("text", '{"id": "1"}'), ("number", '{"id": 1, "words": 5}'), ("overflow", '{"id": 9223372036854775808}'), ("broken", '{"id": 1'), ("empty-line", "")):
        lines(add("python/bad-%s.json" % name, "id bigint, items array(bigint), words varchar", python, "a bad line between good ones"), cases[0] + "\n" + line + "\n" + cases[2] + "\n")
    writer = "polars " + polars.__version__
    polars.from_arrow(flat(range(11)).drop_columns(["bytes", "moment"])).write_ndjson(
        add("polars/flat.json", FLAT.replace(", bytes varbinary, moment timestamp", ""), writer, "JSON lines"))
    # CSV
    strings = [(str(i), word, some(i, "note %d" % i)) for i, word in enumerate(ODD_WORDS)]
    names = ("id", "words", "note")
    frame = polars.DataFrame({name: [row[i] for row in strings] for i, name in enumerate(names)})
    for style in ("always", "necessary"):
        frame.write_csv(add("polars/%s.csv" % style, STRINGS, writer, "quotes " + style), include_header=False, quote_style=style)
    connection = duckdb.connect()
    connection.register("strings", pa.table({name: pa.array([row[i] for row in strings], pa.string()) for i, name in enumerate(names)}))
    connection.register("nested", nested(range(30)))
    connection.register("scalars", scalars(range(11)))
    writer = "DuckDB " + duckdb.__version__
    for name, options, of_serde in (("strings.csv", "HEADER false, FORCE_QUOTE *", {}), ("strings-gzip.csv.gz", "HEADER false, COMPRESSION gzip", {}),
                                    ("strings-header.csv", "HEADER true, DELIMITER '|', QUOTE ''''",
                                     {"separatorChar": "|", "quoteChar": "'", "escapeChar": "\\", "skip_header_line_count": "1"})):
        connection.execute("COPY strings TO '%s' (FORMAT csv, %s)" % (add("duckdb/" + name, STRINGS, writer, "CSV: " + options, **of_serde), options))
    connection.execute("COPY nested TO '%s' (FORMAT json)" % add("duckdb/nested.json", NESTED, writer, "JSON lines"))
    connection.execute("COPY scalars TO '%s' (FORMAT json)" % add("duckdb/scalars.json", SCALARS, writer, "JSON lines"))
    with open(add("python/dialect.csv", STRINGS, python, "tabs, quotes escaped by backslashes, CRLF", separatorChar="\t", quoteChar="\"", escapeChar="\\"), "w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter="\t", doublequote=False, escapechar="\\").writerows(row for row in strings if "\x00" not in (row[1] or ""))
    lines(add("python/rough.csv", STRINGS, python, "fields missing or too many, quotes that do not end"),
          'a,b,c\na\na,b,c,d\n\n,,\n"a,b,c\n"a"x,"b""c",d\na,b\\,c,d\n"\u00e4","' + NOT_UTF_8 + '",\u4e16\nlast,line,no end')
    # Avro
    frame = polars.from_arrow(flat(range(40)).drop_columns(["bytes", "moment"]))
    for codec in ("uncompressed", "snappy", "deflate"):
        frame.write_avro(add("polars/flat-%s.avro" % codec, FLAT.replace(", bytes varbinary, moment timestamp", ""), "polars " + polars.__version__, "compression"), compression=codec)


def others():
    """What SparkFiles.java, HiveFiles.java and velox.py have written: a line each of path, columns' name, writer, what it is for, parameters of its serde."""
    shapes = {"SCALARS": SCALARS, "NESTED": NESTED, "FLAT": FLAT, "TEXTS": TEXTS, "ODD": ODD, "STRINGS": STRINGS, "RECORDS": SCALARS.replace(" tiny tinyint, small smallint,", ""),
              "NESTED_RECORDS": NESTED.replace(", mm map(bigint, map(varchar, bigint))", ""),
              "SIMPLE": SIMPLE, "SIMPLE_NESTED": SIMPLE_NESTED}
    for folder in ("spark", "hive", "pyvelox"):
        with open(os.path.join(HERE, folder, "written.tsv"), encoding="utf-8") as lines:
            for path, columns, writer, about, serde in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                add(path, shapes.get(columns, columns), writer, about, **dict(urllib.parse.parse_qsl(serde, keep_blank_values=True)))


def rows_for_others(directory):
    """The same rows, for Spark and Hive to write."""
    os.makedirs(directory, exist_ok=True)
    for name, table in (("scalars", scalars(range(40), "us", "UTC")), ("nested", nested(range(30))), ("many", scalars(range(600), "us", "UTC")),
                        ("zero", scalars([], "us", "UTC")), ("extremes", extremes()), ("no-nulls", scalars(range(20), "us", "UTC", NONE_NULL)),
                        ("nulls", scalars(range(20), "us", "UTC", ALL_NULL)), ("odd", odd())):
        pq.write_table(table, os.path.join(directory, name + ".parquet"))


# what is not of use, or too large; large_string_map is 2 GiB when read, demo-12-zlib has two million rows
NOT_PUBLIC = ("large_string_map.brotli", "demo-12-zlib", "ARROW-GH-41317", "ARROW-GH-41321", "delta_binary_packed", "delta_byte_array", "geospatial/geo", "geospatial/crs-a", "geospatial/crs-g",
              "geospatial/crs-p", "geospatial/crs-s", "datapage_v1-uncompressed", "bloom_filter.parquet", "aes256", "testStripeLevelStats", "acid5k", "testRowIndex",
              "orc-file-11", "TestOrcFile.metaData")
# of files whose schema cannot be read here
ENCRYPTED = "boolean_field boolean, int32_field integer, int64_field array(bigint), int96_field timestamp, float_field real, double_field double, ba_field varbinary, flba_field varbinary"
DECIMALS = "_col0 decimal(10,5)"


def public(source, directory):
    """Copies the test files of a format's own repository: their licence is the Apache License 2.0 (NOTICE)."""
    for root, _, names in sorted(os.walk(directory)):
        for name in sorted(names):
            path = os.path.join(root, name)
            short = os.path.relpath(path, directory)
            if os.path.getsize(path) <= 60_000 and name.endswith((".orc", ".parquet", ".parquet.encrypted")) and not any(part in short for part in NOT_PUBLIC):
                target = "public/" + name.replace(".parquet.encrypted", "-encrypted.parquet")
                shutil.copyfile(path, add(target, public_columns(path), source, short))


def public_columns(path):
    try:
        if path.endswith(".orc"):
            with open(path, "rb") as content:
                schema = pyorc.Reader(content).schema
            if isinstance(schema, pyorc.Struct):
                return ", ".join("%s %s" % (quoted(name), orc_type(field)) for name, field in schema.fields.items()) or DECIMALS
            return "x " + orc_type(schema)
        return ", ".join("%s %s" % (quoted(field.name), arrow_type(field.type)) for field in pq.read_schema(path))
    except Exception:
        return ENCRYPTED if path.endswith("encrypted") else "id bigint, map map(varchar, varchar)" if "map" in path else DECIMALS


def quoted(name):
    return '"%s"' % name


def orc_type(schema):
    if isinstance(schema, pyorc.Struct):
        return "row(%s)" % ", ".join("%s %s" % (quoted(name), orc_type(field)) for name, field in schema.fields.items())
    if isinstance(schema, pyorc.Array):
        return "array(%s)" % orc_type(schema.type)
    if isinstance(schema, pyorc.Map):
        return "map(%s, %s)" % (orc_type(schema.key), orc_type(schema.value))
    if isinstance(schema, pyorc.Decimal):
        return "decimal(%d,%d)" % (schema.precision, schema.scale)
    return {"int": "integer", "float": "real", "string": "varchar", "binary": "varbinary", "timestamp with local time zone": "timestamp"}.get(
        str(schema), "varchar" if isinstance(schema, pyorc.Union) else str(schema))


def arrow_type(of):
    if pa.types.is_list(of) or pa.types.is_large_list(of):
        return "array(%s)" % arrow_type(of.value_type)
    if pa.types.is_map(of):
        return "map(%s, %s)" % (arrow_type(of.key_type), arrow_type(of.item_type))
    if pa.types.is_struct(of):
        return "row(%s)" % ", ".join("%s %s" % (quoted(field.name), arrow_type(field.type)) for field in of)
    if pa.types.is_decimal(of):
        return "decimal(%d,%d)" % (of.precision, of.scale)
    names = {"bool": "boolean", "int8": "tinyint", "int16": "smallint", "int32": "integer", "int64": "bigint", "uint8": "smallint", "uint16": "integer", "uint32": "bigint",
             "uint64": "bigint", "float": "real", "halffloat": "real", "double": "double", "string": "varchar", "date32[day]": "date"}
    return names.get(str(of), "timestamp" if pa.types.is_timestamp(of) else "varbinary")


if __name__ == "__main__":
    if sys.argv[1] == "rows":
        rows_for_others(sys.argv[2])
    else:
        for folder in ("pyarrow", "pyorc", "duckdb", "polars", "fastparquet", "python", "fastavro", "public"):
            shutil.rmtree(os.path.join(HERE, folder), ignore_errors=True)
        pyarrow_parquet()
        pyarrow_orc()
        pyorc_orc()
        duckdb_parquet()
        polars_parquet()
        fastparquet_parquet()
        texts_and_records()
        fastavro_records()
        more_texts()
        others()
        public("apache/parquet-testing 1a2a751", os.path.join(sys.argv[2], "parquet-testing"))
        public("apache/orc 3738b82", os.path.join(sys.argv[2], "orc"))
        with open(os.path.join(HERE, "manifest.tsv"), "w", encoding="utf-8") as out:
            out.write("file\tformat\tcolumns\twriter\tabout\tserde\n")
            for line in manifest:
                out.write("\t".join(line) + "\n")
