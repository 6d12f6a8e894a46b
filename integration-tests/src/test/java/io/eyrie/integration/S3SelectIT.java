// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkFault;
import io.eyrie.testing.link.RequestKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;

import static io.eyrie.integration.SharedLakes.SELECT;
import static io.eyrie.integration.SharedLakes.SELECT_FRAGMENTS;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests selection in the store, on MinIO: the same answers as plain reads for any text, and no repeated requests. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3SelectIT
{
    private static final String SCHEMA = "selected";
    private static final String COLUMNS = "id bigint, city varchar, amount decimal(9,2), sold date, flag boolean, note varchar, qty integer";
    private static final String STATED = "\"field.delim\" : \"|\", \"line.delim\" : \"\\n\"";
    private static final int ROWS = 8_000;
    // a refused request takes half a minute if it is retried as Presto does
    private static final Duration AT_ONCE = Duration.ofSeconds(20);

    private final Lake lake = SharedLakes.onMinio();
    private final PrestoClient client = lake.presto().client(SELECT, SCHEMA);
    private final PrestoClient uncached = client.withSession(SELECT + ".cache_enabled", "false");

    @BeforeAll
    void createTables()
            throws IOException
    {
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
        UnaryOperator<String> same = text -> text;
        table("stated", STATED, "a.txt", same);
        table("gzipped", STATED, "a.gz", same);
        table("unstated", "\"field.delim\" : \"|\"", "a.txt", same);
        table("standard", "", "a.txt", text -> text.replace('|', '\u0001'));
        table("quoted", STATED, "a.txt", text -> text.replace("|note ", "|\"note ").replace("|Oslo|", "|\"Oslo|"));
        table("crlf", STATED, "a.txt", text -> text.replace("\n", "\r\n"));
        table("tabbed", STATED.replace("|", "\\t"), "a.txt", text -> text.replace('|', '\t'));
        table("odd", STATED, "a.txt", text -> "\n7|Oslo\n8\n|\n\\N|\\N|\\N\n 9|Oslo| 1.00| 2020-01-01| true| x| 5\n" + text
                + "\n9|Oslo|1.5|2020-01-01|true|\"|3|more\n\n10|Oslo|\n");
        table("latin", STATED, "a.txt", text -> text.replace("note ", "n\u00f6te "));
        table("marked", STATED, "a.txt", text -> "\uFEFF" + text);
        table("marked_zipped", STATED, "a.gz", text -> "\uFEFF" + text);
        for (String name : new String[] {"repeated", "fragmented", "broken", "truncated", "overwritten", "sales"}) {
            table(name, STATED, "a.txt", same);
        }
    }

    @AfterEach
    void clearFaults()
    {
        lake.link().clearFaults();
    }

    @ParameterizedTest
    @CsvSource({"stated, true", "gzipped, true", "quoted, true", "crlf, true", "tabbed, true", "odd, true", "latin, false", "unstated, false",
            "standard, false"})
    void answersAreThoseOfThePlainRead(String table, boolean selects)
    {
        List<String> queries = List.of(
                "SELECT count(*), sum(qty), sum(amount), max(sold), count(flag) FROM %s WHERE id > 100 OR id BETWEEN 5 AND 12",
                "SELECT id, amount, qty FROM %s WHERE city IN ('Oslo', 'Rome') AND amount > 98.5 AND sold < DATE '2020-02-01'",
                "SELECT count(*), count(city), min(note), max(note), count(note), count_if(city = '' OR city = 'it''s') FROM %s",
                "SELECT id, city, qty, flag FROM %s WHERE id IN (7, 8, 9, 10) AND city = 'Oslo'",
                "SELECT count(*), sum(qty) FROM %s WHERE city IS NULL OR flag IS NULL",
                "SELECT count(*), sum(qty) FROM %s WHERE note > 'note 5'");
        double pushdowns = 0;
        for (String query : List.of("stated", "odd").contains(table) ? queries : queries.subList(0, 3)) {
            String sql = String.format(Locale.ROOT, query, table);
            QueryResult expected = plain(uncached).execute(sql);
            for (PrestoClient one : List.of(uncached, client, plain(client)).subList(0, table.equals("stated") ? 3 : 2)) {
                QueryResult actual = one.execute(sql);
                Rows.assertSameRows(actual, expected);
                assertThat(actual.wallTime()).as(sql).isLessThan(AT_ONCE);
                pushdowns += metric(actual, "Pushdowns");
            }
        }
        assertThat(pushdowns > 0).as("the store selected").isEqualTo(selects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"marked", "marked_zipped"})
    void fileThatBeginsWithAByteOrderMark(String table)
    {
        String sql = "SELECT count(*), sum(qty), min(id) FROM " + table + " WHERE id >= 0 AND id < 12";
        QueryResult actual = uncached.execute(sql);
        Rows.assertSameRows(actual, plain(uncached).execute(sql));
        assertThat(metric(actual, "PlainByteOrderMark")).isEqualTo(1);
        assertThat(metric(uncached.execute("SELECT sum(qty) FROM " + table + " WHERE qty > 1"), "Pushdowns")).as("of other columns").isEqualTo(1);
    }

    @Test
    void secondQueryIsKeptAndThirdAsksForNothing()
    {
        String sql = "SELECT sum(qty) FROM repeated WHERE id > 10";
        LinkCounts first = requestsOf(client, sql);
        assertThat(first.of(RequestKind.POST).requests()).isEqualTo(1);
        assertThat(first.of(RequestKind.GET_DATA).requests()).as("for a byte order mark").isEqualTo(1);
        LinkCounts second = requestsOf(client, sql);
        assertThat(second.of(RequestKind.POST).requests()).isZero();
        assertThat(second.dataBytes()).as("of the first, only its first bytes filled a page").isGreaterThanOrEqualTo(text().length() - (16 << 10));
        assertNothingRead(requestsOf(client, sql));
    }

    @Test
    void resultOfALeafThatWasSelectedIsServed()
    {
        PrestoClient withResults = lake.presto().client(SELECT_FRAGMENTS, SCHEMA);
        String sql = "SELECT sum(qty) FROM fragmented WHERE id > 10 AND city = 'Oslo'";
        assertThat(requestsOf(withResults, sql).of(RequestKind.POST).requests()).isEqualTo(1);
        assertNothingRead(requestsOf(withResults, sql));
        Rows.assertSameRows(withResults.execute(sql), plain(uncached).execute(sql));
        overwrite("fragmented", text().replace("|Oslo|", "|Rome|"));
        assertThat(withResults.execute(sql).rows().get(0)).as("another version").containsOnlyNulls();
    }

    @Test
    void selectionThatTheStoreDoesNotAnswer()
    {
        String sql = "SELECT sum(qty) FROM broken WHERE id > 10";
        QueryResult expected = plain(uncached).execute(sql);
        lake.link().injectFaults(request -> request.kind() == RequestKind.POST ? Optional.of(LinkFault.UNAVAILABLE) : Optional.empty());
        QueryResult refused = uncached.execute(sql);
        Rows.assertSameRows(refused, expected);
        assertThat(refused.wallTime()).isLessThan(AT_ONCE);
        assertThat(metric(refused, "PlainRefused")).isEqualTo(1);
        lake.link().clearFaults();
        QueryResult later = uncached.execute(sql);
        Rows.assertSameRows(later, expected);
        assertThat(metric(later, "PlainRefusedBefore")).isEqualTo(1);
    }

    @Test
    void selectionThatBreaksAfterItsFirstRows()
    {
        String sql = "SELECT sum(qty), sum(amount), count(*) FROM truncated WHERE id > 10";
        long answer = requestsOf(uncached, sql).of(RequestKind.POST).responseBytes();
        lake.link().injectFaults(request -> request.kind() == RequestKind.POST
                ? Optional.of(LinkFault.truncateAfter(answer - 20))
                : Optional.empty());
        assertThatThrownBy(() -> uncached.execute(sql)).isInstanceOf(QueryFailedException.class);
        QueryResult later = uncached.execute(sql);
        Rows.assertSameRows(later, plain(uncached).execute(sql));
        assertThat(metric(later, "PlainRefusedBefore")).isEqualTo(1);
    }

    @Test
    void fileThatIsOverwrittenBeforeItIsSelectedFrom()
    {
        String sql = "SELECT count(*) FROM overwritten WHERE city = 'Oslo'";
        AtomicBoolean once = new AtomicBoolean();
        lake.link().injectFaults(request -> {
            if (request.kind() == RequestKind.POST && once.compareAndSet(false, true)) {
                overwrite("overwritten", text().replace("|Oslo|", "|Rome|"));
            }
            return Optional.empty();
        });
        assertThatThrownBy(() -> client.execute(sql)).isInstanceOf(QueryFailedException.class).hasMessageContaining("was overwritten");
        assertThat(once).isTrue();
        assertThat(client.execute(sql).onlyValue()).isEqualTo(0L);
    }

    @Test
    void fewerBytesThanThePlainRead()
    {
        String sql = "SELECT sum(qty) FROM sales WHERE id > 10";
        long selected = requestsOf(uncached, sql).of(RequestKind.POST).responseBytes();
        long read = requestsOf(plain(uncached), sql).dataBytes();
        assertThat(selected).isBetween(1L, read / 3);
    }

    private static void assertNothingRead(LinkCounts counts)
    {
        for (RequestKind kind : new RequestKind[] {RequestKind.GET_DATA, RequestKind.HEAD, RequestKind.POST}) {
            assertThat(counts.of(kind).requests()).as(kind.name()).isZero();
        }
    }

    private LinkCounts requestsOf(PrestoClient one, String sql)
    {
        LinkCounts before = lake.quietCounts();
        one.execute(sql);
        return lake.quietCounts().minus(before);
    }

    private double metric(QueryResult result, String name)
    {
        return client.statistics(result).metric("eyrieSelect" + name).sum();
    }

    private static PrestoClient plain(PrestoClient one)
    {
        return one.withSession(SELECT + ".s3_select_pushdown_enabled", "false");
    }

    private static String text()
    {
        StringBuilder text = new StringBuilder();
        String[] cities = {"Oslo", "Rome", "Bern", "\\N", "", "it's"};
        for (int i = 0; i < ROWS; i++) {
            text.append(i).append('|').append(cities[i % cities.length]).append('|').append(i % 100).append(".75|2020-0").append(1 + i % 9).append(
                    "-1").append(i % 10)
                    .append('|').append(i % 7 == 0 ? "\\N" : i % 2 == 0).append("|note ").append(i).append('|').append(i % 11).append('\n');
        }
        return text.toString();
    }

    private void overwrite(String table, String text)
    {
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/" + table + "/a.txt", text.getBytes(UTF_8));
    }

    /* Presto has no property for line.delim, so it is written into the metastore's file before the table is first read. */
    private void table(String name, String serdeParameters, String file, UnaryOperator<String> change)
            throws IOException
    {
        lake.createTable(SCHEMA, name, COLUMNS, "format = 'TEXTFILE'");
        byte[] bytes = change.apply(text()).getBytes(name.equals("latin") ? ISO_8859_1 : UTF_8);
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/" + name + "/" + file, file.endsWith(".gz") ? gzip(bytes) : bytes);
        lake.setSerdeParameters(SCHEMA, name, serdeParameters);
    }

    private static byte[] gzip(byte[] bytes)
            throws IOException
    {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }
}
