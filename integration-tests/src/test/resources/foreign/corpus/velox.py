"""velox.py ROWS CORPUS: writes the corpus's files of Velox, whose package needs an older pyarrow than generate.py. Run by ./generate."""
import importlib.metadata
import os
import sys

import pyarrow.parquet as pq
import pyvelox.arrow
import pyvelox.file
import pyvelox.plan_builder
import pyvelox.runner

rows, corpus = sys.argv[1:]
written = []
pyvelox.runner.register_hive()
for name in ("scalars", "nested", "many", "extremes", "nulls", "no-nulls"):
    table = pq.read_table(os.path.join(rows, name + ".parquet"))
    # which DWRF does not have
    table = table.drop_columns([column for column in table.column_names if "decimal" in column or column in ("day", "deep")]).combine_chunks()
    path = "pyvelox/%s.dwrf" % name
    vectors = [pyvelox.arrow.to_velox(batch) for batch in table.to_batches()]
    plan = pyvelox.plan_builder.PlanBuilder().values(vectors).table_write(output_file=pyvelox.file.DWRF(os.path.join(corpus, path)), connector_id="hive")
    list(pyvelox.runner.LocalRunner(plan.get_plan_node()).execute())
    written.append("\t".join((path, "SIMPLE_NESTED" if name == "nested" else "SIMPLE", "pyvelox " + importlib.metadata.version("pyvelox"), "Velox's DWRF: " + name, "")))
with open(os.path.join(corpus, "pyvelox", "written.tsv"), "w", encoding="utf-8") as out:
    out.writelines(line + "\n" for line in written)
