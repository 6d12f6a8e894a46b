// SPDX-License-Identifier: Apache-2.0
/** Tests of inspections. */
@NullMarked
package io.eyrie.cache.inspection;

import org.jspecify.annotations.NullMarked;
