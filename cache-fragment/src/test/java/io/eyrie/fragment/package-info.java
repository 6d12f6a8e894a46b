// SPDX-License-Identifier: Apache-2.0
/** Code that the tests of several packages share. */
@NullMarked
package io.eyrie.fragment;

import org.jspecify.annotations.NullMarked;
