// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.key;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.KeyRing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** The option {@code --key-file} of commands that read files which may be encrypted. */
public final class KeyFiles
{
    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the encryption key, as in cache.encryption-key-file. "
            + "Repeat the option for previous keys.")
    private List<Path> files = List.of();

    /** Returns the keys, if any were given. */
    public Optional<KeyRing> load()
    {
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new ParameterException(requireNonNull(command, "command is null").commandLine(), "--key-file does not name a file: " + file);
            }
        }
        List<String> places = files.stream().map(file -> "file:" + file.toAbsolutePath()).toList();
        return places.isEmpty()
                ? Optional.empty()
                : KeyRing.load(
                        PageCacheConfig.builder()
                                .encryptionKey(Optional.of(places.get(0)))
                                .previousEncryptionKeys(places.subList(1, places.size()))
                                .build());
    }
}
