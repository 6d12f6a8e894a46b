// SPDX-License-Identifier: Apache-2.0
/** Tests of the harness's own s3 package. */
@NullMarked
package io.eyrie.testing.s3;

import org.jspecify.annotations.NullMarked;
