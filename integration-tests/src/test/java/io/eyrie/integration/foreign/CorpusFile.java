// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.foreign;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A file of the corpus, as its manifest describes it.
 *
 * @param place in the manifest
 * @param path below the corpus's directory
 * @param format for CREATE TABLE
 * @param columns for CREATE TABLE
 * @param writer and its version
 * @param serde parameters of its table's serde
 * @param isRefused whether Presto was seen to refuse it, so that it is asked for by itself from the start
 */
record CorpusFile(int place, String path, String format, List<CorpusColumn> columns, String writer, Map<String, String> serde, boolean isRefused)
{
    private static final Path CORPUS = Path.of("src/test/resources/foreign/corpus");
    private static final int FIELDS = 6;

    CorpusFile
    {
        columns = List.copyOf(columns);
        serde = Map.copyOf(serde);
    }

    static List<CorpusFile> all()
            throws IOException
    {
        try (Stream<String> lines = Files.lines(CORPUS.resolve("manifest.tsv"))) {
            List<String> files = lines.skip(1).toList();
            Set<String> refused = Set.copyOf(Files.readAllLines(CORPUS.resolve("refused.txt")));
            return IntStream.range(0, files.size()).mapToObj(place -> parse(place, files.get(place), refused)).toList();
        }
    }

    private static CorpusFile parse(int place, String line, Set<String> refused)
    {
        String[] fields = line.split("\t", FIELDS);
        Map<String, String> serde = fields.length < FIELDS ? Map.of() : parameters(fields[FIELDS - 1]);
        return new CorpusFile(place, fields[0], fields[1], CorpusColumn.parse(fields[2]), fields[3], serde, refused.contains(fields[0]));
    }

    /* As in a URL, since they are delimiters. */
    private static Map<String, String> parameters(String text)
    {
        return Stream.of(text.split("&")).map(parameter -> parameter.split("=", 2)).collect(Collectors.toMap(parameter -> parameter[0],
                parameter -> URLDecoder.decode(parameter[1], StandardCharsets.UTF_8)));
    }

    boolean isOrcOrParquet()
    {
        return format.equals("ORC") || format.equals("PARQUET");
    }

    byte[] content()
            throws IOException
    {
        return Files.readAllBytes(CORPUS.resolve(path));
    }

    /** Of the many small tables of public files, a sixth. */
    boolean isOfShortForm()
    {
        return place % 6 == 1 || !path.startsWith("public/");
    }

    /** The value of its partition. */
    String partition()
    {
        return path.replace('/', '-');
    }
}
