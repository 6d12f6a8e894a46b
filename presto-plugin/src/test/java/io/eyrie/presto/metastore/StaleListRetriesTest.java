// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.amazonaws.services.s3.model.AmazonS3Exception;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.spi.PrestoException;
import org.junit.jupiter.api.Test;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.stream.Stream;

import static com.facebook.presto.hive.HiveErrorCode.HIVE_CANNOT_OPEN_SPLIT;
import static com.facebook.presto.hive.HiveErrorCode.HIVE_CURSOR_ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StaleListRetriesTest
{
    @Test
    void errorOfAGoneFileIsPrestosOwnButForTheMark()
    {
        AmazonS3Exception notFound = new AmazonS3Exception("gone");
        notFound.setStatusCode(404);
        Stream.of(new FileNotFoundException("gone"), new IOException(notFound)).forEach(cause -> {
            PrestoException error = new PrestoException(HIVE_CANNOT_OPEN_SPLIT, "Error opening Hive split", cause);
            assertThatThrownBy(() -> StaleListRetries.marking(() -> {
                throw error;
            })).hasMessage("Error opening Hive split").hasCause(cause).isInstanceOfSatisfying(PrestoException.class, e -> {
                assertThat(e.getErrorCode()).isEqualTo(HIVE_CANNOT_OPEN_SPLIT.toErrorCode()).hasToString(error.getErrorCode().toString());
                assertThat(e.getErrorCode().isRetriable()).isTrue();
            });
        });
    }

    @Test
    void otherErrorsStayWhatTheyAre()
    {
        AmazonS3Exception slowDown = new AmazonS3Exception("slow down");
        slowDown.setStatusCode(503);
        PrestoException error = new PrestoException(HIVE_CURSOR_ERROR, "slow", slowDown);
        assertThatThrownBy(() -> StaleListRetries.marking(() -> {
            throw error;
        })).isSameAs(error);
    }

    @Test
    void blockThatIsReadAfterItsPage()
    {
        Page page = StaleListRetries.marking(new Page(new LazyBlock(1, block -> {
            throw new PrestoException(HIVE_CURSOR_ERROR, new FileNotFoundException("gone"));
        })));
        Block block = page.getBlock(0);
        assertThatThrownBy(block::getLoadedBlock).isInstanceOfSatisfying(
                PrestoException.class,
                e -> assertThat(e.getErrorCode().isRetriable()).isTrue());
    }
}
