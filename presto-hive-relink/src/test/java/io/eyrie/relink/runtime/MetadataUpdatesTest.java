// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.runtime;

import com.facebook.presto.hive.HiveMetadataUpdater;
import com.facebook.presto.spi.PageSinkContext;
import com.facebook.presto.spi.PrestoException;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MetadataUpdatesTest
{
    @Test
    void eachSinkGetsAnUpdaterOfTheConnectorsOwn()
    {
        assertThat(MetadataUpdates.getMetadataUpdater(PageSinkContext.defaultContext())).get().isInstanceOf(HiveMetadataUpdater.class);
    }

    @Test
    void sinkThatWouldWaitForEverIsRefused()
    {
        HiveMetadataUpdater updater = (HiveMetadataUpdater) MetadataUpdates.getMetadataUpdater(PageSinkContext.defaultContext()).orElseThrow();

        assertThatThrownBy(() -> MetadataUpdates.addMetadataUpdateRequest(updater, "schema", "table", Optional.empty(), 0))
                .isInstanceOfSatisfying(PrestoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(NOT_SUPPORTED.toErrorCode()))
                .hasMessageContaining("file_renaming_enabled");
    }
}
