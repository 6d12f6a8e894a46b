// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.relink.runtime;

import org.jspecify.annotations.NullMarked;
