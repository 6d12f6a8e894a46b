// SPDX-License-Identifier: Apache-2.0
/** Tests of the harness's own link package. */
@NullMarked
package io.eyrie.testing.link;

import org.jspecify.annotations.NullMarked;
