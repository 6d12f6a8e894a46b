// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Reports the changes of an event to a listener. An event that cannot be understood counts as the widest change that it can mean: of its table, else of its
 * database, else of everything.
 */
final class LogChanges
{
    /*
     * Messages are JSON (format json-0.2 of Hive 3), or Base64 of compressed JSON (gzip(json-2.0) of Hive 4). Objects in them are strings in thrift's own JSON, {"<field number>": {"<type>": value}}: of a table, 1 is
     * the name and 2 the database; of a partition, 1 is the list of values, [type, count, value, ...].
     */
    private static final Set<String> ABOUT_NOTHING_CACHED = Set.of(
            "CREATE_FUNCTION", "DROP_FUNCTION", "OPEN_TXN", "COMMIT_TXN", "ABORT_TXN", "ALLOC_WRITE_ID", "CREATE_ISCHEMA", "ALTER_ISCHEMA",
            "DROP_ISCHEMA",
            "ADD_SCHEMA_VERSION", "ALTER_SCHEMA_VERSION", "DROP_SCHEMA_VERSION");
    // the length of a message about some thousand partitions; its parsed tree takes several times as much memory
    static final int MOST_CHARACTERS = 4 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();
    // the first three bytes of a gzip file
    private static final String COMPRESSED = "H4sI";
    private static final String NAME = "1";
    private static final String DATABASE = "2";
    private static final String VALUES = "1";

    private final ChangeListener listener;

    LogChanges(ChangeListener listener)
    {
        this.listener = requireNonNull(listener, "listener is null");
    }

    void apply(LogEvent event)
    {
        switch (event.type()) {
            case "ALTER_TABLE" -> alterTable(event);
            case "ADD_PARTITION" -> partitions(event, partitionMaps(event), PartitionChange.ADDED);
            case "DROP_PARTITION" -> partitions(event, partitionMaps(event), PartitionChange.DROPPED);
            case "ALTER_PARTITION" -> alterPartition(event);
            case "INSERT" -> insert(event);
            default -> widest(event);
        }
    }

    private void widest(LogEvent event)
    {
        if (ABOUT_NOTHING_CACHED.contains(event.type())) {
            return;
        }
        if (event.database().isEmpty()) {
            listener.everythingChanged();
        }
        else if (event.table().isEmpty()) {
            listener.databaseChanged(event.database());
        }
        else {
            listener.tableChanged(event.database(), event.table());
        }
    }

    /* Only the message contains the old name of a renamed table. */
    private void alterTable(LogEvent event)
    {
        Optional<JsonNode> before = object(parse(event.message()), "tableObjBeforeJson");
        String database = before.map(table -> text(table, DATABASE)).orElse("");
        String name = before.map(table -> text(table, NAME)).orElse("");
        if (database.isEmpty() || name.isEmpty()) {
            listener.everythingChanged();
            return;
        }
        listener.tableChanged(database, name);
        if (!database.equals(event.database()) || !name.equals(event.table())) {
            widest(event);
        }
    }

    private void insert(LogEvent event)
    {
        Optional<List<String>> values = object(parse(event.message()), "ptnObjJson").flatMap(LogChanges::values);
        partitions(event, values.map(List::of).orElse(List.of()), PartitionChange.ALTERED);
    }

    private void alterPartition(LogEvent event)
    {
        List<List<String>> values = beforeAndAfter(event);
        partitions(event, values, values.size() > 1 ? PartitionChange.DROPPED : PartitionChange.ALTERED);
    }

    private void partitions(LogEvent event, List<List<String>> values, PartitionChange change)
    {
        if (values.isEmpty() || event.database().isEmpty() || event.table().isEmpty()) {
            widest(event);
        }
        else {
            listener.partitionsChanged(event.database(), event.table(), values, change);
        }
    }

    private static List<List<String>> partitionMaps(LogEvent event)
    {
        List<List<String>> all = new ArrayList<>();
        for (JsonNode partition : parse(event.message()).path("partitions")) {
            List<String> values = new ArrayList<>();
            partition.forEach(value -> values.add(value.asText()));
            if (values.isEmpty()) {
                return List.of();
            }
            all.add(List.copyOf(values));
        }
        return all;
    }

    private static List<List<String>> beforeAndAfter(LogEvent event)
    {
        JsonNode message = parse(event.message());
        Optional<List<String>> before = object(message, "partitionObjBeforeJson").flatMap(LogChanges::values);
        Optional<List<String>> after = object(message, "partitionObjAfterJson").flatMap(LogChanges::values);
        if (before.isEmpty() || after.isEmpty()) {
            return List.of();
        }
        return before.equals(after) ? List.of(before.get()) : List.of(before.get(), after.get());
    }

    private static Optional<List<String>> values(JsonNode partition)
    {
        JsonNode list = partition.path(VALUES).path("lst");
        if (list.size() < 3) {
            return Optional.empty();
        }
        List<String> values = new ArrayList<>();
        for (int i = 2; i < list.size(); i++) {
            values.add(list.get(i).asText());
        }
        return Optional.of(List.copyOf(values));
    }

    private static String text(JsonNode object, String field)
    {
        return object.path(field).path("str").asText("").toLowerCase(Locale.ROOT);
    }

    private static Optional<JsonNode> object(JsonNode message, String field)
    {
        JsonNode text = message.path(field);
        return text.isTextual() ? Optional.of(parse(text.asText())) : Optional.empty();
    }

    private static JsonNode parse(String message)
    {
        try {
            String json = message.startsWith(COMPRESSED) ? decompressed(message) : message;
            return json.length() > MOST_CHARACTERS ? JSON.missingNode() : JSON.readTree(json);
        }
        catch (IOException | IllegalArgumentException e) {
            return JSON.missingNode();
        }
    }

    private static String decompressed(String message)
            throws IOException
    {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(message)))) {
            return new String(in.readNBytes(MOST_CHARACTERS + 1), UTF_8);
        }
    }
}
