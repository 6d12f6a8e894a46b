// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import static io.eyrie.cache.crypt.TestingKeys.key;
import static io.eyrie.cache.crypt.TestingKeys.ring;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class KeyRingTest
{
    private static final String HEX = HexFormat.of().formatHex(key(7));
    private static final String BASE_64 = Base64.getEncoder().encodeToString(key(7));

    private final Path temporary;

    KeyRingTest(@TempDir Path temporary)
    {
        this.temporary = temporary;
    }

    private static KeyRing load(String current, Map<String, String> environment, String... previous)
    {
        return KeySource.load(current, List.of(previous), environment);
    }

    private Path file(String content, String permissions)
            throws Exception
    {
        Path file = temporary.resolve("key");
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    @Test
    void keyIsReadFromAFileOrTheEnvironmentInEitherForm()
            throws Exception
    {
        byte[] wrapped = ring(7).newGranuleCipher(1).wrappedKey();
        for (String text : List.of(HEX, BASE_64, BASE_64 + "\n")) {
            assertThat(load("env:KEY", Map.of("KEY", text)).granuleCipher(1, wrapped)).isPresent();
            assertThat(load("file:" + file(text, "rw-------"), Map.of()).granuleCipher(1, wrapped)).isPresent();
        }
    }

    @Test
    void wrongSettingsSayWhatToDoAndShowNoKey()
            throws Exception
    {
        expectError(() -> load("env:KEY", Map.of()), "env:KEY", "no such environment variable");
        expectError(() -> load("file:/no/such/file", Map.of()), "file:/no/such/file", "absolute path of a file");
        expectError(() -> load("file:key", Map.of()), "file:key", "absolute path of a file");
        expectError(() -> load("env:KEY", Map.of("KEY", HEX + "00")), "env:KEY", "openssl rand -base64 32");
        expectError(() -> load("env:KEY", Map.of("KEY", HEX.substring(1) + "x")), "env:KEY", "openssl rand -base64 32");
        expectError(() -> load(HEX, Map.of()), "file:PATH", "env:NAME");
        expectError(() -> load("env:A", Map.of("A", HEX), "env:B"), "env:B", "no such environment variable");
        for (String mode : List.of("rw-r--r--", "rw-rw----", "r--r-x---", "r-----r--")) {
            Path open = file(HEX, mode);
            expectError(() -> load("file:" + open, Map.of()), mode, "chmod 400 " + open);
        }
    }

    @Test
    void groupOfThisProcessMayReadTheFile()
            throws Exception
    {
        byte[] wrapped = ring(7).newGranuleCipher(1).wrappedKey();
        for (String mode : List.of("r--r-----", "rw-r-----")) {
            Path file = file(HEX, mode);
            assertThat(KeySource.ownGroups()).contains(((Number) Files.getAttribute(file, "unix:gid")).longValue());
            assertThat(load("file:" + file, Map.of()).granuleCipher(1, wrapped)).as(mode).isPresent();
            Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);
            assertThat(KeySource.isPrivate(permissions, () -> OptionalLong.of(7), () -> Set.of(1L, 7L))).isTrue();
            assertThat(KeySource.isPrivate(permissions, () -> OptionalLong.of(7), () -> Set.of(1L))).as("of another group").isFalse();
            assertThat(KeySource.isPrivate(permissions, OptionalLong::empty, () -> Set.of(1L))).isFalse();
        }
    }

    private static void expectError(Runnable action, String... words)
    {
        assertThatThrownBy(action::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(words[0].equals("env:B") ? "previousEncryptionKeys" : "encryptionKey")
                .hasMessageContaining(words[0])
                .hasMessageContaining(words[1])
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain(HEX.substring(0, 8), BASE_64.substring(0, 8));
    }

    @Test
    void keysAreNotShown()
    {
        assertThat(ring(7, 8).toString()).isEqualTo("KeyRing of 2 keys");
    }

    @Test
    void previousKeysUnwrapAndTheCurrentOneWraps()
    {
        byte[] old = ring(1).newGranuleCipher(5).wrappedKey();
        KeyRing rotated = ring(2, 1);
        assertThat(rotated.granuleCipher(5, old)).isPresent();
        assertThat(rotated.isCurrent(old)).isFalse();
        byte[] renewed = rotated.newGranuleCipher(5).wrappedKey();
        assertThat(rotated.isCurrent(renewed)).isTrue();
        assertThat(ring(2).granuleCipher(5, renewed)).isPresent();
        assertThat(ring(2).granuleCipher(5, old)).isEmpty();
    }

    @Test
    void wrappedKeyIsGoodForWhatItWasMadeForAlone()
    {
        KeyRing ring = ring(1);
        byte[] wrapped = ring.newGranuleCipher(5).wrappedKey();
        assertThat(wrapped).hasSize(KeyRing.WRAPPED_KEY_BYTES);
        assertThat(ring.granuleCipher(6, wrapped)).isEmpty();
        assertThat(ring.frameCipher(5, wrapped)).isEmpty();
        assertThat(ring.granuleCipher(5, Arrays.copyOf(wrapped, wrapped.length - 1))).isEmpty();
        for (int i = 0; i < wrapped.length; i++) {
            byte[] damaged = wrapped.clone();
            damaged[i] ^= 1;
            assertThat(ring.granuleCipher(5, damaged)).as("byte %d", i).isEmpty();
        }
    }
}
