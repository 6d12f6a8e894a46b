// SPDX-License-Identifier: Apache-2.0
/** Tests of reading through pages, and the fakes that tests of other packages and modules use. */
@NullMarked
package io.eyrie.cache.page;

import org.jspecify.annotations.NullMarked;
