// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.fs;

import org.jspecify.annotations.NullMarked;
