// SPDX-License-Identifier: Apache-2.0
/** Tests of the harness's own client package. */
@NullMarked
package io.eyrie.testing.client;

import org.jspecify.annotations.NullMarked;
