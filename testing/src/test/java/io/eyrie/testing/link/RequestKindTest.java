// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

final class RequestKindTest
{
    @ParameterizedTest
    @CsvSource({
            "GET, /bucket/key, GET_DATA",
            "GET, /bucket/dir/key%20x?x-id=GetObject, GET_DATA",
            "GET, /bucket/key?versionId=3, GET_DATA",
            "GET, /bucket/key?uploadId=3, OTHER",
            "GET, /bucket/key?acl, OTHER",
            "GET, /, LIST",
            "GET, /bucket, LIST",
            "GET, /bucket/, LIST",
            "GET, /bucket?list-type=2&prefix=a%2Fb, LIST",
            "GET, /bucket/?prefix=a&delimiter=%2F&fetch-owner=false, LIST",
            "GET, /bucket?location, OTHER",
            "GET, /bucket/?uploads, OTHER",
            "HEAD, /bucket/key, HEAD",
            "PUT, /bucket/key?partNumber=1&uploadId=x, PUT",
            "DELETE, /bucket/key, DELETE",
            "POST, /bucket?delete, POST",
            "OPTIONS, /bucket, OTHER"})
    void kindOf(String method, String target, RequestKind kind)
    {
        assertThat(RequestKind.of(method, target)).isEqualTo(kind);
    }
}
