// SPDX-License-Identifier: Apache-2.0
/** Tests of page keys, the contract of page stores, and a page store in memory for the tests of other packages and modules. */
@NullMarked
package io.eyrie.cache.store;

import org.jspecify.annotations.NullMarked;
