// SPDX-License-Identifier: Apache-2.0
/** Tests the packaged plugin folder. */
@NullMarked
package io.eyrie.presto.packaging;

import org.jspecify.annotations.NullMarked;
