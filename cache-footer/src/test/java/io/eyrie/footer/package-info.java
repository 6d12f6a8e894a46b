// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.footer;

import org.jspecify.annotations.NullMarked;
