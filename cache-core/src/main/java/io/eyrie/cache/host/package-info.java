// SPDX-License-Identifier: Apache-2.0
/**
 * Access by reflection to private members of the host that Eyrie runs in. A missing member is an {@link io.eyrie.cache.host.UnsupportedHostException}
 * when the host starts, not a failure at its first use. Depends on no other package.
 */
@NullMarked
package io.eyrie.cache.host;

import org.jspecify.annotations.NullMarked;
