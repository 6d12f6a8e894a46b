// SPDX-License-Identifier: Apache-2.0
/** Tests of the harness's own presto package. */
@NullMarked
package io.eyrie.testing.presto;

import org.jspecify.annotations.NullMarked;
