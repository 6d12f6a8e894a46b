// SPDX-License-Identifier: Apache-2.0
/** Tests of keys and ciphers. */
@NullMarked
package io.eyrie.cache.crypt;

import org.jspecify.annotations.NullMarked;
