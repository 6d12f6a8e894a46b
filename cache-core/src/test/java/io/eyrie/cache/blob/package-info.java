// SPDX-License-Identifier: Apache-2.0
/** Tests of the blob cache, and the contract of its implementations. */
@NullMarked
package io.eyrie.cache.blob;

import org.jspecify.annotations.NullMarked;
