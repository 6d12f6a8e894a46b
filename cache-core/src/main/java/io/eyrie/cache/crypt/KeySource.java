// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import io.eyrie.cache.config.ConfigException;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Loads the operator's keys. No error contains the text that was read. */
final class KeySource
{
    private static final String FILE = "file:";
    private static final String ENVIRONMENT = "env:";
    private static final int MAX_FILE_BYTES = 1024;
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE);
    private static final Set<PosixFilePermission> OWNER_AND_GROUP = EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE,
            PosixFilePermission.GROUP_READ);
    private static final Path PROCESS_STATUS = Path.of("/proc/self/status");
    private static final String MAKE_ONE = "write 32 random bytes in base 64 there, such as the output of openssl rand -base64 32";

    private final String setting;
    private final Map<String, String> environment;

    private KeySource(String setting, Map<String, String> environment)
    {
        this.setting = setting;
        this.environment = environment;
    }

    /**
     * Loads the operator's keys.
     *
     * @param current place of the key that wraps new data keys
     * @param previous places of the keys that wrapped older data keys
     */
    static KeyRing load(String current, List<String> previous, Map<String, String> environment)
    {
        List<byte[]> keys = new ArrayList<>();
        keys.add(new KeySource("encryptionKey", environment).key(current));
        KeySource source = new KeySource("previousEncryptionKeys", environment);
        previous.forEach(place -> keys.add(source.key(place)));
        return new KeyRing(keys);
    }

    private byte[] key(String place)
    {
        String text;
        if (place.startsWith(FILE)) {
            text = read(place, place.substring(FILE.length()));
        }
        else if (place.startsWith(ENVIRONMENT)) {
            String value = environment.get(place.substring(ENVIRONMENT.length()));
            if (value == null) {
                throw new ConfigException(setting, place, "there is no such environment variable", "set it for this process, or name another one");
            }
            text = value;
        }
        else {
            // not shown: it may be the key itself
            throw new ConfigException(
                    setting,
                    "neither file:PATH nor env:NAME",
                    "the configuration must not contain the key itself",
                    "store the key in a file or an environment variable, and name that");
        }
        return parse(place, text.strip());
    }

    private String read(String place, String name)
    {
        try {
            Path file = Path.of(name);
            if (!file.isAbsolute() || !Files.isRegularFile(file)) {
                throw new ConfigException(setting, place, "it must be the absolute path of a file", "name one, and " + MAKE_ONE);
            }
            checkPermissions(place, file);
            try (InputStream in = Files.newInputStream(file)) {
                return new String(in.readNBytes(MAX_FILE_BYTES), StandardCharsets.ISO_8859_1);
            }
        }
        catch (InvalidPathException | IOException e) {
            ConfigException failure = new ConfigException(setting, place, "the file cannot be read", "let the user of this process read it");
            failure.initCause(e);
            throw failure;
        }
    }

    private void checkPermissions(String place, Path file)
            throws IOException
    {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!isPrivate(permissions, () -> groupOf(file), KeySource::ownGroups)) {
                throw new ConfigException(
                        setting,
                        place,
                        "users other than its owner may access the file: its mode is " + PosixFilePermissions.toString(permissions),
                        "chmod 400 " + file + ", or 440 if the file belongs to a group of this process's user");
            }
        }
    }

    /**
     * Whether only the owner of a file may use it, or also the file's group may read it and this process belongs to that group. Kubernetes mounts
     * secrets with such permissions for a pod with {@code fsGroup}.
     */
    static boolean isPrivate(Set<PosixFilePermission> permissions, Supplier<OptionalLong> group, Supplier<Set<Long>> ownGroups)
    {
        if (OWNER.containsAll(permissions)) {
            return true;
        }
        if (!OWNER_AND_GROUP.containsAll(permissions)) {
            return false;
        }
        OptionalLong id = group.get();
        return id.isPresent() && ownGroups.get().contains(id.getAsLong());
    }

    private static OptionalLong groupOf(Path file)
    {
        try {
            return Files.getAttribute(file, "unix:gid") instanceof Number id ? OptionalLong.of(id.longValue()) : OptionalLong.empty();
        }
        catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    /** The numbers of the groups of this process; empty if the system does not report them as Linux does. */
    static Set<Long> ownGroups()
    {
        try (Stream<String> lines = Files.lines(PROCESS_STATUS)) {
            return lines.filter(line -> line.startsWith("Gid:") || line.startsWith("Groups:"))
                    .flatMap(line -> Arrays.stream(line.substring(line.indexOf(':') + 1).strip().split("\\s+")))
                    .filter(id -> !id.isEmpty())
                    .map(Long::valueOf)
                    .collect(Collectors.toUnmodifiableSet());
        }
        catch (IOException | UncheckedIOException | NumberFormatException e) {
            return Set.of();
        }
    }

    private byte[] parse(String place, String text)
    {
        byte[] key = decode(text);
        if (key.length != AesGcm.KEY_BYTES) {
            throw new ConfigException(setting, place, "its content is neither 64 hexadecimal digits nor 32 bytes in base 64", MAKE_ONE);
        }
        return key;
    }

    private static byte[] decode(String text)
    {
        try {
            return text.length() == 2 * AesGcm.KEY_BYTES ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text);
        }
        catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
