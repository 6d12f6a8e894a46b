// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import com.sun.management.ThreadMXBean;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class SeenStatusesTest
{
    private static final int MOST = 20_000;

    private final SeenStatuses seen = new SeenStatuses(() -> 0);

    private static Path path(String path)
    {
        return new Path("s3a://bucket" + path);
    }

    private void add(String path)
    {
        seen.add(new FileStatus(1, false, 1, 1, 1, path(path)));
        seen.opened(path(path), version(path));
    }

    private static FileVersion version(String path)
    {
        return new FileVersion(StoreId.shared("s3"), path, 1, 1, Optional.empty());
    }

    private boolean isSeen(String path)
    {
        return seen.find(path(path), 1, any -> true).isPresent();
    }

    @Test
    void forgottenDirectoryTakesWhatIsBelowAlone()
    {
        String[] around = {"/a", "/a-b", "/a.b", "/a0", "/ab/c", "/b/a/c"};
        String[] within = {"/a/b", "/a/b c", "/a/0/1/2", "/a/\uffff", "/a/\ud83d\ude00/x"};
        for (String path : around) {
            add(path);
        }
        for (String path : within) {
            add(path);
        }
        add("/a/b/c");
        assertThat(seen.forget(path("/a/b"))).containsExactlyInAnyOrder(version("/a/b"), version("/a/b/c"));
        assertThat(seen.forget(path("/a"))).extracting(FileVersion::path).containsExactlyInAnyOrder("/a", "/a/b c", "/a/0/1/2", "/a/\uffff",
                "/a/\ud83d\ude00/x");
        for (String path : within) {
            assertThat(isSeen(path)).as(path).isFalse();
        }
        for (String path : around) {
            assertThat(isSeen(path)).as(path).isEqualTo(!path.equals("/a"));
        }
        assertThat(seen.forget(path("/"))).hasSize(around.length - 1);
        assertThat(seen.forget(path("/"))).isEmpty();
    }

    @Test
    void forgettingCostsWhatIsForgottenHoweverMuchIsThere()
    {
        for (int i = 0; i < MOST; i++) {
            add("/table/ds=" + i % 100 + "/file-" + i);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Path other = path("/table/other");
        assertThat(seen.forget(other)).isEmpty();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            assertThat(seen.forget(other).isEmpty()).isTrue();
        }
        // a scan would create a name for each path: 20,000 of about 100 bytes
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 100).isLessThan(10_000);
        assertThat(seen.forget(path("/table/ds=7"))).hasSizeBetween(150, 200);
    }

    @Test
    void namesOfWhatIsEvictedAreForgottenToo()
    {
        PathCache<Integer> cache = new PathCache<>(100);
        for (int i = 0; i < 10_000; i++) {
            cache.put(path("/" + i), i);
            cache.put(path("/" + i), i + 1);
        }
        assertThat(cache.sizes()).containsOnly(100);
        assertThat(cache.remove(path("/"))).hasSize(100);
        assertThat(cache.sizes()).containsOnly(0);
    }
}
