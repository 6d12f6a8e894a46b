// SPDX-License-Identifier: Apache-2.0
/** Tests of the access to the host's private members. */
@NullMarked
package io.eyrie.cache.host;

import org.jspecify.annotations.NullMarked;
