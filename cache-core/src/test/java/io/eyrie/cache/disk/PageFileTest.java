package io.eyrie.cache.disk;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The bytes of docs/formats/page-file-v1.md. */
final class PageFileTest
{
    private static final int PAGE = 1 << 20;
    private static final PageKey KEY = new PageKey(0x0123456789abcdefL, 0xfedcba9876543210L, 0x2a);

    @Test
    void keyOfAVersionNeverChanges()
    {
        FileVersion version = new FileVersion(new StoreId("s3://bucket", "alice"), "/web/clicks/1.orc", 1234, 5678, Optional.of("etag"));
        assertThat(PageFile.name(PageKey.of(version, 255))).isEqualTo("68e288f0fc8f2adf2f9b2f81c0a348c9-ff");
    }

    @Test
    void names()
    {
        assertThat(PageFile.name(KEY)).isEqualTo("0123456789abcdeffedcba9876543210-2a");
        assertThat(PageFile.parseName("0123456789abcdeffedcba9876543210-2a")).isEqualTo(KEY);
        for (String name : new String[] {
                "",
                "lock",
                "0123456789abcdeffedcba9876543210-",
                "0123456789abcdeffedcba9876543210-2A",
                "0123456789abcdeffedcba9876543210-02a",
                "0123456789abcdeffedcba9876543210--2a",
                "0123456789abcdeffedcba9876543210-2a.1.tmp",
                "0123456789abcdeffedcba987654321-2a",
                "0123456789abcdeffedcba987654321x-2a",
                "0123456789abcdeffedcba9876543210-8000000000000000"}) {
            assertThat(PageFile.parseName(name)).as(name).isNull();
        }
    }

    @Test
    void headerLayout()
    {
        byte[] page = randomBytes(1, 100_000);
        ByteBuffer header = PageFile.header(KEY, new Scope("c", "s", "t", "pärt"), ByteBuffer.wrap(page), PAGE);
        assertThat(header.remaining()).isEqualTo(4096);
        byte[] magic = new byte[8];
        header.get(0, magic);
        assertThat(new String(magic, StandardCharsets.US_ASCII)).isEqualTo("EYRIEPAG");
        assertThat(header.getInt(8)).isEqualTo(1);
        assertThat(header.getInt(12)).isEqualTo(4096);
        assertThat(header.getLong(16)).isEqualTo(KEY.hashHigh());
        assertThat(header.getLong(24)).isEqualTo(KEY.hashLow());
        assertThat(header.getLong(32)).isEqualTo(42);
        assertThat(header.getInt(40)).isEqualTo(100_000);
        assertThat(header.getInt(44)).isEqualTo(PAGE);
        assertThat(header.getInt(48)).isEqualTo(65_536);
        assertThat(header.getInt(52)).isEqualTo(2);
        assertThat(header.getInt(56)).isEqualTo(4 * 4 + 3 + 5);
        for (int granule = 0; granule < 2; granule++) {
            CRC32C crc = new CRC32C();
            crc.update(ByteBuffer.allocate(28).putLong(KEY.hashHigh()).putLong(KEY.hashLow()).putLong(42).putInt(granule).flip());
            crc.update(page, granule * 65_536, granule == 0 ? 65_536 : 100_000 - 65_536);
            assertThat(header.getInt(60 + 4 * granule)).isEqualTo((int) crc.getValue());
        }
        byte[] scope = new byte[24];
        header.get(68, scope);
        assertThat(new String(scope, StandardCharsets.UTF_8)).isEqualTo("\0\0\0\1c\0\0\0\1s\0\0\0\1t\0\0\0\5pärt");
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, 4092);
        assertThat(header.getInt(4092)).isEqualTo((int) crc.getValue());
    }

    @Test
    void longNamesMakeALongerHeaderOrAreLeftOut(@TempDir Path directory)
            throws IOException
    {
        byte[] page = randomBytes(1, 100);
        LocalVolume volume = new LocalVolume();
        Path file = directory.resolve("page");
        int[] lengths = {4000, 8192, 8193, 100_000};
        int[] headerLengths = {16_384, 36_864, 4096, 4096};
        for (int i = 0; i < lengths.length; i++) {
            String name = "x".repeat(lengths[i]);
            ByteBuffer header = PageFile.header(KEY, new Scope(name, name, name, name), ByteBuffer.wrap(page), PAGE);
            assertThat(header.remaining()).isEqualTo(headerLengths[i]);
            volume.write(file, header, ByteBuffer.wrap(page));
            ByteBuffer target = ByteBuffer.allocate(100);
            PageFile.read(volume, file, KEY, PAGE, 0, target);
            assertThat(target.array()).isEqualTo(page);
        }
    }

    @Test
    void corruptionNamesFileOffsetAndValues(@TempDir Path directory)
            throws IOException
    {
        LocalVolume volume = new LocalVolume();
        Path file = directory.resolve("page");
        byte[] page = randomBytes(1, 100);
        volume.write(file, PageFile.header(KEY, Scope.NONE, ByteBuffer.wrap(page), PAGE), ByteBuffer.wrap(page));
        assertThatThrownBy(() -> PageFile.read(volume, file, KEY.page(43), PAGE, 0, ByteBuffer.allocate(1)))
                .isInstanceOf(CorruptPageException.class)
                .hasMessage(file + " is corrupt at offset 32: the page number should be 43, is 42");
        assertThatThrownBy(() -> PageFile.read(volume, file, KEY, 2 * PAGE, 0, ByteBuffer.allocate(1)))
                .hasMessageContaining("the page size should be 2097152, is 1048576");
    }
}
