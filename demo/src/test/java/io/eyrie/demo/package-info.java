// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.demo;

import org.jspecify.annotations.NullMarked;
