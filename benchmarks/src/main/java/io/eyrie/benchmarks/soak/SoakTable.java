// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.benchmarks.soak.Windows.Cause;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.S3Client;
import io.eyrie.testing.s3.S3Object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/** A table partitioned by days, its changes, and the truth about it. Only one thread changes it. */
final class SoakTable
{
    /*
     * Truth   A change is recorded before its first step and after its last: between them, each file may be old or new. The files that a failed
     *         INSERT leaves are deleted before its change counts as ended; all other statements are repeated until they succeed
     */
    private static final int MOST_FILES = 6;
    private static final int MOST_PARTITIONS = 5;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REPEATED_FOR_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final String name;
    private final String format;
    private final How how;
    private final Lake lake;
    private final Windows windows;
    private final Map<Content, byte[]> bytes;
    private final Truth truth = new Truth();
    private int made;

    /** How a table changes. */
    enum How
    {
        /** Another writer than Presto overwrites its files in place, deletes and adds files, and adds and drops partitions. */
        OVERWRITTEN,
        /** Presto inserts into it, and drops partitions. */
        INSERTED,
        /** It is dropped and created again over other files at the same paths. */
        RECREATED
    }

    /**
     * The cluster of the tables.
     *
     * @param files by format, as created for the first table of each format
     */
    record Place(Lake lake, Windows windows, Map<String, Map<Content, byte[]>> files)
    {}

    SoakTable(String name, String format, How how, Place place)
    {
        this.name = name;
        this.format = format;
        this.how = how;
        lake = place.lake;
        windows = place.windows;
        bytes = place.files.computeIfAbsent(format, any -> new HashMap<>());
    }

    String name()
    {
        return name;
    }

    Truth truth()
    {
        return truth;
    }

    /** Creates the table and its first partitions. */
    void create()
    {
        if (how == How.INSERTED) {
            client().execute("CREATE TABLE " + name + " (" + columns() + ") WITH (" + properties() + ")");
            insert("d1", new Content(1));
            insert("d2", new Content(2));
            return;
        }
        for (int id = 0; id < Content.COUNT; id++) {
            bytes.computeIfAbsent(new Content(id), content -> format.equals("TEXTFILE") ? content.text() : written(content));
        }
        lake.createTable(Soak.SCHEMA, name, columns(), properties());
        addPartition(new Random(made));
        addPartition(new Random(made));
    }

    private static String columns()
    {
        return Content.COLUMNS + ", ds varchar";
    }

    private String properties()
    {
        return "format = '" + format + "', partitioned_by = ARRAY['ds']";
    }

    /* Returns the file that Presto writes for the content. */
    private byte[] written(Content content)
    {
        String table = name + "_" + content.id();
        lake.createTable(Soak.SCHEMA, table, Content.COLUMNS, "format = '" + format + "'");
        oneFile(lake.uncachedClient(Soak.SCHEMA)).execute("INSERT INTO " + table + " " + content.query());
        return s3().list(Lake.BUCKET, Soak.SCHEMA + "/" + table + "/").stream().filter(object -> object.size() > 0).findFirst()
                .map(object -> s3().get(Lake.BUCKET, object.key())).orElseThrow();
    }

    private static PrestoClient oneFile(PrestoClient client)
    {
        return client.withSession("task_writer_count", "1").withSession("scale_writers", "true");
    }

    /** Makes one change and returns its description. */
    String change(Random random)
    {
        List<String> present = truth.partitions().stream().filter(partition -> !truth.files(partition).isEmpty()).toList();
        int dice = random.nextInt(20);
        if (how == How.RECREATED) {
            recreate(random);
            return "recreated";
        }
        if (how == How.INSERTED) {
            String partition = present.isEmpty() || dice < 4 ? "d" + random.nextInt(MOST_PARTITIONS) : present.get(random.nextInt(present.size()));
            if (truth.files(partition).size() >= MOST_FILES) {
                deletePartition(partition);
                return "partition dropped";
            }
            insert(partition, new Content(random.nextInt(Content.COUNT)));
            return "inserted";
        }
        if (present.size() < 2 || (dice < 2 && present.size() < MOST_PARTITIONS)) {
            addPartition(random);
            return "partition added";
        }
        String partition = present.get(random.nextInt(present.size()));
        Map<String, Content> files = truth.files(partition);
        if (dice < 3) {
            dropPartition(partition);
            return "partition dropped";
        }
        if (dice < 6 && files.size() < MOST_FILES) {
            put(partition, "f" + made++, new Content(random.nextInt(Content.COUNT)));
            return "file added";
        }
        String file = List.copyOf(files.keySet()).get(random.nextInt(files.size()));
        if (dice < 8 && files.size() > 1) {
            delete(partition, file);
            return "file deleted";
        }
        Content before = requireNonNull(files.get(file), "no such file");
        List<Content> others = bytes.keySet().stream().filter(content -> content.rows() == before.rows() && !content.equals(before)).toList();
        put(partition, file, others.get(random.nextInt(others.size())));
        return "file overwritten";
    }

    private void put(String partition, String file, Content content)
    {
        windows.during(Cause.FILE, name, () -> {
            Truth.Change change = truth.begin(partition, file, Optional.of(content), System.nanoTime());
            upload(partition, file, content);
            truth.ended(change, System.nanoTime());
        });
    }

    private void upload(String partition, String file, Content content)
    {
        s3().put(Lake.BUCKET, prefix(partition) + file, requireNonNull(bytes.get(content), "no bytes"));
    }

    private void delete(String partition, String file)
    {
        windows.during(Cause.FILE, name, () -> {
            Truth.Change change = truth.begin(partition, file, Optional.empty(), System.nanoTime());
            s3().delete(Lake.BUCKET, prefix(partition) + file);
            truth.ended(change, System.nanoTime());
        });
    }

    private void addPartition(Random random)
    {
        String partition = "p" + made++;
        List<Truth.Change> changes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Content content = new Content(random.nextInt(Content.COUNT));
            String file = "f" + made++;
            changes.add(truth.begin(partition, file, Optional.of(content), System.nanoTime()));
            upload(partition, file, content);
        }
        again("CALL system.sync_partition_metadata('" + Soak.SCHEMA + "', '" + name + "', 'ADD')");
        changes.forEach(change -> truth.ended(change, System.nanoTime()));
    }

    private void dropPartition(String partition)
    {
        windows.during(Cause.TABLE, name, () -> {
            List<Truth.Change> changes = leaving(partition);
            changes.forEach(change -> s3().delete(Lake.BUCKET, prefix(partition) + change.file()));
            again("CALL system.sync_partition_metadata('" + Soak.SCHEMA + "', '" + name + "', 'DROP')");
            changes.forEach(change -> truth.ended(change, System.nanoTime()));
        });
    }

    private void deletePartition(String partition)
    {
        windows.during(Cause.TABLE, name, () -> {
            List<Truth.Change> changes = leaving(partition);
            again("DELETE FROM " + name + " WHERE ds = '" + partition + "'");
            changes.forEach(change -> truth.ended(change, System.nanoTime()));
        });
    }

    private List<Truth.Change> leaving(String partition)
    {
        return truth.files(partition).keySet().stream().map(file -> truth.begin(partition, file, Optional.empty(), System.nanoTime())).toList();
    }

    private void insert(String partition, Content content)
    {
        String file = "insert" + made++;
        Set<String> before = keys(partition);
        Truth.Change change = truth.begin(partition, file, Optional.of(content), System.nanoTime());
        try {
            oneFile(client()).execute("INSERT INTO " + name + " SELECT *, '" + partition + "' FROM (" + content.query() + ")");
            truth.ended(change, System.nanoTime());
        }
        catch (QueryFailedException e) {
            windows.during(Cause.FILE, name, () -> {
                Truth.Change undone = truth.begin(partition, file, Optional.empty(), System.nanoTime());
                Set<String> left = new HashSet<>(keys(partition));
                left.removeAll(before);
                left.forEach(key -> s3().delete(Lake.BUCKET, key));
                truth.ended(undone, System.nanoTime());
            });
        }
    }

    private Set<String> keys(String partition)
    {
        return s3().list(Lake.BUCKET, prefix(partition)).stream().map(S3Object::key).collect(Collectors.toSet());
    }

    private void recreate(Random random)
    {
        windows.during(Cause.TABLE, name, () -> {
            List<Truth.Change> changes = new ArrayList<>();
            for (String partition : truth.partitions()) {
                truth.files(partition).forEach((file, before) -> {
                    Content content = new Content(random.nextInt(Content.COUNT));
                    // for a while, the table exists without its partitions
                    truth.begin(partition, file, Optional.empty(), System.nanoTime());
                    changes.add(truth.begin(partition, file, Optional.of(content), System.nanoTime()));
                });
            }
            again("DROP TABLE IF EXISTS " + name);
            changes.forEach(change -> upload(change.partition(), change.file(), change.content().orElseThrow()));
            again("CREATE TABLE IF NOT EXISTS " + name + " (" + columns() + ") WITH (" + properties() + ", external_location = '" + Lake.location(
                    Soak.SCHEMA, name) + "')");
            again("CALL system.sync_partition_metadata('" + Soak.SCHEMA + "', '" + name + "', 'ADD')");
            changes.forEach(change -> truth.ended(change, System.nanoTime()));
        });
    }

    private String prefix(String partition)
    {
        return String.format(Locale.ROOT, "%s/%s/ds=%s/", Soak.SCHEMA, name, partition);
    }

    /* Repeats a statement until it succeeds, because faults are temporary. */
    private void again(String sql)
    {
        long end = System.nanoTime() + REPEATED_FOR_NANOS;
        while (true) {
            try {
                client().execute(sql);
                return;
            }
            catch (QueryFailedException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Soak.pause(PAUSE_NANOS);
            }
        }
    }

    private PrestoClient client()
    {
        return lake.client(Soak.SCHEMA);
    }

    private S3Client s3()
    {
        return lake.s3().client();
    }
}
