// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.packaging;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the plugin's archive contains the licenses of everything in it. */
class ArchivesIT
{
    private static final String FOLDER = "eyrie/";
    private static final String LICENSES = FOLDER + "licenses/";
    private static final Pattern LINE = Pattern.compile("[^:]+:(?<artifact>[^:]+):(?<version>[^: ]+) (?<license>[^ ]+)");

    /** A library of others. */
    private record Library(String artifact, String version, String license)
    {
        static Library of(String line)
        {
            Matcher matcher = LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            return new Library(matcher.group("artifact"), matcher.group("version"), matcher.group("license"));
        }

        String jar()
        {
            return artifact + "-" + version + ".jar";
        }
    }

    private static ZipFile archive()
            throws IOException
    {
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(Path.of("target"), "eyrie-presto-plugin-*.zip")) {
            return new ZipFile(archives.iterator().next().toFile());
        }
    }

    private static String text(ZipFile archive, String name)
            throws IOException
    {
        ZipEntry entry = archive.getEntry(name);
        assertThat(entry).as("%s in the archive", name).isNotNull();
        return new String(archive.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Map<String, Library> listed(ZipFile archive)
            throws IOException
    {
        return text(archive, LICENSES + "third-party.txt").lines()
                .filter(line -> !line.startsWith("#"))
                .map(Library::of)
                .collect(Collectors.toMap(Library::jar, library -> library, (one, other) -> other, TreeMap::new));
    }

    @Test
    void everyLibraryIsListed()
            throws IOException
    {
        try (ZipFile archive = archive()) {
            assertThat(listed(archive).keySet()).containsExactlyInAnyOrderElementsOf(archive.stream()
                    .map(entry -> entry.getName().substring(FOLDER.length()))
                    .filter(name -> name.endsWith(".jar") && !name.contains("/") && !name.startsWith("eyrie-"))
                    .toList());
        }
    }

    @Test
    void textOfEachLicenseIsInTheArchiveAndNamesItsLibraries()
            throws IOException
    {
        try (ZipFile archive = archive()) {
            for (Library library : listed(archive).values()) {
                if (!library.license().equals("Apache-2.0")) {
                    assertThat(text(archive, LICENSES + library.license() + ".txt")).contains(library.artifact());
                }
            }
        }
    }

    @Test
    void ownLicenseAndNoticeAreInTheArchive()
            throws IOException
    {
        try (ZipFile archive = archive()) {
            for (String name : new String[] {"LICENSE", "NOTICE"}) {
                assertThat(text(archive, LICENSES + name)).isEqualTo(Files.readString(Path.of("..", name)));
            }
        }
    }
}
