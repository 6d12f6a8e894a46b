// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.footer.orc;

import org.jspecify.annotations.NullMarked;
