// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.relink;

import org.jspecify.annotations.NullMarked;
