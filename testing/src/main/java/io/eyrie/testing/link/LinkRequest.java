// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A request as it arrives at the link.
 *
 * @param target path and query as sent, not decoded
 * @param range the Range header
 */
public record LinkRequest(RequestKind kind, String method, String target, Optional<String> range)
{
    public LinkRequest
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(method, "method is null");
        requireNonNull(target, "target is null");
        requireNonNull(range, "range is null");
    }
}
