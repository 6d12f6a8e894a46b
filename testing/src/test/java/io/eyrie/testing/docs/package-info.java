// SPDX-License-Identifier: Apache-2.0
/** Tests of the pages' parser. */
@NullMarked
package io.eyrie.testing.docs;

import org.jspecify.annotations.NullMarked;
