/** Tests. */
@NullMarked
package io.eyrie.cli.doctor;

import org.jspecify.annotations.NullMarked;
