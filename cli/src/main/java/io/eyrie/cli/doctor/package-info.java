/** Checks a catalog's file without Presto, as Presto does when it starts with it. */
@NullMarked
package io.eyrie.cli.doctor;

import org.jspecify.annotations.NullMarked;
