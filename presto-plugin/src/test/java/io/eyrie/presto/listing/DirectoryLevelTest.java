// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class DirectoryLevelTest
{
    private static final List<S3ObjectSummary> OBJECTS = Stream.of("t/a/", "t/a/1", "t/a/n/", "t/a/n/1", "t/a/n/m/1", "t/a/o/1", "t/a/z", "t/b/1")
            .map(TestingKeySource::object)
            .toList();

    @Test
    void nestedDirectoriesAreThereOnceAndTheirFilesAreNot()
    {
        ListObjectsV2Result level = DirectoryLevel.of(OBJECTS, "t/a/");
        assertThat(level.getObjectSummaries()).extracting(S3ObjectSummary::getKey).containsExactly("t/a/", "t/a/1", "t/a/z");
        assertThat(level.getCommonPrefixes()).containsExactly("t/a/n/", "t/a/o/");
    }

    @Test
    void nestedDirectory()
    {
        ListObjectsV2Result level = DirectoryLevel.of(OBJECTS, "t/a/n/");
        assertThat(level.getObjectSummaries()).extracting(S3ObjectSummary::getKey).containsExactly("t/a/n/", "t/a/n/1");
        assertThat(level.getCommonPrefixes()).containsExactly("t/a/n/m/");
    }

    @Test
    void methodOfPrestosThatIsCalledIsThere()
    {
        assertThatCode(DirectoryLevel::requireHost).doesNotThrowAnyException();
    }
}
