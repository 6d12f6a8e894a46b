// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.NearestName;
import io.eyrie.cache.config.PageCacheConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The {@link EyrieKeys properties} of one file system.
 *
 * @param implementation the class of the wrapped file system
 * @param cache with the directories as configured; each process uses folders in them
 */
record FileSystemConfig(
        Class<? extends FileSystem> implementation,
        boolean enabled,
        PageCacheConfig cache,
        int maxProcesses,
        long statusTtlMillis,
        long lengthTtlMillis,
        long minFileAgeMillis,
        long accessCheckMillis,
        int maxIdleHandles,
        long handleIdleMillis)
{
    private static final int DEFAULT_MAX_PROCESSES = 8;
    private static final int MOST_PROCESSES = 1024;
    private static final long DEFAULT_LENGTH_TTL_MILLIS = 10_000;
    private static final long DEFAULT_MIN_FILE_AGE_MILLIS = 2_000;
    private static final long DEFAULT_ACCESS_CHECK_MILLIS = 60_000;
    private static final int DEFAULT_IDLE_HANDLES = 200;
    private static final int MOST_IDLE_HANDLES = 10_000;
    private static final long DEFAULT_HANDLE_IDLE_MILLIS = 60_000;

    private static final Map<String, String> CORE_KEYS = Map.of(
            "baseDirectories", EyrieKeys.DIRECTORIES,
            "capacityBytes", EyrieKeys.CAPACITY,
            "pageSizeBytes", EyrieKeys.PAGE_SIZE,
            "minFreeSpaceBytes", EyrieKeys.MIN_FREE_SPACE,
            "writeBufferBytes", EyrieKeys.WRITE_BUFFER,
            "fetchThreads", EyrieKeys.FETCH_THREADS);

    /** @throws ConfigException naming the required change */
    static FileSystemConfig of(Configuration configuration, String scheme)
    {
        checkNames(configuration, scheme);
        PageCacheConfig.Builder cache = PageCacheConfig.builder();
        PageCacheConfig defaults = cache.build();
        cache.capacityBytes(bytes(configuration, EyrieKeys.CAPACITY, defaults.capacityBytes()))
                .pageSizeBytes(Math.toIntExact(Math.min(Integer.MAX_VALUE, bytes(configuration, EyrieKeys.PAGE_SIZE, defaults.pageSizeBytes()))))
                .minFreeSpaceBytes(bytes(configuration, EyrieKeys.MIN_FREE_SPACE, defaults.minFreeSpaceBytes()))
                .writeBufferBytes(bytes(configuration, EyrieKeys.WRITE_BUFFER, defaults.writeBufferBytes()))
                .fetchThreads((int) number(configuration, EyrieKeys.FETCH_THREADS, defaults.fetchThreads(), 1, Integer.MAX_VALUE));
        boolean enabled = bool(configuration, EyrieKeys.ENABLED);
        if (enabled) {
            cache.baseDirectories(directories(configuration));
            check(cache.build());
        }
        return new FileSystemConfig(
                implementation(configuration, scheme),
                enabled,
                cache.build(),
                (int) number(configuration, EyrieKeys.MAX_PROCESSES, DEFAULT_MAX_PROCESSES, 1, MOST_PROCESSES),
                millis(configuration, EyrieKeys.STATUS_TTL, 0),
                millis(configuration, EyrieKeys.LENGTH_TTL, DEFAULT_LENGTH_TTL_MILLIS),
                millis(configuration, EyrieKeys.MIN_FILE_AGE, DEFAULT_MIN_FILE_AGE_MILLIS),
                millis(configuration, EyrieKeys.ACCESS_CHECK_INTERVAL, DEFAULT_ACCESS_CHECK_MILLIS),
                (int) number(configuration, EyrieKeys.MAX_IDLE_HANDLES, DEFAULT_IDLE_HANDLES, 0, MOST_IDLE_HANDLES),
                millis(configuration, EyrieKeys.HANDLE_IDLE_TIME, DEFAULT_HANDLE_IDLE_MILLIS));
    }

    /** Rewrites an exception to name the property that the user sets. */
    static ConfigException inUserTerms(ConfigException e)
    {
        ConfigException translated = new ConfigException(CORE_KEYS.getOrDefault(e.key(), e.key()), e.value(), inUserTerms(e.allowed()),
                inUserTerms(e.fix()));
        translated.initCause(e);
        return translated;
    }

    private static String inUserTerms(String text)
    {
        String translated = text;
        for (Map.Entry<String, String> key : CORE_KEYS.entrySet()) {
            translated = translated.replace(key.getKey(), key.getValue());
        }
        return translated;
    }

    private static void checkNames(Configuration configuration, String scheme)
    {
        for (String name : new TreeSet<>(configuration.getPropsWithPrefix(EyrieKeys.PREFIX).keySet())) {
            String key = EyrieKeys.PREFIX + name;
            if (!EyrieKeys.isKnown(key)) {
                throw invalid(key, configuration.get(key), "there is no property of this name",
                        NearestName.of(key, EyrieKeys.known(scheme)).map(nearest -> "write " + nearest).orElse("remove it"), null);
            }
        }
    }

    private static void check(PageCacheConfig cache)
    {
        try {
            cache.validate();
        }
        catch (ConfigException e) {
            throw inUserTerms(e);
        }
    }

    private static Class<? extends FileSystem> implementation(Configuration configuration, String scheme)
    {
        String key = EyrieKeys.implementation(scheme);
        String fix = "name the file system that fs." + scheme
                + ".impl would name without Eyrie, such as org.apache.hadoop.fs.s3a.S3AFileSystem for s3a";
        String name = configuration.getTrimmed(key, "");
        if (name.isEmpty()) {
            throw new ConfigException(key, "not set", "it must name the real file system of " + scheme + "://", fix);
        }
        Class<?> named;
        try {
            named = configuration.getClassByName(name);
        }
        catch (ClassNotFoundException e) {
            ConfigException exception = new ConfigException(key, name, "there is no such class on the class path",
                    "correct the name, or add the jar that contains it");
            exception.initCause(e);
            throw exception;
        }
        if (!FileSystem.class.isAssignableFrom(named) || EyrieFileSystem.class.isAssignableFrom(named)) {
            throw new ConfigException(key, name, "it must be a " + FileSystem.class.getName() + " other than " + EyrieFileSystem.class.getName(),
                    fix);
        }
        return named.asSubclass(FileSystem.class);
    }

    private static List<Path> directories(Configuration configuration)
    {
        return Stream.of(configuration.getTrimmedStrings(EyrieKeys.DIRECTORIES))
                .filter(name -> !name.isEmpty())
                .map(FileSystemConfig::directory)
                .toList();
    }

    private static Path directory(String name)
    {
        String fix = "use a value such as /ssd1/eyrie or file:///ssd1/eyrie";
        Path path;
        try {
            path = name.startsWith("file:") ? Path.of(URI.create(name)) : Path.of(name);
        }
        catch (IllegalArgumentException e) { // InvalidPathException is a subclass
            throw invalid(EyrieKeys.DIRECTORIES, name, "it must be a path on this machine or a file: URI", fix, e);
        }
        if (!path.isAbsolute()) {
            throw invalid(EyrieKeys.DIRECTORIES, name, "it must be absolute, because processes start in different directories", fix, null);
        }
        return path.normalize();
    }

    private static boolean bool(Configuration configuration, String key)
    {
        String value = configuration.getTrimmed(key, "true");
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(key, value, "it must be true or false", "use one of them", null);
        };
    }

    private static long bytes(Configuration configuration, String key, long defaultBytes)
    {
        try {
            return configuration.getLongBytes(key, defaultBytes);
        }
        catch (IllegalArgumentException e) {
            throw invalid(key, configuration.get(key), "it must be a number of bytes, with or without a suffix (k, m, g, t)",
                    "use a value such as 64k or 20g", e);
        }
    }

    private static long millis(Configuration configuration, String key, long defaultMillis)
    {
        String fix = "use a value such as 500ms, 10s or 5m";
        long millis;
        try {
            millis = configuration.getTimeDuration(key, defaultMillis, TimeUnit.MILLISECONDS);
        }
        catch (IllegalArgumentException e) {
            throw invalid(key, configuration.get(key), "it must be a time, with or without a suffix (ms, s, m, h, d)", fix, e);
        }
        if (millis < 0) {
            throw invalid(key, configuration.get(key), "it must not be negative", fix, null);
        }
        return millis;
    }

    private static long number(Configuration configuration, String key, long defaultValue, int least, int most)
    {
        long value;
        try {
            value = configuration.getLong(key, defaultValue);
        }
        catch (NumberFormatException e) {
            throw invalid(key, configuration.get(key), "it must be a whole number", "correct it", e);
        }
        if (value < least || value > most) {
            throw invalid(key, configuration.get(key), "it must be from " + least + " to " + most, "remove it, for the default of " + defaultValue,
                    null);
        }
        return value;
    }

    private static ConfigException invalid(String key, @Nullable String value, String allowed, String fix, @Nullable Throwable cause)
    {
        ConfigException exception = new ConfigException(key, String.valueOf(value), allowed, fix);
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }
}
